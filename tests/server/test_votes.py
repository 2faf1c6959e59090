"""An absent player is safe: what the others may decide without him, and what never."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import threading
import weakref
from functools import partial
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import sqlalchemy as sa
from msgspec.structs import replace
from tests.server.harness import Client, Server, Socket, deadline_is_past, play_on
from tests.server.test_hub import in_hub, until, wish

import hansa
from hansa.bots.registry import create as create_bot
from hansa.server import absence, referee, votes
from hansa.server.errors import TableError
from hansa.server.hooks import Hook
from hansa.server.hub import Hub
from hansa.server.model import Meta, Options, Person, Seat, now_ms
from hansa.server.schema import entries, games
from hansa.server.table import Table
from hansa.server.wire.table import Clock, Proposal, ProposalKind


def seated(count: int, **options: Any) -> Meta:
    """A running table of so many people."""
    return Meta(
        id="g",
        name="g",
        status="running",
        visibility="open",
        host="a",
        setup={},
        options=Options(host_name="a", **options),
        rules="1",
        created=0,
        started=0,
        seats=[Seat(seat=f"p{n}", kind="human", name=f"p{n}", person=f"{n}") for n in range(1, count + 1)],
    )  # fmt: skip


def proposal(kind: ProposalKind, meta: Meta, seat: str | None = None) -> Proposal:
    waiting = votes.asked(meta, kind, "1", seat)
    return Proposal(id=1, kind=kind, by="p1", number=0, yes=["p1"], waiting=waiting, until=100)


#: When the votes below are asked for: whoever left then has been away all the while.
AWAY = 100 - 86_400_000


@pytest.mark.parametrize("kind", votes.VOTES)
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_nobody_decides_alone_before_the_time_is_up(kind, count):
    meta = seated(count)
    vote = proposal(kind, meta, "p2")
    alone = votes.verdict(meta, vote, present={"1"}, now=99)
    assert alone == ("passed" if (kind, count) == ("standin", 2) else "open")


@pytest.mark.parametrize("kind", votes.VOTES)
def test_whoever_is_there_and_silent_has_not_agreed(kind):
    meta = seated(3)
    meta.seats[2].standin = "greedy"
    vote = proposal(kind, meta, "p2")
    assert votes.verdict(meta, vote, present={"1", "2", "3"}, now=100) == "lapsed"


def test_silence_of_the_absent():
    meta = seated(2)
    meta.seats[1].away = AWAY
    verdicts = {
        kind: votes.verdict(meta, proposal(kind, meta), present={"1"}, now=100)
        for kind in ("undo", "end", "rematch")
    }
    assert set(verdicts.values()) == {"lapsed"}
    meta.seats[1].standin = "greedy"
    assert votes.verdict(meta, proposal("end", meta), present={"1"}, now=100) == "passed"
    assert votes.verdict(meta, proposal("undo", meta), present={"1"}, now=100) == "lapsed"
    three = seated(3)
    three.seats[2].away = AWAY
    assert votes.verdict(three, proposal("standin", three, "p2"), {"1"}, 100) == "passed"


def test_nobody_gets_out_of_a_rated_game_by_the_silence_of_another():
    """A machine plays for the one who is away: whoever is about to lose has nobody to ask."""
    meta = seated(2)
    meta.seats[1].away, meta.seats[1].standin = AWAY, "greedy"
    meta.options.rated = True
    assert votes.verdict(meta, proposal("end", meta), present={"1"}, now=100) == "lapsed"
    meta.seats[1].standin = None
    assert votes.verdict(meta, proposal("standin", meta, "p2"), present={"1"}, now=100) == "passed"


def test_the_absent_one_is_not_asked_at_his_other_seat():
    three = seated(3)
    three.seats[2].person = three.seats[1].person
    assert votes.asked(three, "standin", "1", "p2") == []
    assert votes.asked(three, "end", "1", None) == ["p2", "p3"]


@pytest.mark.parametrize("away", [None, AWAY + 1])
def test_whoever_was_there_and_has_left_has_not_agreed(away):
    """Be it that the server has just begun, and nobody is back: what is stored counts."""
    three = seated(3)
    three.seats[1].away, three.seats[2].away = AWAY, away
    three.seats[1].standin = three.seats[2].standin = "greedy"
    for vote in (proposal("standin", three, "p2"), proposal("end", three)):
        assert votes.verdict(three, vote, {"1"}, 100) == "lapsed"


def test_while_nobody_could_answer_nobody_was_silent():
    three = seated(3)
    three.seats[2].away = AWAY
    vote = proposal("standin", three, "p2")
    assert votes.verdict(three, vote, {"1"}, 100, paused=50) == "open"
    assert votes.verdict(three, vote, {"1"}, 150, paused=50) == "passed"
    (shown,) = votes.put_off(replace(three, proposals=[vote]), lambda at: at + 50)
    assert shown.until == 150


def test_a_vote_about_another_position_is_none():
    vote = proposal("undo", seated(2))
    assert not votes.is_moot(vote, 0, None, 100)
    assert votes.is_moot(vote, 1, None, 100)
    standin = proposal("standin", seated(3), "p2")
    assert not votes.is_moot(standin, 0, 100, 100)
    assert votes.is_moot(standin, 0, None, 100), "he is back"
    assert votes.is_moot(standin, 0, 101, 100), "he was back, and has left again"
    assert not votes.is_moot(proposal("end", seated(3)), 1, None, 100)


def test_how_long_a_seat_is_kept():
    assert seated(2).absence() == 86_400
    assert seated(2, clock=Clock(bank=60)).absence() == 300
    assert seated(2, clock=Clock(bank=1800)).absence() == 1800
    assert seated(2, clock=Clock(bank=2_592_000)).absence() == 604_800
    assert seated(2, clock=Clock(bank=60), absence=120).absence() == 120


def sit_down(first: Client, *others: Client, **options: Any) -> tuple[str, list[Socket]]:
    """A running game of these people, all at the table."""
    table = first.table("me", *["open"] * len(others), start=False, **options)
    for seat, one in zip(table["seats"][1:], others, strict=True):
        one.post(seat["invite"].replace("/i/", "/api/invites/"))
    first.post(f"/api/games/{table['id']}/start")
    sockets = [one.socket(table["id"]) for one in (first, *others)]
    for socket in sockets:
        socket.receive()
    return str(table["id"]), sockets


DUEL = {"setup": {"duel": "neutral"}}


def test_a_duel_waits_for_the_deadline(client, other):
    game, (mine, theirs) = sit_down(client, other, absence=1.5, **DUEL)
    assert mine.table["absence"] == 1.5, "shown from the start"
    mine.act("end")
    theirs.close()
    refused = mine.ask("propose", kind="standin", seat="p2")
    assert refused["code"] == "keeps_seat"
    assert mine.ask("propose", kind="standin", seat="p1")["code"] == "keeps_seat"
    mine.wait_for(lambda s: s.table["seats"][1]["away"] is not None)
    refused = mine.ask("propose", kind="standin", seat="p2")
    assert refused["code"] == "keeps_seat"
    assert refused["detail"]["deadline"] == mine.table["seats"][1]["deadline"]
    deadline_is_past(mine, "p2")
    assert mine.ask("propose", kind="standin", seat="p2")["type"] == "ack"
    mine.wait_for(lambda s: s.table["seats"][1]["standin"] == "greedy")
    # He comes back: nothing is asked of him, and he takes the seat back with one word.
    back = other.socket(game)
    back.receive()
    assert back.position["legal"] is None
    assert back.position["undo"]["reason"] == "standin"
    assert back.ask("return")["type"] == "ack"
    back.wait_for(lambda s: s.table["seats"][1]["standin"] is None)
    kinds = [e["kind"] for e in other.get(f"/api/games/{game}/state")["log"]]
    assert kinds.count("standin") == kinds.count("return") == 1


def test_one_who_polls_is_there(client, other):
    game, (mine, theirs) = sit_down(client, other, absence=0.5, **DUEL)
    mine.act("end")
    theirs.close()
    done = threading.Event()

    def poll():
        while not done.is_set():
            with contextlib.suppress(Exception):
                other.http.get(f"/api/games/{game}/state", params={"after": 1, "wait": 0.3})

    polling = threading.Thread(target=poll)
    polling.start()
    try:
        mine.wait_for(lambda s: not s.table["seats"][1]["present"])
        mine.wait_for(lambda s: s.table["seats"][1]["present"])
        for _ in range(20):
            refused = mine.ask("propose", kind="standin", seat="p2")
            assert refused["code"] == "keeps_seat"
            assert mine.table["seats"][1]["deadline"] is None
            done.wait(0.1)
    finally:
        done.set()
        polling.join()
    deadline_is_past(mine, "p2")


async def two_who_are_gone(hub: Hub, person: Person) -> Table:
    """A game that has begun, of two people who are not at its table."""
    other, _ = await hub.accounts.guest("Bertram")
    table = await hub.lobby.create(person, wish("me", "open", order="fixed"))
    await hub.lobby.join(table, other, None, None)
    await hub.lobby.start(table, person)
    return table


def test_who_comes_and_goes_puts_off_nobodys_deadline(tmp_path):
    """A stranger who looked in every few seconds kept everybody's absence from being noted."""

    async def work(hub, person):
        table = await two_who_are_gone(hub, person)
        for _ in range(1200):
            hub.absence.consider(table)
            if all(seat.away is not None for seat in table.meta.seats):
                break
            await asyncio.sleep(0.05)
        assert table.deadline(str(table.decider)) is not None

    in_hub(tmp_path, work, away_after=1.0)


