"""What a vote may do: the one place that says who is asked and when it is carried out.

`hansa.server.voting` asks, counts and carries out by these rules; the table of docs/protocol.md is
written from `VOTES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from hansa.server.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from hansa.server.model import Meta, Seat
    from hansa.server.wire.table import Clock, Proposal, ProposalKind

__all__ = [
    "VOTES",
    "Verdict",
    "Vote",
    "absence",
    "asked",
    "asked_again",
    "asked_at",
    "check_away",
    "deadline",
    "is_moot",
    "lacks_company",
    "outlasting",
    "put_off",
    "surviving",
    "untouched",
    "verdict",
]

Verdict = Literal["open", "passed", "lapsed"]

#: Seconds: how long somebody who is away keeps his seat where no clock tells.
_WITHOUT_CLOCK = 86_400.0
_LEAST, _MOST = 300.0, 604_800.0
#: What is asked for only as the game stands: a further decision ends it.
_ABOUT_A_POSITION = {"undo", "standin"}


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """What one kind of vote may do."""

    does: str
    #: What must hold before it may be asked for.
    when: str
    #: Who has to say yes, beside the one who asks.
    asked: str
    #: What it means that somebody has not answered when the time is up.
    silence: str


_EVERYBODY = "every other person who has not given up, also whoever is away or played for"
_COMPANY = "; at a rated table only while there is somebody to ask"

VOTES: dict[ProposalKind, Vote] = {
    "undo": Vote(
        does="takes back to the number named",
        when="the game runs, and nothing hidden has been shown to anybody since that number"
        + _COMPANY,
        asked=_EVERYBODY,
        silence="no",
    ),
    "standin": Vote(
        does="lets the server's bot (the one that also plays for whoever gives up) decide for a "
        "seat until its person takes it back",
        when="it is that person's decision, and he has been away since then for the table's "
        "`absence`: its time is shown as `seats[].deadline`",
        asked="every other person but the absent one; where nobody is left to ask, as in a duel, "
        "the deadline alone decides",
        silence="no; of somebody who has been away ever since it was asked: yes",
    ),
    "end": Vote(
        does="ends the game without a winner, and shows everything",
        when="the game runs" + _COMPANY,
        asked=_EVERYBODY,
        silence="no; of somebody who has been away ever since, and for whom a bot plays: yes",
    ),
    "rematch": Vote(
        does="begins the same game once more, at a table of its own",
        when="the game is over",
        asked="every other person who sat there; whoever agreed and has left is asked again where "
        "a bank, or the table's `absence`, is shorter than a day; the new game, and its clocks, "
        "begin with the last yes",
        silence="no",
    ),
}


def absence(clock: Clock | None) -> float:
    """Seconds that somebody who is away keeps his seat, if the host chose nothing else.

    As long as he could think at most, within reason.
    """
    return _WITHOUT_CLOCK if clock is None else min(_MOST, max(_LEAST, clock.bank))


def asked(meta: Meta, kind: ProposalKind, person: str | None, seat: str | None) -> list[str]:
    """The seats that must answer; a bot of its own right agrees to everything."""
    absent = meta.seat(seat or "") if kind == "standin" else None
    unasked = {person, absent.person if absent is not None else person}
    return [
        s.seat
        for s in meta.seats
        # Who gave up has no say in how the game goes on, but may want to play again.
        if s.kind == "human" and s.person not in unasked and (kind == "rematch" or not s.conceded)
    ]


def lacks_company(meta: Meta, kind: ProposalKind, waiting: list[str]) -> bool:
    """Whether one person alone would decide about a result that counts.

    Machines agree to everything: nobody could lose to them.
    """
    return meta.options.rated and not waiting and kind in {"undo", "end"}


def outlasting(proposals: list[Proposal]) -> list[Proposal]:
    """The votes that stay open when the position changes: others were about the one before."""
    return [p for p in proposals if p.kind not in _ABOUT_A_POSITION]


def surviving(proposals: list[Proposal], seat: str) -> list[Proposal]:
    """The votes that stay open when somebody gives up: not his own, nor those that wait for him.

    A machine plays for him from then on, so his silence would be a yes: where he was the only one who
    was asked, one person alone would decide.
    """
    return [p for p in proposals if p.by != seat and seat not in p.waiting]


def untouched(meta: Meta, person: str) -> list[Proposal]:
    """The votes in which somebody has no part: what was said by one who is gone for good is no yes."""
    his = {seat.seat for seat in meta.seats if seat.person == person}
    return [p for p in meta.proposals if his.isdisjoint([*p.yes, *p.waiting])]


def asked_again(meta: Meta, proposal: Proposal, present: AbstractSet[str]) -> Proposal:
    """A vote to which all have said yes; of a rematch whoever has left since is asked once more.

    It begins with the last yes, and its clocks with it: whoever agreed and went away would lose on
    time, or his seat, without having been there. Those who play over days have a day to see it.
    """
    clock = meta.options.clock
    shortest = min(meta.absence(), meta.absence() if clock is None else clock.bank)
    if proposal.kind != "rematch" or shortest >= _WITHOUT_CLOCK:
        return proposal
    here = {s.seat for s in meta.seats if s.person in present}
    return msgspec.structs.replace(
        proposal,
        yes=[seat for seat in proposal.yes if seat in here],
        waiting=[seat for seat in proposal.yes if seat not in here],
    )


def is_moot(proposal: Proposal, number: int, due: int | None, now: int) -> bool:
    """Whether there is nothing left to vote about.

    `number` is that of the position now; `due` the deadline of the seat that a stand-in is asked
    for: None where he is back, or has decided.
    """
    if proposal.kind in _ABOUT_A_POSITION and proposal.number != number:
        # Another process decided in the same moment, without knowing of the vote.
        return True
    return proposal.kind == "standin" and (due is None or now < due)


def asked_at(meta: Meta, proposal: Proposal) -> int:
    """When a vote was asked for."""
    return proposal.until - round(meta.absence() * 1000)


def put_off(meta: Meta, moved: Callable[[int], int]) -> list[Proposal]:
    """The open votes, each until the moment at which silence counts.

    `moved` puts a moment later by the pauses since (`Pauses.moved`): while nobody could answer,
    nobody was silent.
    """
    return [
        msgspec.structs.replace(p, until=p.until + moved(at) - at)
        for p in meta.proposals
        for at in (asked_at(meta, p),)
    ]


def verdict(
    meta: Meta, proposal: Proposal, present: AbstractSet[str], now: int, *, paused: int = 0
) -> Verdict:
    """Where a vote stands: whoever says no ends it at once, and is not asked here.

    `paused` are the milliseconds since it was asked in which nobody could have answered.
    """
    if not proposal.waiting:
        return "passed"
    if now < proposal.until + paused:
        return "open"
    since = asked_at(meta, proposal)
    silent = [meta.seat(name) for name in proposal.waiting]
    agreed = all(
        s is not None and s.person not in present and _lets_decide(s, proposal.kind, since)
        for s in silent
    )
    return "passed" if agreed else "lapsed"


def _lets_decide(seat: Seat, kind: ProposalKind, since: int) -> bool:
    """Whether the silence of somebody who is not there, now that the time is up, counts as yes.

    Only if he has been away all the while, by what is stored: whoever was there and did not agree
    has not, and after a restart nobody is there at first.
    """
    if kind in {"undo", "rematch"} or seat.away is None or seat.away > since:
        return False
    return kind == "standin" or seat.standin is not None


def deadline(meta: Meta, seat: Seat, waiting_since: int) -> int | None:
    """From when on the others may ask for a stand-in of the one the table waits for."""
    if seat.away is None or seat.standin is not None or seat.conceded:
        return None
    return max(seat.away, waiting_since) + round(meta.absence() * 1000)


def check_away(meta: Meta, seat: Seat | None, at: int | None, now: int) -> None:
    """Raise unless that seat's person has been away for as long as the table grants.

    `at` is the seat's deadline; None: nobody waits for him, or he is there.
    """
    if seat is None or seat.kind != "human" or seat.standin or seat.conceded:
        raise TableError("bad_request", "A stand-in is for a seat that a person decides for.")
    if at is None or now < at:
        raise TableError(
            "keeps_seat",
            f"{seat.name} keeps the seat: a stand-in can be asked for when the table has waited "
            f"{meta.absence():g} seconds for somebody who is away.",
            deadline=at,
        )
