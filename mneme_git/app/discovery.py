"""The optional discovery model, asked over HTTP at the address that the user configured and no other.

No proxy of the environment is used and no redirection followed: what is asked about is somebody's code.
"""

import json
import re
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mneme_git.store.config import Settings
from mneme_indexer.discovery import Ask, ModelFailed

if TYPE_CHECKING:
    from http.client import HTTPConnection

_SECONDS = 4.0  # for all of it: name, connection, question, answer
_MOST_BYTES = 1 << 20  # of an answer, which is two lists of at most 60 numbers
_MOST_TOLD = 200  # characters of an error's body
_HEADERS = {
    "content-type": "application/json",
    # No secret: routers want some token, and this one says that it is none.
    "authorization": "Bearer oc-discovery-sentinel-do-not-store",
    "anthropic-version": "2023-06-01",
}
# The largest models cost more than the tokens they save here, whichever provider stands before their name.
_EXCLUDED = re.compile(r"(?:\A|[:/]|claude-ol-)claude-opus-", re.I)
_TIMED_OUT = f"discovery model timed out after {_SECONDS * 1000:.0f}ms"


def asker(settings: Settings) -> Ask | None:
    """Return what asks the configured model; None if there is none, and then nothing is ever connected to."""
    model = settings.discovery_model
    return partial(_ask, model, settings.router_url) if model else None


def _ask(model: str, address: str, system: str, user: str) -> str:
    """Return the model's answer.

    Raises:
        ModelFailed: the model is excluded, or there is no answer in time.
    """
    if _EXCLUDED.search(model):
        raise ModelFailed(f"'{model}' cannot be the discovery model: Opus is excluded from this role")
    asked = {
        "model": model,
        "messages": [{"role": "user", "content": user}],
        "system": system,
        "max_tokens": 256,
        "stream": False,
    }
    status, answer = _Exchange(address).post(json.dumps(asked).encode("utf-8"))
    if status != 200:
        told = " ".join(answer.decode("utf-8", "replace").split())[:_MOST_TOLD]
        raise ModelFailed(f"openclaude router {status}: {told}")
    return _text(answer)


def _text(answer: bytes) -> str:
    """Return the text of the first content block."""
    try:
        found: Any = json.loads(answer)
        text = found["content"][0]["text"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ModelFailed("the answer is not that of a model") from error
    if not isinstance(text, str):
        raise ModelFailed("the answer is not that of a model")
    return text


class _Exchange:
    """One request; in a thread, because a name that does not resolve heeds no time limit."""

    def __init__(self, address: str) -> None:
        self._connection = _connection(address)
        self._done: SimpleQueue[tuple[int, bytes] | Exception] = SimpleQueue()
        self._is_over = threading.Event()

    def post(self, body: bytes) -> tuple[int, bytes]:
        """Return the status and the body of the answer.

        Raises:
            ModelFailed: nobody answers, or not in time.
        """
        threading.Thread(target=self._run, args=(body,), daemon=True, name="mneme-discovery").start()
        try:
            found = self._done.get(timeout=_SECONDS)
        except Empty:
            self._stop()
            raise ModelFailed(_TIMED_OUT) from None
        if isinstance(found, Exception):
            raise ModelFailed(_TIMED_OUT if isinstance(found, TimeoutError) else "fetch failed") from found
        return found

    def _run(self, body: bytes) -> None:
        try:
            self._connection.connect()
            if not self._is_over.is_set():
                self._connection.request("POST", "/v1/messages", body, _HEADERS)
                with self._connection.getresponse() as response:
                    self._done.put((response.status, response.read(_MOST_BYTES)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller's ranking stands without it
            self._done.put(error)
        finally:
            self._connection.close()

    def _stop(self) -> None:
        """Wake the thread, which waits for bytes that are of no use any more."""
        from contextlib import suppress
        from socket import SHUT_RDWR

        self._is_over.set()
        connected = self._connection.sock
        if connected is not None:
            with suppress(OSError):
                connected.shutdown(SHUT_RDWR)


def _connection(address: str) -> "HTTPConnection":
    """Return a connection that is not open yet; the path of the address does not count."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    kinds: dict[str, Callable[..., HTTPConnection]] = {"http": HTTPConnection, "https": HTTPSConnection}
    try:
        parts = urlsplit(address)
        if parts.hostname and parts.scheme in kinds and "@" not in parts.netloc:
            return kinds[parts.scheme](parts.hostname, parts.port, timeout=_SECONDS)
    except (ValueError, HTTPException) as error:
        raise _no_address(address) from error
    raise _no_address(address)


def _no_address(address: str) -> ModelFailed:
    return ModelFailed(f"mneme.routerUrl '{address[:_MOST_TOLD]}' is no http or https address of a host")