def test_a_store_that_is_away_is_not_asked_for_every_table_all_the_time(tmp_path):
    """Who is away is noted by the next try, not by five in a second."""

    async def work(hub, person):
        table = await two_who_are_gone(hub, person)
        hub.absence._gone[table]["p1"] -= 3600
        hub.store.write = AsyncMock(side_effect=TableError("busy", "It does not answer."))
        await hub.absence._look(table)
        hub.store.write.assert_awaited_once()
        assert table.absence_timer is not None
        assert table.absence_timer.when() > asyncio.get_running_loop().time() + 1800
        del hub.store.write

    in_hub(tmp_path, work, rounds=False, away_after=3600.0)


def is_gone(known: weakref.ref[Table]) -> bool:
    gc.unfreeze()
    gc.collect()
    return known() is None


def test_a_table_that_is_let_go_leaves_nothing_behind(tmp_path):
    """While a vote is open for a day each time it was opened again it stayed in memory once more."""

    async def work(hub, person):
        table = await two_who_are_gone(hub, person)
        await hub.voting.propose(table, person, "end")
        for _ in range(3):
            known = weakref.ref(table)
            hub.hall.forget(table)
            table = await hub.opened(table.id)
            await until(partial(is_gone, known))

    in_hub(tmp_path, work, rounds=False, away_after=3600.0)


