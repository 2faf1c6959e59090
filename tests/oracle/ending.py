"""What follows an action: full neutral routes, the end of the game, the plate, the next turn."""

from tests.oracle.boards import Pos, board_of, ends, first_ordinary_post, special_cities
from tests.oracle.establishing import is_full
from tests.oracle.offices import completed, found_in_house, free_house, pay_control, tribute_tasks
from tests.oracle.pieces import actions_value, clockwise, seats, set_post
from tests.oracle.tasks import Task, Words, draw, push
from tests.oracle.travel import marker_routes


class Resolve(Task):
    """NEUTRAL-10 to -17, RULING-50: routes full of neutral traders."""

    def full_routes(self, pos: Pos) -> dict[str, list[str]]:
        """With the cities at their ends that have a free house."""
        board = board_of(pos)
        return {
            route: [city for city in ends(board, route) if free_house(pos, city) is not None]
            for route in board["routes"]
            if is_full(pos, route, "n")
        }

    def options(self, pos: Pos, task: Pos) -> set[str]:
        full = self.full_routes(pos)
        return {f"neutral {route} {city}" for route, cities in full.items() for city in cities}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        self.establish(pos, words[1], words[2])

    def establish(self, pos: Pos, route: str, city: str | None) -> None:
        board = board_of(pos)
        pay_control(pos, route)
        marker = pos["routes"][route]["marker"]
        if marker is not None:
            pos["discarded"].append(marker)
            pos["routes"][route]["marker"] = None
            draw(pos)
        pos["routes"][route]["posts"] = [None] * len(pos["routes"][route]["posts"])
        if special_cities(board) & set(ends(board, route)):
            set_post(pos, first_ordinary_post(board, route), "n:t")
        if city is not None:
            found_in_house(pos, "n:t", city)
            push(pos, tribute_tasks(pos, city))

    def advance(self, pos: Pos, task: Pos) -> bool:
        full = self.full_routes(pos)
        houseless = [route for route, cities in full.items() if not cities]
        if houseless:
            self.establish(pos, houseless[0], None)
            return True
        ways = [(route, city) for route, cities in full.items() for city in cities]
        if len(ways) == 1:
            self.establish(pos, *ways[0])
            return True
        if not ways:
            self.finish(pos, task)
            return True
        return False


class Judge(Task):
    """END-1 to -7, once after the whole action or effect."""

    def reason(self, pos: Pos, task: Pos) -> str | None:
        tracks = [*pos["players"].values(), pos["neutral"] or {"points": 0}]
        if max(track["points"] for track in tracks) >= 20:
            return "prestige"
        if task["markers"]:
            return "markers"
        if completed(pos) >= board_of(pos)["completed_cities_end"]:
            return "cities"
        return None

    def advance(self, pos: Pos, task: Pos) -> bool:
        self.finish(pos, task)
        reason = self.reason(pos, task)
        if reason is not None:
            pos["over"], pos["end_reason"], pos["actions_left"] = True, reason, 0
            for player in seats(pos):
                pos["discarded"] += pos["players"][player]["plate"]
                pos["players"][player]["plate"] = []
        return True


class Plate(Task):
    """MARKER-PUT, NEUTRAL-18 to -20; then the next turn begins."""

    def options(self, pos: Pos, task: Pos) -> set[str]:
        plate = pos["players"][pos["active"]]["plate"]
        return {f"lay {marker} {route}" for marker in plate for route in marker_routes(pos)[0]}

    def decide(self, pos: Pos, task: Pos, words: Words) -> None:
        with_trader = marker_routes(pos)[1]
        pos["players"][pos["active"]]["plate"].remove(words[1])
        pos["routes"][words[2]]["marker"] = words[1]
        if with_trader:
            set_post(pos, first_ordinary_post(board_of(pos), words[2]), "n:t")

    def finish(self, pos: Pos, task: Pos) -> None:
        """RULING-24: markers without a route stay on the plate."""
        super().finish(pos, task)
        pos["turn"] += 1
        pos["active"] = clockwise(pos)[1]
        favours = pos["players"][pos["active"]]["favours"]
        pos["actions_left"] = actions_value(pos, pos["active"]) + ("action" in favours)
        pos["acted"], pos["flags"], pos["permissions_used"] = False, [], []
