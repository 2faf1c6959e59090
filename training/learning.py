"""Learning from what was seen: chances to win from outcomes, promise from what a search tried."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import log_softmax

from hansa.bots.learned.decisions import ABOUT, NAMED
from hansa.bots.learned.inputs import OWN
from hansa.bots.learned.network import NARROW, UNITS, WIDE
from hansa.rules.codes import MAX_PLAYERS
from training.seeing import KINDS, Seen

NEVER = -1e9
TRUST = 0.2
"""How much of what is learned is the search's own expectation, the rest being the outcome."""
HELD_OUT = 10
"""One game of so many is not learned from but tells how good the network has become."""
BATCH = 2048


class Chances(nn.Module):
    """Everybody's chance to win, from everybody's inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.direct = nn.Linear(OWN, 1, bias=False)
        self.first = nn.Linear(OWN, WIDE)
        self.second = nn.Linear(WIDE, NARROW)
        self.third = nn.Linear(NARROW, 1, bias=False)
        nn.init.zeros_(self.direct.weight)

    def forward(self, data: Mapping[str, Any]) -> Any:
        """Logarithms of everybody's chance."""
        x = data["inputs"]
        hidden = torch.relu(self.second(torch.relu(self.first(x))))
        strength = (self.direct(x) + self.third(hidden)).squeeze(-1)
        seats = torch.arange(MAX_PLAYERS, device=x.device)
        return log_softmax(strength.masked_fill(seats >= data["players"][:, None], NEVER), -1)

    def numbers(self) -> dict[str, list[float]]:
        """As a file of weights names them."""
        return {
            "direct": _flat(self.direct.weight),
            "first": _flat(self.first.weight.T),
            "first_bias": _flat(self.first.bias),
            "second": _flat(self.second.weight.T),
            "second_bias": _flat(self.second.bias),
            "third": _flat(self.third.weight),
        }

    @staticmethod
    def goal(data: Mapping[str, Any]) -> Any:
        """Who won, and a little of who was expected to."""
        return (1 - TRUST) * data["result"] + TRUST * data["value"]

    @staticmethod
    def truth(data: Mapping[str, Any]) -> Any:
        """Who won."""
        return data["result"]


class Promise(nn.Module):
    """How often a search would try each decision."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.Linear(OWN, UNITS)
        self.about = nn.Linear(ABOUT, UNITS, bias=False)
        self.names = nn.Embedding(NAMED + 1, UNITS, padding_idx=NAMED)
        self.promise = nn.Linear(UNITS, 1, bias=False)
        self.direct = nn.Linear(ABOUT, 1, bias=False)
        nn.init.normal_(self.names.weight, std=0.1)
        with torch.no_grad():
            self.names.weight[NAMED] = 0
            self.direct.weight.zero_()
            self.direct.weight[0, 0] = 1.0  # at first as the judgement rates them

    def forward(self, data: Mapping[str, Any]) -> Any:
        """Logarithms of each decision's share."""
        names = data["names"].long()
        named = self.names(torch.where(names < 0, NAMED, names)).sum(-2)
        units = torch.relu(self.own(data["own"])[:, None] + self.about(data["about"]) + named)
        rated = (self.direct(data["about"]) + self.promise(units)).squeeze(-1)
        return log_softmax(rated.masked_fill(data["visits"] < 0, NEVER), -1)

    def numbers(self) -> dict[str, list[float]]:
        """As a file of weights names them."""
        return {
            "own": _flat(self.own.weight.T),
            "own_bias": _flat(self.own.bias),
            "about": _flat(self.about.weight.T),
            "names": _flat(self.names.weight[:NAMED]),
            "promise": _flat(self.promise.weight),
            "promise_direct": _flat(self.direct.weight),
        }

    @staticmethod
    def goal(data: Mapping[str, Any]) -> Any:
        """The share of the visits."""
        visits = data["visits"].clamp(min=0)
        return visits / visits.sum(-1, keepdim=True)

    truth = goal


Model = Chances | Promise


def _flat(weights: Any) -> list[float]:
    return [float(value) for value in weights.detach().cpu().reshape(-1)]


COLUMNS: dict[type, tuple[str, ...]] = {
    Chances: ("inputs", "players", "result", "value"),
    Promise: ("own", "about", "names", "visits"),
}


class Lesson:
    """Positions on the device, some of them held out, by whole games."""

    def __init__(self, seen: Seen, model: type, device: str) -> None:
        self.data = {
            name: torch.from_numpy(np.ascontiguousarray(getattr(seen, name))).to(device)
            for name in COLUMNS[model]
        }
        held = torch.from_numpy(seen.game % HELD_OUT == 0).to(device)
        self.kind = torch.from_numpy(seen.kind.astype(np.int64)).to(device)
        self.learn = torch.nonzero(~held).squeeze(-1)
        self.held = torch.nonzero(held).squeeze(-1)

    def of_kind(self, kind: int) -> Lesson:
        """The same for one kind of game alone."""
        part = copy.copy(self)
        part.learn = self.learn[self.kind[self.learn] == kind]
        part.held = self.held[self.kind[self.held] == kind]
        return part

    def batch(self, which: Any) -> dict[str, Any]:
        """Some rows, as real numbers where they are."""
        rows = {name: column[which] for name, column in self.data.items()}
        return {
            name: column.float() if column.is_floating_point() else column
            for name, column in rows.items()
        }


def surprise(model: Model, lesson: Lesson) -> float:
    """The mean surprise about held-out games, in nats."""
    model.eval()
    total = 0.0
    with torch.no_grad():
        for which in torch.split(lesson.held, 8 * BATCH):
            data = lesson.batch(which)
            total += float(-(model.truth(data) * model(data).clamp(min=-30)).sum())
    return total / max(len(lesson.held), 1)


def learn(
    model: Model,
    lesson: Lesson,
    *,
    passes: int,
    rate: float,
    seconds: float,
    decay: float = 0.01,
) -> list[float]:
    """Pass over the lesson; keeps the model of the pass that held-out games liked best.

    Tells the surprise before and after every pass.
    """
    begun = time.monotonic()
    best = surprise(model, lesson)
    kept = copy.deepcopy(model.state_dict())
    curve = [best]
    steps = max(1, passes * (len(lesson.learn) // BATCH + 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    for _ in range(passes):
        model.train()
        order = lesson.learn[torch.randperm(len(lesson.learn), device=lesson.learn.device)]
        for which in torch.split(order, BATCH):
            data = lesson.batch(which)
            loss = -(model.goal(data) * model(data).clamp(min=-30)).sum(-1).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
        curve.append(surprise(model, lesson))
        if curve[-1] < best:
            best, kept = curve[-1], copy.deepcopy(model.state_dict())
        if time.monotonic() - begun > seconds:
            break
    model.load_state_dict(kept)
    return curve


def by_kind(
    model: Model,
    lesson: Lesson,
    tell: Callable[[str], None],
    *,
    passes: int,
    rate: float,
    seconds: float,
) -> dict[str, Model]:
    """A model for each kind of game that has been played, all learned on from one for all."""
    made = {}
    for number, kind in enumerate(KINDS):
        part = lesson.of_kind(number)
        if len(part.held) == 0:
            continue
        one = copy.deepcopy(model)
        curve = learn(one, part, passes=passes, rate=rate, seconds=seconds)
        tell(f"{type(model).__name__} {kind}: {_curve(curve)}")
        made[kind] = one
    return made


def _curve(values: Sequence[float]) -> str:
    return " ".join(f"{value:.4f}" for value in values)