def test_who_loads_the_page_again_is_not_away_because_another_is(tmp_path):
    async def work(hub, person):
        table = await two_who_are_gone(hub, person)
        hub.absence._gone[table]["p1"] -= 3600
        hub.absence.consider(table)
        await until(lambda: table.meta.seats[0].away is not None)
        assert table.meta.seats[1].away is None

    in_hub(tmp_path, work, away_after=3600.0)


def test_who_is_banned_holds_no_seat_by_polling(tmp_path):
    """He can decide nothing, and the others could never go on."""

    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "me", "me", start=True))
        with hub.absence.asking(table, person, "198.51.100.1"):
            assert table.present() == {person.id}
        banned = replace(person, id="banned", banned=now_ms() + 1_000_000)
        table.meta.seats[1].person = banned.id
        with hub.absence.asking(table, banned, "198.51.100.1"):
            assert table.present() == {person.id}

    in_hub(tmp_path, work)


def test_three_people_need_the_second_yes(client, other, server):
    with server.client("Katrijn") as third:
        _, (mine, theirs, hers) = sit_down(client, other, third, absence=1)
        mine.act("end")
        theirs.close()
        deadline_is_past(mine, "p2")
        assert mine.ask("propose", kind="standin", seat="p2")["type"] == "ack"
        hers.wait_for(lambda s: s.table["proposals"])
        asked = hers.table["proposals"][0]
        assert asked["waiting"] == ["p3"]
        assert hers.table["seats"][1]["standin"] is None
        hers.ask("vote", proposal=asked["id"], yes=False)
        mine.wait_for(lambda s: s.entries and s.entries[-1]["kind"] == "refused")
        assert (mine.entries[-1]["player"], mine.entries[-1]["text"]) == ("p3", "standin")
        assert mine.ask("propose", kind="standin", seat="p2")["type"] == "ack"
        hers.wait_for(lambda s: s.table["proposals"])
        hers.ask("vote", proposal=hers.table["proposals"][0]["id"], yes=True)
        hers.wait_for(lambda s: s.table["seats"][1]["standin"] == "greedy")


