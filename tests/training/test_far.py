"""Games on many machines: tasks and results travel, files come here, and nothing is played twice."""

from __future__ import annotations

import pickle
import time
from types import SimpleNamespace

import pytest

pytest.importorskip("numba")

from training.selfplay import Shard
from training.tables import Searcher

from hansa.arena import cluster
from hansa.bots import compiling
from training import far, selfplay, tables


class Cluster:
    """Stands in for Ray: works at once, on copies of what it is given."""

    exceptions = SimpleNamespace(RayError=RuntimeError)

    def __init__(self) -> None:
        self.options: dict[str, object] = {}
        self.done: list[tuple[far.Task]] = []

    def is_initialized(self) -> bool:
        return bool(self.options)

    def init(self, **options) -> None:
        self.options = options

    def shutdown(self) -> None:
        self.options = {}

    def cluster_resources(self) -> dict[str, int]:
        return {"CPU": 1}

    def remote(self, **_):
        def bound(work):
            def submit(*given):
                arrived = pickle.loads(pickle.dumps(given))
                self.done.append(arrived)
                return pickle.dumps(work(*arrived))

            return SimpleNamespace(remote=submit)

        return bound

    def wait(self, references):
        return references[:1], references[1:]

    def get(self, reference):
        return pickle.loads(reference)


@pytest.fixture
def ray(monkeypatch):
    one = Cluster()
    monkeypatch.setattr(cluster, "import_module", lambda _: one)
    return one


@pytest.fixture
def quick(monkeypatch):
    """Games cost nothing; what they would be played with is told."""
    told = []

    def play_shard(first, how, until):
        told.append((first, how.weights and how.weights.read_text("utf-8")))
        if len(told) == 3:
            monkeypatch.setattr(time, "time", lambda: until + 1)
        return SimpleNamespace(results=[1] * selfplay.PER_SHARD, packed=lambda: b"%d" % first)

    monkeypatch.setattr(selfplay, "play_shard", play_shard)
    monkeypatch.setattr(compiling, "prepare", bool)
    monkeypatch.setattr(tables, "kernels", dict)
    return told


def test_files_come_from_everywhere_and_what_is_there_is_kept(tmp_path, ray, quick):
    weights = tmp_path / "weights.json"
    weights.write_text("networks", "utf-8")
    there = selfplay.path_of(tmp_path, 500, 1)
    there.write_bytes(b"kept")
    ways = [Searcher(None), Searcher(weights)]
    games = far.generate(tmp_path, ways, 500, 1000.0, "local", 2)
    assert quick == [(500, None), (520, None), (530, "networks")]
    assert games == 30
    assert there.read_bytes() == b"kept"
    assert {path.name: path.read_bytes() for path in selfplay.shards([tmp_path])} == {
        "0000000500.npz": b"500",
        "0000000510.npz": b"kept",
        "0000000520.npz": b"520",
        "0000000530.npz": b"530",
    }
    assert all(task.how.weights is None for (task,) in ray.done)
    assert not ray.is_initialized()


def test_a_task_that_comes_too_late_is_left(ray, quick):
    assert far.play(far.Task(1, Searcher(), None, time.time() - 1)) is None
    assert quick == []


def test_without_ray_it_says_what_to_install(tmp_path, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(SystemExit, match=r"pip install 'hansa\[ray\]'"):
        far.generate(tmp_path, [Searcher()], 1, 5.0, "local", 1)


def test_half_a_file_is_none(tmp_path):
    path = selfplay.path_of(tmp_path, 0, 3)
    path.with_suffix(".part.npz").write_bytes(b"half")
    assert selfplay.shards([tmp_path]) == []
    shard = Shard()
    for _ in range(2):
        shard.states.append([1])
        shard.actions.append([4, 5])
        shard.visits.append([1, 2])
    # numpy joins lists of numbers as it joins arrays
    selfplay.save(path, shard.packed())
    assert selfplay.shards([tmp_path]) == [path]
