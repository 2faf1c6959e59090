"""The compiled rules, asked the same as the interpreted ones."""

import hansa
from hansa.batch import Batch


def compiled_differs(game: hansa.Game, text: str) -> str | None:
    """What the compiled rules say differently about a position and one decision in it."""
    batch = Batch.from_games([game], jit=True, threads=1)
    ids = {action.id: str(action) for action in game.legal_actions()}
    compiled = {int(number) for number in batch.legal_masks()[0].nonzero()[0]}
    if compiled != set(ids):
        return f"compiled legal: {sorted(compiled ^ set(ids))}"
    batch.apply([next(number for number, name in ids.items() if name == text)])
    after = game.copy()
    after.play(text)
    return None if batch.game(0).to_dict() == after.to_dict() else f"compiled play: {text}"