def test_who_is_back_keeps_his_seat_whatever_was_asked(tmp_path):
    async def work(hub, person):
        table = await hub.lobby.create(person, wish("me", "open", "open", order="fixed"))
        second, _ = await hub.accounts.guest("Bertram")
        third, _ = await hub.accounts.guest("Katrijn")
        for other in (second, third):
            await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        table.meta.started = table.meta.seats[0].away = now_ms() - 1000 * 86_400
        await hub.voting.propose(table, third, "standin", seat="p1")
        assert [p.waiting for p in table.meta.proposals] == [["p2"]]
        with hub.absence.asking(table, person, "198.51.100.1"):
            # With him the question is gone: nobody has to answer it, and nobody can.
            for _ in range(600):
                if not table.meta.proposals:
                    break
                await asyncio.sleep(0.1)
        assert table.meta.proposals == []
        assert (table.meta.seats[0].away, table.meta.seats[0].standin) == (None, None)
        assert table.revision == 0, "nobody was silent, nobody refused"

    in_hub(tmp_path, work)


@pytest.mark.parametrize("refusals", [0, 8])
def test_who_gets_the_decision_back_has_the_whole_time(tmp_path, refusals):
    """Whoever had asked for it and left lost his seat at once if the others agreed at the last moment."""

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", "me", order="fixed"))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        await hub.decisions.act(table, person, "end", 0)
        await hub.decisions.act(table, other, "place t groningen-emden/1", 1)
        await hub.decisions.act(table, other, "end", 2)
        await hub.store.write(
            lambda connection: connection.execute(
                entries.update().values(at=entries.c.at - 2 * 86_400_000)
            )
        )
        hub.hall.forget(table)
        table = await hub.hall.open(table.id)
        await hub.voting.propose(table, other, "undo", to=2)
        table.meta.seats[1].away = now_ms() - 86_300_000
        began = now_ms()
        await hub.voting.answer(table, person, table.meta.proposals[0].id, yes=True)
        for _ in range(refusals):  # lines of the log that leave the position as it is
            await hub.voting.propose(table, person, "end")
            await hub.voting.answer(table, other, table.meta.proposals[0].id, yes=False)
        assert table.decider == "p2"
        kept, turn = table.deadline("p2"), table.passed_on(other.id)
        assert kept >= began + 86_400_000
        assert turn >= began
        hub.hall.forget(table)
        table = await hub.hall.open(table.id)
        assert (table.deadline("p2"), table.passed_on(other.id)) == (kept, turn)
        # What he takes back himself was his all the time.
        await hub.decisions.undo(table, other, 2, 1)
        assert table.passed_on(other.id) < began

    in_hub(tmp_path, work)


def test_a_decision_ends_the_question_for_a_stand_in(client, other, server):
    """Also one that came over HTTP, from somebody who is nowhere to be seen."""
    with server.client("Katrijn") as third:
        game, (mine, theirs, hers) = sit_down(client, other, third, absence=1.5)
        mine.act("end")
        theirs.close()
        deadline_is_past(mine, "p2")
        mine.ask("propose", kind="standin", seat="p2")
        hers.wait_for(lambda s: s.table["proposals"])
        asked = hers.table["proposals"][0]["id"]
        other.post(f"/api/games/{game}/act", {"number": 1, "decision": "end"})
        assert hers.ask("vote", proposal=asked, yes=True)["code"] == "no_such_proposal"


def test_a_yes_to_one_question_is_none_to_the_next(client, other):
    """Who asks can take it back and ask for something else while somebody is about to answer."""
    _, (mine, theirs) = sit_down(client, other, **DUEL)
    mine.act("end")
    asked = []
    for question in ({"kind": "undo", "to": 0}, {"kind": "end"}, {"kind": "undo", "to": 0}):
        mine.ask("propose", **question)
        theirs.wait_for(lambda s: s.table["proposals"])
        asked.append(theirs.table["proposals"][0]["id"])
        mine.ask("vote", proposal=asked[-1], yes=False)
        theirs.wait_for(lambda s: not s.table["proposals"])
    assert len(set(asked)) == 3
    mine.ask("propose", kind="end")
    assert theirs.ask("vote", proposal=asked[0], yes=True)["code"] == "no_such_proposal"


def test_who_asks_does_not_choose_the_machine(client, other):
    game, (mine, theirs) = sit_down(client, other, absence=0.5, **DUEL)
    mine.act("end")
    theirs.close()
    deadline_is_past(mine, "p2")
    assert mine.ask("propose", kind="standin", seat="p2", bot="random")["type"] == "ack"
    assert client.get(f"/api/games/{game}")["seats"][1]["standin"] == "greedy"


