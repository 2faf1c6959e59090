"""Whither pieces and markers may go."""

from tests.oracle.boards import Pos, board_of, distances, ends, region, split_post
from tests.oracle.offices import free_house
from tests.oracle.pieces import fits, free_posts


def post_region(pos: Pos, post: str) -> str:
    return region(board_of(pos), split_post(post)[0])


def own_row(country: str) -> set[str]:
    """The table of borders: own pieces stay or go to England."""
    return {country, "england"}


def nearest(
    pos: Pos, piece: str, route: str, countries: set[str], not_free: str | None = None
) -> set[str]:
    """DISPLACE-11, RULING-8 to -11: the posts at the smallest distance that has one for the piece."""
    away = distances(board_of(pos), route)
    open_posts = {
        post: away[split_post(post)[0]]
        for post in free_posts(pos)
        if post != not_free
        and split_post(post)[0] != route
        and fits(pos, piece, post)
        and post_region(pos, post) in countries
    }
    return {post for post in open_posts if open_posts[post] == min(open_posts.values())}


def on_route(pos: Pos, piece: str, route: str) -> set[str]:
    """RULING-12: the free fitting posts of the displaced route itself."""
    return {
        post for post in free_posts(pos) if split_post(post)[0] == route and fits(pos, piece, post)
    }


def anywhere(pos: Pos, piece: str, not_free: str | None = None) -> set[str]:
    """FAVOUR-ANYWHERE-1: any free fitting post of the board."""
    return {post for post in free_posts(pos) if post != not_free and fits(pos, piece, post)}


def takes_markers(pos: Pos, route: str) -> bool:
    """MARKER-PUT-2, -4 and -6: all conditions but the empty posts."""
    board = board_of(pos)
    return (
        pos["routes"][route]["marker"] is None
        and "permanent" not in board["routes"][route]
        and region(board, route) == "england"
        and any(free_house(pos, city) is not None for city in ends(board, route))
    )


def marker_routes(pos: Pos) -> tuple[set[str], bool]:
    """Where a plate marker may go, and whether a neutral trader comes with it (NEUTRAL-19, -20)."""
    fitting = [route for route in pos["routes"] if takes_markers(pos, route)]
    standing = {route: [p for p in pos["routes"][route]["posts"] if p] for route in fitting}
    empty = {route for route in fitting if not standing[route]}
    if empty or pos["neutral"] is None:
        return empty, pos["neutral"] is not None
    return {route for route in fitting if standing[route] == ["n:t"]}, False
