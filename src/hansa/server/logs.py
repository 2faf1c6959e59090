"""One form of log for everything, and a trouble that repeats itself is told a few times only."""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import TYPE_CHECKING, TextIO, cast

import structlog

from hansa.server.config import Config, ConfigError
from hansa.server.metrics import LOGGED

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Sparing", "set_up_logging"]

_log = structlog.get_logger()
#: Lines of one kind within so many seconds.
_LINES, _SECONDS = 10, 60.0
_KINDS = 500


class Sparing:
    """Lets the first lines of a kind through, then says once a minute how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        #: When a kind's minute began, and how many came since.
        self._seen: dict[str, tuple[float, int]] = {}

    def __call__(
        self, _logger: object, _method: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        """A processor of structlog's."""
        kind, now = _kind(event), self._clock()
        began, count = self._seen.get(kind, (now, 0))
        if now - began > _SECONDS:
            if count > _LINES:
                event["left_out"] = count - _LINES
            began, count = now, 0
        if len(self._seen) > _KINDS:
            self._seen.clear()
        self._seen[kind] = (began, count + 1)
        if count >= _LINES:
            raise structlog.DropEvent
        return event


def _count(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    LOGGED.labels(event["level"]).inc()
    return event


def _kind(event: structlog.typing.EventDict) -> str:
    """What a line says every time: libraries fill in addresses and numbers, and add what follows."""
    record = event.get("_record")
    said = event.get("event") if record is None else record.msg
    return str(said).partition("\n")[0]


class _Stderr:
    """Whatever is stderr at the moment of writing: it may be replaced, and the old one closed."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


class _Libraries(logging.StreamHandler):  # type: ignore[type-arg]  # generic for checkers only
    """Writes what libraries log, unless a line is one too many."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except structlog.DropEvent:
            return
        self.stream.write(text + self.terminator)
        self.flush()


def set_up_logging(settings: Config) -> None:
    """Structured logs on stderr: lines for people, JSON for collectors."""
    level = getattr(logging, settings.log_level.upper(), None)
    if not isinstance(level, int):
        raise ConfigError(f"log_level: {settings.log_level!r} is none; try info")
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        _count,
        Sparing(),
    ]
    last: structlog.typing.Processor = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(),
        # The rich one shows local variables, secrets among them.
        exception_formatter=structlog.dev.plain_traceback,
    )
    if settings.log_json:
        shared.append(structlog.processors.format_exc_info)
        last = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Stderr())),
        cache_logger_on_first_use=True,
    )
    _adopt(max(level, logging.WARNING), [*shared, last])


def _adopt(level: int, processors: list[structlog.typing.Processor]) -> None:
    """What libraries log has the same form."""
    handler = _Libraries(cast("TextIO", _Stderr()))
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=processors[:-1],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, processors[-1]],
    )
    handler.setFormatter(formatter)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.captureWarnings(True)
    threading.excepthook = _log_end


def _log_end(ended: threading.ExceptHookArgs) -> None:
    """What ends a thread, in the form of all else."""
    name = ended.thread.name if ended.thread is not None else "?"
    why = ended.exc_value or ended.exc_type
    _log.error("a thread ended", thread=name, exc_info=why)
