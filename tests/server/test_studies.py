"""Studies: kept, shared, changed by their owner, written as records and read back."""

from __future__ import annotations

from typing import Any

from tests.server.harness import Client
from tests.server.test_reviews import uploaded

import hansa


def node(parent: int, text: str, comment: str = "") -> dict[str, Any]:
    return {"parent": parent, "text": text, "comment": comment}


def wish(game: str, number: int = 0, **more: Any) -> dict[str, Any]:
    nodes = [
        node(-1, "place t groningen-emden/1", "solid"),
        node(0, "place t groningen-emden/2"),
        node(0, "income 1 0", "or so"),
        node(-1, "place m bremen-hamburg/1"),
    ]
    study = {"name": "Openings", "game": game, "number": number, "comment": "three ways"}
    return {**study, "nodes": nodes, **more}


def exported(client: Client, study: str) -> str:
    answer = client.http.get(f"/api/studies/{study}/record")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_study_is_kept_shared_and_changed_by_its_owner(sqlite_server):
    with sqlite_server.client("Alheyd") as client, sqlite_server.client("Bertram") as other:
        game = uploaded(client)["id"]
        made = client.post("/api/studies", wish(game), 201)
        assert made["yours"]
        assert made["nodes"] == wish(game)["nodes"]
        [row] = client.get("/api/studies")["studies"]
        assert (row["id"], row["name"], row["game"]) == (made["id"], "Openings", game)
        path = f"/api/studies/{made['id']}"
        seen = other.get(path)
        assert not seen["yours"]
        assert seen["nodes"] == made["nodes"]
        assert other.get("/api/studies")["studies"] == []
        for method in ("PUT", "DELETE"):
            body = wish(game) if method == "PUT" else None
            assert other.send(method, path, body, 403)["code"] == "not_allowed"
        fewer = wish(game, nodes=[node(-1, "end", "why not?")], name="Passing")
        assert client.send("PUT", path, fewer)["name"] == "Passing"
        assert client.get(path)["nodes"] == fewer["nodes"]
        client.send("DELETE", path)
        assert client.get(path, 404)["code"] == "not_found"


def test_only_what_can_be_played_is_kept(sqlite_server):
    with sqlite_server.client("Alheyd") as client:
        game = uploaded(client)["id"]
        twice = [node(-1, "place t groningen-emden/1"), node(0, "place t groningen-emden/1")]
        refused = client.post("/api/studies", wish(game, nodes=twice), 409)
        assert refused["code"] == "illegal_decision"
        assert "Decision 1" in refused["message"]
        for nodes in ([node(0, "end")], [node(-1, "end"), node(5, "end")]):
            assert (
                client.post("/api/studies", wish(game, nodes=nodes), 400)["code"] == "bad_request"
            )
        assert client.post("/api/studies", wish(game, 99), 400)["code"] == "bad_request"
        assert client.post("/api/studies", wish(game, name=" "), 400)["code"] == "bad_name"
        running = client.table("me", "random", "random")["id"]
        assert client.post("/api/studies", wish(running), 409)["code"] == "not_over"
        assert client.get("/api/studies")["studies"] == []


def test_a_study_is_written_as_a_record_and_read_back(sqlite_server):
    with sqlite_server.client("Alheyd") as client, sqlite_server.client("Bertram") as other:
        game = uploaded(client)["id"]
        made = client.post("/api/studies", wish(game), 201)
        record = exported(client, made["id"])
        read = hansa.Game.from_record(record)
        assert read.headers["Study"] == "Openings"
        assert read.comments[0] == ["three ways"]
        first, second = read.variations[0]
        assert [text for _, text in first.decisions] == [
            "place t groningen-emden/1",
            "place t groningen-emden/2",
        ]
        assert first.comments[1] == ["solid"]
        assert [text for _, text in first.variations[1][0].decisions] == ["income 1 0"]
        assert [text for _, text in second.decisions] == ["place m bremen-hamburg/1"]
        # Read back it is all of the game, and the variations beside it.
        back = other.post("/api/studies/records", {"record": record}, 201)
        assert back["yours"]
        assert back["name"] == "Openings"
        texts = [one["text"] for one in back["nodes"]]
        assert texts[: len(read.history)] == [str(action) for action in read.history]
        roots = [one["text"] for one in back["nodes"] if one["parent"] == -1]
        assert roots == [texts[0], "place t groningen-emden/1", "place m bremen-hamburg/1"]
        again = hansa.Game.from_record(exported(other, back["id"]))
        assert again.history == read.history
        assert again.variations == read.variations
        assert again.comments == read.comments
        broken = other.post("/api/studies/records", {"record": "no record"}, 400)
        assert broken["code"] == "invalid_record"


def test_a_study_of_the_end_goes_on_from_it(sqlite_server):
    with sqlite_server.client("Alheyd") as client:
        table = uploaded(client)
        last = table["number"]
        start = client.post(f"/api/games/{table['id']}/line", {"number": last, "decisions": []})
        one, other = start["position"]["legal"][0], start["position"]["legal"][-1]
        nodes = [node(-1, one, "so"), node(-1, other)]
        made = client.post("/api/studies", wish(table["id"], last, nodes=nodes), 201)
        read = hansa.Game.from_record(exported(client, made["id"]))
        assert str(read.history[-1]) == one
        assert read.comments[last + 1] == ["so"]
        assert [line.decisions[0][1] for line in read.variations[last]] == [other]
