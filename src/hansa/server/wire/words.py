"""Small words that many messages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from hansa.names import CATEGORIES, OWNERS, PLAYERS, SHAPES, SKILLS

__all__ = [
    "BY_SEAT",
    "WORDS",
    "BotName",
    "Count",
    "Decision",
    "Millis",
    "Name",
    "Owner",
    "Phase",
    "ScoreKey",
    "Seat",
    "Shape",
    "Skill",
    "TableStatus",
]

if TYPE_CHECKING:
    Seat = str
    Owner = str
    Shape = str
    Skill = str
    ScoreKey = str
else:
    # Read off the names of the game: they are written there, not here again.
    Seat = Literal[PLAYERS]
    Owner = Literal[OWNERS]
    Shape = Literal[SHAPES]
    Skill = Literal[SKILLS]
    ScoreKey = Literal[(*CATEGORIES, "total")]

TableStatus = Literal["open", "running", "over"]

#: A mapping by seat: only those who play are in it.
BY_SEAT = Meta(extra_json_schema={"propertyNames": {"enum": list(PLAYERS)}})

Name = Annotated[str, Meta(max_length=200)]
BotName = Annotated[str, Meta(max_length=100)]
Count = Annotated[int, Meta(ge=0, le=10_000_000)]
Decision = Annotated[str, Meta(min_length=1, max_length=200)]
Millis = Annotated[int, Meta(description="milliseconds since 1970")]
Phase = Annotated[str, Meta(description="a short word for what is being decided")]

#: The words that have a name of their own in TypeScript too.
WORDS = {
    "Seat": Seat,
    "Owner": Owner,
    "Shape": Shape,
    "Skill": Skill,
    "ScoreKey": ScoreKey,
    "TableStatus": TableStatus,
}