def test_nobody_votes_himself_out_of_a_rated_game(client):
    """Machines agree to everything: whoever is about to lose would only have to ask them."""
    account = f"rated_{client.get('/api/me')['person']['id'][:8].lower()}"
    client.post("/api/account", {"account": account, "password": "long enough"})
    table = client.table("me", "greedy", rated=True, **DUEL)
    mine = client.socket(table["id"])
    mine.receive()
    mine.act("end")
    mine.wait_for(lambda s: s.position["legal"] is not None)
    assert mine.position["undo"]["ask"] is None, "nothing is offered that would be refused"
    assert mine.ask("propose", kind="undo", to=0)["code"] == "not_allowed"
    assert mine.ask("undo", number=mine.position["number"], to=0, ask=True)["code"] == "not_allowed"
    assert mine.ask("propose", kind="end")["code"] == "not_allowed"
    assert mine.ask("concede")["type"] == "ack"
    (gained,) = client.get(f"/api/games/{table['id']}/ratings")["changes"]
    assert gained["gain"] < 0


def test_the_end_is_never_one_persons_word(client, other):
    game, (mine, theirs) = sit_down(client, other, absence=1, **DUEL)
    theirs.close()
    mine.ask("propose", kind="end")
    mine.wait_for(lambda s: s.entries and s.entries[-1]["kind"] == "lapsed")
    assert mine.entries[-1]["text"] == "end"
    assert mine.table["status"] == "running"
    assert client.http.get(f"/api/games/{game}/record").json()["code"] == "not_over"
    # Once a machine plays for him he has the time of one more vote to object.
    mine.act("end")
    deadline_is_past(mine, "p2")
    mine.ask("propose", kind="standin", seat="p2")
    mine.wait_for(lambda s: s.table["seats"][1]["standin"] and s.position["player"] == "p1")
    mine.ask("propose", kind="end")
    mine.wait_for(lambda s: s.table["proposals"])
    assert mine.table["proposals"][0]["waiting"] == ["p2"]
    mine.wait_for(lambda s: s.table["status"] == "over")
    assert mine.table["result"]["reason"] == "agreed"


def test_nobody_goes_back_behind_what_was_shown(client, other):
    _, (mine, theirs) = sit_down(client, other, **DUEL)
    adviser = create_bot("greedy")
    sockets = {"p1": mine, "p2": theirs}
    for _ in range(2000):
        deciding = sockets[mine.position["player"]]
        deciding.wait_for(lambda s: s.position["legal"] is not None)
        legal = [hansa.Action(text) for text in deciding.position["legal"]]
        best = adviser.choose(deciding.position["view"], legal)
        assert deciding.act(str(best))["type"] == "ack"
        reached = deciding.position["revision"]
        for socket in sockets.values():
            socket.wait_for(lambda s, reached=reached: s.position["revision"] == reached)
        if any(e["text"].startswith("lay ") for e in mine.entries[-1:]):
            break
    shown = mine.position["number"]
    asking = sockets[mine.entries[-1]["player"]]
    assert asking.position["undo"]["ask"] is None, "nothing is offered that would be refused"
    refused = asking.ask("undo", number=shown, to=shown - 1, ask=True)
    assert refused["code"] == "undo_shown"
    assert asking.ask("propose", kind="undo", to=0)["code"] == "undo_shown"
    # What came after it can be asked for, and says how far back it goes.
    other_one = sockets[mine.position["player"]]
    other_one.wait_for(lambda s: s.position["legal"] is not None)
    other_one.act("end")
    number = other_one.position["number"]
    if other_one.position["player"] != other_one.position["seat"]:
        assert other_one.position["undo"]["ask"] == number - 1
        assert other_one.ask("undo", number=number, to=number - 1, ask=True)["type"] == "ack"


def test_what_was_asked_stays_in_the_log(client, other):
    game, (mine, theirs) = sit_down(client, other, **DUEL)
    mine.act("end")
    assert mine.position["undo"] == {"free": False, "to": None, "reason": "other_player", "ask": 0}
    for yes in (False, True):
        theirs.wait_for(lambda s: not s.table["proposals"])
        mine.ask("undo", number=1, to=0, ask=True)
        theirs.wait_for(lambda s: s.table["proposals"])
        theirs.ask("vote", proposal=theirs.table["proposals"][0]["id"], yes=yes)
    mine.wait_for(lambda s: s.position["number"] == 0)
    fresh = other.socket(game).receive()
    assert [(e["kind"], e["player"]) for e in fresh["log"]] == [("refused", "p2"), ("undo", "p1")]
    mine.act("end")
    log = client.get(f"/api/games/{game}/log")["log"]
    assert [e["kind"] for e in log] == ["refused", "undo", "decision"]
    assert client.get(f"/api/games/{game}/log", to=0)["log"] == log[:2]


