"""The ASGI application: routes, errors, start and stop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.types import ControllerRouterHandler
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import hansa
from hansa.server import PROTOCOL
from hansa.server.border import (
    Border,
    Caller,
    TheHub,
    dress,
    on_error,
    on_http_error,
    on_table_error,
)
from hansa.server.call_routes import CallRoutes, HookRoutes, answer_letter, open_letter
from hansa.server.career_routes import CareerRoutes
from hansa.server.circle_routes import CircleRoutes
from hansa.server.config import Config
from hansa.server.errors import TableError
from hansa.server.history_routes import HistoryRoutes
from hansa.server.hub import Hub
from hansa.server.library_routes import LibraryRoutes
from hansa.server.openapi import Describing, Document, says
from hansa.server.order_routes import OrderRoutes, OwnRoutes
from hansa.server.pages import Pages, page, start_page
from hansa.server.people_routes import PeopleRoutes
from hansa.server.puzzle_routes import PuzzleRoutes
from hansa.server.quick_routes import QuickRoutes
from hansa.server.review_routes import ReviewRoutes
from hansa.server.socket import table_socket
from hansa.server.study_routes import StudyRoutes
from hansa.server.table_routes import TableRoutes
from hansa.server.typed import make_ready
from hansa.server.wire.answers import Alive, Health

__all__ = ["create_app"]


@get("/health", tags=["host"], responses=says(Health, 503))
async def health(hub: TheHub) -> Response[Health]:
    """Readiness: 200 while people can play here, else 503 with what is wrong."""
    troubles = await hub.troubles()
    working = not troubles
    body = Health(
        status="ok" if working else "unavailable",
        troubles=troubles,
        version=hansa.__version__,
        contract=hansa.CONTRACT,
        protocol=PROTOCOL,
        store="postgresql" if hub.store.shared else "sqlite",
        tables=len(hub.hall.live),
        connections=len(hub.connections),
    )
    return Response(body, status_code=200 if working else 503)


@get("/health/live", tags=["host"])
async def live() -> Alive:
    """Liveness: 200 as long as this process answers at all.

    A process that does not should be ended; one that is only not ready should not.
    """
    return Alive()


@get("/metrics", tags=["host"], media_type=CONTENT_TYPE_LATEST)
async def metrics() -> Response[bytes]:
    """Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


@get("/openapi.json", include_in_schema=False)
async def openapi(
    request: Request[Any, Any, Any], document: NamedDependency[Document]
) -> Response[bytes]:
    """Every HTTP address, for machines."""
    return (await document.of(request.app)).answer(request)


#: Whatever has an address.
_ROUTES: list[ControllerRouterHandler] = [
    PeopleRoutes,
    CareerRoutes,
    CircleRoutes,
    TableRoutes,
    QuickRoutes,
    HistoryRoutes,
    OrderRoutes,
    OwnRoutes,
    ReviewRoutes,
    PuzzleRoutes,
    StudyRoutes,
    LibraryRoutes,
    table_socket,
    CallRoutes,
    HookRoutes,
    answer_letter,
    open_letter,
    health,
    live,
    metrics,
    openapi,
    page,
    start_page,
]


def create_app(config: Config) -> Litestar:
    """The application; its parts live from start to stop of the server around it."""
    hub = Hub(config)
    pages, document = Pages(), Document()

    async def caller(request: Request[Any, Any, Any]) -> Caller:
        return await Caller(hub, request).find()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        if not hub.ready:
            await hub.start()
        # While nobody is here yet: whoever asked first would hold up everybody.
        await document.of(app)
        try:
            yield
        finally:
            await hub.stop()

    app = Litestar(
        route_handlers=_ROUTES,
        dependencies={
            "hub": Provide(lambda: hub, sync_to_thread=False),
            "pages": Provide(lambda: pages, sync_to_thread=False),
            "document": Provide(lambda: document, sync_to_thread=False),
            "caller": Provide(caller),
        },
        before_send=[dress],
        exception_handlers={
            TableError: on_table_error,
            HTTPException: on_http_error,
            Exception: on_error,
        },
        lifespan=[lifespan],
        request_max_body_size=config.body_bytes,
        openapi_config=OpenAPIConfig(
            title="Hansa",
            version=hansa.__version__,
            path="/api/schema",
            use_handler_docstrings=True,
            render_plugins=[Describing()],
        ),
        logging_config=None,
    )
    app.state.hub = hub
    app.asgi_handler = Border(hub, pages.files, app.asgi_handler)
    make_ready()  # again, for the types that came with the routes
    return app
