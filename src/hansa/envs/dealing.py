"""What chance decides at the start, in the style of the rules: the deal of a seed (RANDOM-2 to -6).

The random numbers are those of Python's `random.Random(seed).random()`, the Mersenne Twister of
Matsumoto and Nishimura, so that a game dealt here is the game of `Setup.with_seed(seed)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hansa.rules.state import State

WORDS = 624
MIDDLE = 397
LOW = 0xFFFFFFFF
AT = WORDS
"""Where in the words it is remembered how many are used."""

# Where in `hand` what is dealt is: the words every stream begins from, numbers, then the lists.
N_STARTS, N_OTHERS, N_PROMOS, N_CARDS, N_TILES, N_PLAYERS, LISTS = (WORDS + k for k in range(7))
WORK = 64
"""More than there are markers, cards or tiles."""


def first_words(words: list[int]) -> None:
    """The words that every stream of Python begins from."""
    words[0] = 19650218
    for k in range(1, WORDS):
        words[k] = (1812433253 * (words[k - 1] ^ (words[k - 1] >> 30)) + k) & LOW


def begin(words: list[int], hand: Sequence[int], seed: int) -> None:
    """The stream of a seed from 0 to 2**63 - 1."""
    for k in range(WORDS):
        words[k] = hand[k]
    low = seed & LOW
    high = seed >> 32
    length = 1 if high == 0 else 2
    i = 1
    j = 0
    for _ in range(WORDS):
        mixed = (words[i - 1] ^ (words[i - 1] >> 30)) * 1664525 & LOW
        words[i] = ((words[i] ^ mixed) + (low if j == 0 else high) + j) & LOW
        i += 1
        j = (j + 1) % length
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    for _ in range(WORDS - 1):
        mixed = (words[i - 1] ^ (words[i - 1] >> 30)) * 1566083941 & LOW
        words[i] = ((words[i] ^ mixed) - i) & LOW
        i += 1
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    words[0] = 0x80000000
    words[AT] = WORDS


def next_word(words: list[int]) -> int:
    """32 random bits."""
    if words[AT] == WORDS:
        for k in range(WORDS):
            y = (words[k] & 0x80000000) | (words[(k + 1) % WORDS] & 0x7FFFFFFF)
            twisted = words[(k + MIDDLE) % WORDS] ^ (y >> 1)
            words[k] = twisted ^ 0x9908B0DF if y & 1 != 0 else twisted
        words[AT] = 0
    y = words[words[AT]]
    words[AT] += 1
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


def below(words: list[int], number: int) -> int:
    """A random number from 0 to number - 1, as `int(random() * number)` draws it."""
    high = next_word(words) >> 5
    low = next_word(words) >> 6
    return int((high * 67108864.0 + low) / 9007199254740992.0 * number)


def shuffle(words: list[int], work: list[int], first: int, number: int) -> None:
    """`hansa.setup.shuffled` in place: one after the other is taken out of what is left."""
    for k in range(first, first + number):
        chosen = k + below(words, first + number - k)
        taken = work[chosen]
        for j in range(chosen - k):
            work[chosen - j] = work[chosen - j - 1]
        work[k] = taken


def deal(s: State, hand: Sequence[int], seed: int, words: list[int], work: list[int]) -> None:
    """Write what a seed decides into a fresh state of the set-up."""
    begin(words, hand, seed)
    n = hand[N_STARTS]
    at = LISTS + n
    for k in range(n):
        work[k] = hand[at + k]
    shuffle(words, work, 0, n)
    for k in range(n):
        s.route_marker[hand[LISTS + k]] = work[k]
    at += n
    n = hand[N_OTHERS]
    for k in range(n + hand[N_PROMOS]):
        work[k] = hand[at + k]
    shuffle(words, work, 0, n)
    shuffle(words, work, hand[N_PROMOS], n)  # PROMO-1: each promo instead of one of the others
    for k in range(n):
        s.mark[k] = work[hand[N_PROMOS] + k]
    at += n + hand[N_PROMOS]
    for k in range(hand[N_CARDS]):
        work[k] = k
    shuffle(words, work, 0, hand[N_CARDS])
    if hand[N_CARDS] > 0:
        for k in range(3 * hand[N_PLAYERS]):
            s.missions[k] = hand[at + 3 * work[k // 3] + k % 3]
    for k in range(hand[N_TILES]):
        work[k] = k + 1
    shuffle(words, work, 0, hand[N_TILES])
    if hand[N_TILES] > 0:
        for k in range(hand[N_PLAYERS]):
            s.display[k] = work[k]