def test_a_decision_of_another_process_ends_an_undo_that_it_has_not_heard_of(tmp_path):
    """It may have shown something: nobody goes back behind it, whoever says yes."""

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", "me", order="fixed"))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        await hub.decisions.act(table, person, "end", 0)
        await hub.voting.propose(table, person, "undo", to=0)
        asked = table.meta.proposals
        table.meta.proposals = []
        await hub.decisions.act(table, other, "end", 1)
        table.meta.proposals = asked
        await hub.voting.answer(table, other, asked[0].id, yes=True)
        assert table.number == 2
        assert table.meta.proposals == []

    in_hub(tmp_path, work)


def test_a_rematch_is_everybodys_wish(client, other):
    game, (mine, theirs) = sit_down(client, other, clock={"bank": 600}, **DUEL)
    assert mine.ask("propose", kind="rematch")["code"] == "not_over"
    theirs.ask("concede")
    mine.wait_for(lambda s: s.table["status"] == "over")
    theirs.close()
    assert client.post(f"/api/games/{game}/rematch")["id"] == game, "the other has not agreed"
    assert client.get("/api/games", mine="true", status="running")["games"] == []
    mine.wait_for(lambda s: s.table["proposals"])
    asked = mine.table["proposals"][0]
    assert (asked["kind"], asked["by"], asked["waiting"]) == ("rematch", "p1", ["p2"])
    assert mine.ask("propose", kind="rematch")["code"] == "proposal_open"
    back = other.socket(game)
    back.receive()
    assert back.ask("vote", proposal=asked["id"], yes=True)["type"] == "ack"
    mine.wait_for(lambda s: s.table["rematch"])
    again = client.get(f"/api/games/{mine.table['rematch']}")
    assert again["status"] == "running"
    assert [s["name"] for s in again["seats"]] == ["Bertram", "Alheyd"], "the start moves on"
    assert {s["remaining"] for s in again["seats"]} == {600_000}
    assert mine.table["proposals"] == []
    assert client.post(f"/api/games/{game}/rematch")["id"] == again["id"]


@pytest.mark.parametrize(
    ("options", "begins"),
    [
        ({"clock": {"bank": 600}}, False),
        ({"absence": 60}, False),
        ({"clock": {"bank": 86_400}}, True),
        ({}, True),
    ],
)
def test_a_rematch_begins_for_nobody_who_has_gone(client, other, options, begins):
    """His yes was given hours ago: the clock, or the time he keeps his seat for, would run at once."""
    game, (mine, theirs) = sit_down(client, other, **options, **DUEL)
    theirs.ask("concede")
    mine.wait_for(lambda s: s.table["status"] == "over")
    assert theirs.ask("propose", kind="rematch")["type"] == "ack"
    theirs.close()
    mine.wait_for(lambda s: not s.table["seats"][1]["present"] and s.table["proposals"])
    assert mine.ask("vote", proposal=mine.table["proposals"][0]["id"], yes=True)["type"] == "ack"
    if begins:
        mine.wait_for(lambda s: s.table["rematch"])
        return
    mine.wait_for(lambda s: s.table["proposals"][0]["waiting"] == ["p2"])
    assert mine.table["proposals"][0]["yes"] == ["p1"]
    assert client.get("/api/games", mine="true", status="running")["games"] == []
    # Back at the table he says it once more; who has just answered need not have a socket.
    assert other.post(f"/api/games/{game}/rematch")["id"] != game
    mine.wait_for(lambda s: s.table["rematch"])


