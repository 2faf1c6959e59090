"""Text that people type: cleaned once, at the border."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hansa.server.errors import TableError

__all__ = ["alike", "clean", "name"]

#: Letters that cannot be seen but turn or hide what stands beside them.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200d\u200c"
#: Letters, marks and notes that show nothing at all, whatever their kind says.
_BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\U0001d159")
#: Kinds that need another letter to be seen.
_LEANING = ("M", "Z", "C")
#: Marks that make another letter of it, as an accent does not: the voiced kana's. Those that stand in
#: a place of their own are the vowels of some scripts.
_VOICED = "\u3099\u309a"
_BRAILLE_BLANK = "\u2800"
#: Letters of a text that are looked at: nothing typed may be longer, and composing an endless row of
#: marks takes the square of its length (20 s for that of a record).
_LONGEST = 2000
#: What looks like each letter: of other alphabets great and small as they are drawn, and figures.
_LIKE = {
    "a": "аАαΑɑᴀᎪꓮᗅᗩ",
    "b": "вВьЬβΒʙᏴꓐᗷ",
    "c": "сСϲϹᴄⲥⲤᏟꓚᑕ",
    "d": "ԁԀđĐᴅժᎠꓓᗞᗪᑯ",
    "e": "еЕєЄεΕɛᴇҽᎬꓰᗴ",
    "f": "ƒϜꜰքꓝᖴ",
    "g": "ɡɢԍԌցᏀꓖᘜ",
    "h": "һҺнНΗʜħĦհᎻꓧⲎᕼᑋ",
    "j": "јЈϳյᎫꓙᒍ",
    "k": "кКκΚᴋⲕⲔᏦꓗᛕ",
    "l": "iIіІιΙɩıɪӏӀłŁʟ1|ǀᎥᏞꓲꓡᒪ",
    "m": "мМΜᴍⲘᎷꓟᗰ",
    "n": "ηΝɴոռꓠᑎ",
    "o": "0оОοΟσօՕøØᴏⲟⲞꓳᗝ",
    "p": "рРρΡᴘⲣⲢᏢꓑᑭ",
    "q": "ԛԚգզᑫ",
    "r": "гʀᴦᎡꓣᖇ",
    "s": "ѕЅꜱՏʂᏚꓢᔕ",
    "t": "тТτΤᴛⲧⲦᎢꓔ",
    "u": "υʋᴜսՍꓴᑌ",
    "v": "νѵѴᴠᏙꓦᐯ",
    "w": "ωѡԝԜᴡաᎳꓪᗯ",
    "x": "хХχΧⲭⲬꓫ᙭",
    "y": "уУүҮγΥʏⲨᎩꓬ",
    "z": "ΖᴢʐᏃꓜᘔ",
    "エ": "工",
    "オ": "才",
    "カ": "力",
    "タ": "夕",
    "チ": "千",
    "ト": "卜",
    "ニ": "二",
    "ヌ": "又",
    "ハ": "八",
    "ヘ": "へ",
    "リ": "り",
    "ロ": "口",
    "ー": "一",
}
#: Behind a kana a dash is read as the sign of a long vowel; between other letters it is a sign.
_LONG = re.compile("(?<=[ぁ-ヿ])[-‐-―−─━]")
_LOOKS = str.maketrans({letter: plain for plain, like in _LIKE.items() for letter in like})


def alike(one: str, other: str) -> bool:
    """Whether two names look the same at a glance."""
    return _skeleton(one) == _skeleton(other) != ""


@lru_cache(maxsize=4096)
def _skeleton(text: str) -> str:
    text = "".join(map(_plain, _LONG.sub("ー", unicodedata.normalize("NFKD", text))))
    # Before case is lost: what a great letter looks like is not what its small one does. And after it,
    # for the small Cherokee ones, which are great ones then.
    text = text.translate(_LOOKS).casefold().translate(_LOOKS)
    seen = [
        letter for letter in text if letter not in _BLANK and (_shows(letter) or _tells(letter))
    ]
    # A name without a letter or figure is its signs.
    letters = "".join(x for x in seen if x.isalnum() or _tells(x)) or "".join(seen)
    return letters.replace("rn", "m").replace("vv", "w")


def _tells(mark: str) -> bool:
    """Whether a mark makes another name of it (しん, じん)."""
    return mark in _VOICED or unicodedata.category(mark) == "Mc"


def _plain(letter: str) -> str:
    """Figures of all scripts as ours, and letters without what composition knows nothing of: a
    stroke, a hook, being a small kana.
    """
    figure = unicodedata.decimal(letter, None)
    if figure is not None:
        return str(figure)
    called = unicodedata.name(letter, "")
    base = called.partition(" WITH ")[0].replace("LETTER SMALL ", "LETTER ")
    try:
        return unicodedata.lookup(base) if letter.isalpha() else letter
    except KeyError:
        return letter


def clean(text: str) -> str:
    """One line of plain text: composed letters, single spaces, nothing invisible."""
    text = unicodedata.normalize("NFC", re.sub(r"[\r\n\t]", " ", text[:_LONGEST]))
    kept = "".join(
        letter
        for letter in text
        if letter in _JOINERS
        or (unicodedata.category(letter) not in _UNSEEN and letter not in _BLANK)
    )
    return re.sub(r" +", " ", kept).strip()


def name(text: str, longest: int = 40) -> str:
    """A name to show.

    Raises:
        TableError: `bad_name` if nothing visible is left, or too much.
    """
    cleaned = clean(text)
    if len(cleaned) > longest or not any(map(_shows, cleaned)):
        raise TableError("bad_name", f"A name has 1 to {longest} characters that can be seen.")
    return cleaned


def _shows(letter: str) -> bool:
    """Whether there is something to see where this stands alone."""
    return not unicodedata.category(letter).startswith(_LEANING) and letter != _BRAILLE_BLANK
