"""Games on a Ray cluster: the same tournament, or other work, on as many machines as there are."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Iterable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import hansa
from hansa.bots.match import Result, play_match
from hansa.bots.registry import is_search

from .pairing import Pairing
from .protocol import ArenaError, Results

__all__ = ["LOCAL", "play_on_ray", "spread"]

K = TypeVar("K")
LOCAL = "local"
"""The address of a cluster of this machine alone, for the length of one tournament."""
ANSWER = 5.0
"""Seconds in which somebody has to listen at an address; Ray itself would try for minutes."""
RETRIES = 2
"""How often a game is played anew whose machine was lost."""


def play_on_ray(left: Sequence[Pairing], address: str, workers: int) -> Results:
    """The results of all games, each as soon as it is there."""
    jobs = ((pairing, (pairing.bots, pairing.setup, _version())) for pairing in left)
    return spread(_play, jobs, address, workers)


def spread(
    work: Callable[..., Any],
    jobs: Iterable[tuple[K, Sequence[Any]]],
    address: str,
    workers: int,
    modules: Sequence[str] = (),
) -> Generator[tuple[K, Any], None, None]:
    """Let the cluster do the work with the arguments of each job; results as soon as they are there.

    Jobs are asked for when there is room for them. A cluster in use stays as it is; otherwise
    folders of `modules` that are installed nowhere travel there.
    """
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        _connect(ray, address, workers, modules)
    try:
        yield from _flow(ray, work, jobs)
    finally:
        if is_ours:
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that we play
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise ArenaError("games on Ray need it: pip install 'hansa[ray]'") from None


def _connect(ray: Any, address: str, workers: int, modules: Sequence[str]) -> None:
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options |= {"num_cpus": workers, "include_dashboard": False}
    else:
        _knock(address)
    if modules:
        options["runtime_env"] = {"py_modules": list(modules)}
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise ArenaError(f"no Ray cluster at {address}: {error}") from None


def _knock(address: str) -> None:
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return  # such as "auto": Ray knows where, or says what is wrong
    try:
        socket.create_connection((host, int(port)), ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ArenaError(
            f"no Ray cluster at {address}: {error}; start one there with `ray start --head`"
        ) from None


def _flow(
    ray: Any, work: Callable[..., Any], jobs: Iterable[tuple[K, Sequence[Any]]]
) -> Generator[tuple[K, Any], None, None]:
    far = ray.remote(max_retries=RETRIES)(work)
    waiting: dict[Any, K] = {}
    for key, given in jobs:
        waiting[far.remote(*given)] = key
        # Looked up each time, because a cluster may grow.
        if len(waiting) >= 2 * ray.cluster_resources().get("CPU", 1):
            yield from _finished(ray, waiting)
    while waiting:
        yield from _finished(ray, waiting)


def _finished(ray: Any, waiting: dict[Any, K]) -> Generator[tuple[K, Any], None, None]:
    finished, _ = ray.wait(list(waiting))
    for reference in finished:
        try:
            result = ray.get(reference)
        except ray.exceptions.RayError as error:
            raise ArenaError(f"a game failed on Ray: {_reason(error)}") from None
        yield waiting.pop(reference), result


def _reason(error: Exception) -> str:
    """Of a traceback from another machine the last line, which says what happened."""
    cause = getattr(error, "cause", None)
    return str(cause or error).strip().splitlines()[-1]


def _version() -> str:
    return f"{hansa.__version__}, rules {hansa.RULES_VERSION}"


def _play(bots: Sequence[str], setup: hansa.Setup, version: str) -> Result:
    """On some machine of the cluster."""
    from hansa.bots import compiling  # noqa: PLC0415  # pulls in what only the search needs

    if version != _version():
        raise ArenaError(
            f"a machine of the cluster has hansa {_version()}, this one {version}:"
            " install the same everywhere"
        )
    if any(map(is_search, bots)):
        compiling.prepare()
    return play_match(bots, setup)