def test_who_gives_up_ends_the_votes_that_ask_him(tmp_path):
    """Of a rated game one person alone would decide: for him a machine plays, and silence is yes."""

    async def work(hub, person):
        person = await hub.accounts.register(person, "alheyd", "long enough")
        guest, _ = await hub.accounts.guest("Bertram")
        other = await hub.accounts.register(guest, "bertram", "long enough")
        clock = Clock(bank=600, consequence="lose")
        options = {"rated": True, "clock": clock, "order": "fixed"}
        table = await hub.lobby.create(person, wish("me", "open", "greedy", **options))
        await hub.lobby.join(table, other, None, None)
        await hub.lobby.start(table, person)
        await hub.decisions.act(table, person, "end", 0)
        table.meta.seats[1].away = now_ms() - 2_000_000
        await hub.voting.propose(table, person, "end")
        assert table.meta.proposals[0].waiting == ["p2"]
        table.clocks = {**table.clocks, "p2": 0}
        await hub.manners.time_is_up(table, "p2")
        assert table.meta.seats[1].conceded
        for asked in table.meta.proposals:
            asked.until -= 700_000
        await hub.voting.look(table)
        assert table.meta.status == "running"
        assert table.meta.proposals == []

    in_hub(tmp_path, work)


def test_a_question_is_taken_back_by_whoever_asked(client, other):
    _, (mine, theirs) = sit_down(client, other, **DUEL)
    mine.ask("propose", kind="end")
    theirs.wait_for(lambda s: s.table["proposals"])
    asked = theirs.table["proposals"][0]["id"]
    rows = other.get("/api/games", mine="true")["games"]
    assert [p["id"] for p in rows[0]["asks"]] == [asked]
    assert client.get("/api/games", mine="true")["games"][0]["asks"] == []
    assert mine.ask("vote", proposal=asked, yes=True)["code"] == "not_allowed"
    assert mine.ask("vote", proposal=asked, yes=False)["type"] == "ack"
    theirs.wait_for(lambda s: not s.table["proposals"])
    assert theirs.ask("vote", proposal=asked, yes=True)["code"] == "no_such_proposal"


def test_a_yes_can_become_a_no_while_others_have_not_answered(client, other, server):
    """The game goes on meanwhile: nobody is held to what he said when he was losing."""
    with server.client("Katrijn") as third:
        game, (mine, theirs, hers) = sit_down(client, other, third)
        mine.ask("propose", kind="end")
        theirs.wait_for(lambda s: s.table["proposals"])
        asked = theirs.table["proposals"][0]["id"]
        assert theirs.ask("vote", proposal=asked, yes=True)["type"] == "ack"
        assert theirs.ask("vote", proposal=asked, yes=True)["code"] == "not_allowed"
        assert theirs.ask("vote", proposal=asked, yes=False)["type"] == "ack"
        assert hers.ask("vote", proposal=asked, yes=True)["code"] == "no_such_proposal"
        log = client.get(f"/api/games/{game}/log")["log"]
        assert [(e["kind"], e["player"]) for e in log] == [("refused", "p2")]


def test_a_rematch_refused(client, other):
    game, (mine, theirs) = sit_down(client, other, **DUEL)
    theirs.ask("concede")
    mine.wait_for(lambda s: s.table["status"] == "over")
    mine.ask("propose", kind="rematch")
    theirs.wait_for(lambda s: s.table["proposals"])
    theirs.ask("vote", proposal=theirs.table["proposals"][0]["id"], yes=False)
    mine.wait_for(lambda s: s.entries[-1]["kind"] == "refused")
    mine.wait_for(lambda s: not s.table["proposals"])
    assert client.get(f"/api/games/{game}")["rematch"] is None


def test_a_restart_gives_no_seat_away(tmp_path):
    server = Server(tmp_path).start()
    with server.client("Alheyd") as one, server.client("Bertram") as two:
        game, (mine, theirs) = sit_down(one, two, absence=60, **DUEL)
        mine.act("end")
        theirs.close()
        mine.wait_for(lambda s: s.table["seats"][1]["away"] is not None)
        left = mine.table["seats"][1]["away"]
        cookies = one.http.cookies
    server.kill()
    server.start()
    with server.client() as again:
        again.http.cookies.update(cookies)
        mine = again.socket(game)
        mine.receive()
        assert mine.table["seats"][1]["away"] == left
        assert mine.ask("propose", kind="standin", seat="p2")["code"] == "keeps_seat"
    assert server.stop() == 0


def test_a_bank_that_ran_out_is_not_empty_for_who_comes_back(client, other):
    clock = {"bank": 1, "increment": 0, "consequence": "bot"}
    _, (mine, _theirs) = sit_down(client, other, clock=clock, **DUEL)
    mine.wait_for(lambda s: s.table["seats"][0]["standin"] is not None)
    while (answer := mine.ask("return"))["type"] == "error":
        assert answer["code"] == "time_was_up", "the machine finishes the turn first"
    mine.wait_for(lambda s: s.table["seats"][0]["standin"] is None)
    assert mine.table["seats"][0]["remaining"] == 1000


def test_nobody_thinks_for_ever_by_coming_back(client, other):
    """Whoever took his seat back from the machine at once had another minute, again and again."""
    clock = {"bank": 1, "increment": 0, "consequence": "bot"}
    _, (mine, _theirs) = sit_down(client, other, clock=clock, bot_delay=10, **DUEL)
    mine.wait_for(lambda s: s.table["seats"][0]["standin"] is not None)
    assert mine.position["player"] == "p1"
    assert mine.ask("return")["code"] == "time_was_up"


def test_the_duel_played_to_its_end_still_ends(client):
    """The rules of votes leave a game among one person's own seats alone."""
    table = client.table("me", "me", **DUEL)
    socket = client.socket(table["id"])
    socket.receive()
    play_on(socket, random.Random(3), until=lambda s: s.position["number"] > 20)
    assert socket.ask("propose", kind="end")["type"] == "ack"
    socket.wait_for(lambda s: s.table["status"] == "over")


async def asked_to_play_again(hub: Any, person: Any) -> tuple[Any, Any]:
    """A table at which somebody asks for a rematch, and the one who has to answer."""
    other, _ = await hub.accounts.guest("Bertram")
    table = await hub.lobby.create(person, wish("me", "open", order="fixed"))
    await hub.lobby.join(table, other, None, None)
    await hub.lobby.start(table, person)
    await hub.manners.concede(table, other, None)
    await hub.voting.propose(table, person, "rematch")
    return table, other


@pytest.mark.parametrize("failing", ["add", "start", "change"])
def test_a_rematch_that_all_want_is_made_once_the_store_answers_again(
    tmp_path, monkeypatch, failing
):
    """Their yes was stored, the new table was not, or only its link: nobody could ask or agree any more,
    or a second game of the same people was begun.
    """
    monkeypatch.setattr(absence, "_UNMADE", 0.2)

    async def work(hub, person):
        table, other = await asked_to_play_again(hub, person)
        owner = hub.hall if failing == "change" else hub.lobby
        does = getattr(owner, failing)

        async def fails_once(*given: Any, **more: Any) -> Any:
            if failing == "change" and given[0] is not table:
                return await does(*given, **more)
            setattr(owner, failing, does)
            raise TableError("busy", "Away.")

        setattr(owner, failing, fails_once)
        with pytest.raises(TableError, match="Away"):
            await hub.voting.answer(table, other, table.meta.proposals[0].id, yes=True)
        await until(lambda: table.meta.rematch is not None)
        assert table.meta.proposals == []
        found = await hub.store.read(
            lambda connection: connection.execute(sa.select(games.c.id, games.c.status)).all()
        )
        assert sorted(map(tuple, found)) == sorted(
            [(table.id, "over"), (table.meta.rematch, "running")]
        )

    in_hub(tmp_path, work)


@pytest.mark.parametrize("by_host", [True, False])
def test_a_webhook_follows_its_own_host_into_the_rematch(tmp_path, by_host):
    """With another host it was called on, and whose it was could not end it."""

    async def work(hub, person):
        other, _ = await hub.accounts.guest("Bertram")
        table = await hub.lobby.create(person, wish("me", "open", order="fixed"))
        await hub.lobby.join(table, other, None, None)
        table.meta.options.hook = Hook(service="slack", secret="T/B/x")
        asks, agrees = (person, other) if by_host else (other, person)
        await hub.lobby.start(table, person)
        await hub.manners.concede(table, other, None)
        await hub.voting.play_again(table, asks)
        again = await hub.voting.play_again(table, agrees)
        assert again.meta.host == asks.id
        assert (again.meta.options.hook is not None) == by_host

    in_hub(tmp_path, work)


def test_a_rematch_that_cannot_be_made_is_not_tried_for_ever(tmp_path, monkeypatch):
    """Of a board that is no more: each try was a commit, and the table never left the memory."""

    async def work(hub, person):
        table, other = await asked_to_play_again(hub, person)
        gone = TableError("invalid_setup", "There is no such board.")
        monkeypatch.setattr(referee, "check_setup", Mock(side_effect=gone))
        with pytest.raises(TableError, match="no such board"):
            await hub.voting.answer(table, other, table.meta.proposals[0].id, yes=True)
        assert table.meta.proposals == []

    in_hub(tmp_path, work)
