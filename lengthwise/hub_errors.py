"""What goes wrong between here and the Hub, in one line that says what to do; no token is ever part of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lengthwise.errors import InputError

_LATER = "give the same command again: it goes on where it stopped"


@contextmanager
def in_words(repo: str, kind: str) -> Iterator[None]:
    """Turn what the Hub's client raises into an `InputError`.

    Args:
        repo: that is dealt with.
        kind: of it.
    """
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    network = _network_errors()
    try:
        yield
    except HFValidationError as error:
        raise InputError(f"{repo!r} is no Hub id: give ORG/NAME ({_first_line(error)})") from error
    except HfHubHTTPError as error:
        raise InputError(_refusal(error, repo, kind)) from error
    except FileNotFoundError:
        raise  # of this machine
    except network as error:
        raise _unreachable(error, repo, kind) from error
    except RuntimeError as error:
        # The client's wrapping of whatever befell one file of many.
        cause = error.__cause__
        if isinstance(cause, HfHubHTTPError):
            raise InputError(_refusal(cause, repo, kind)) from error
        if isinstance(cause, network):
            raise _unreachable(cause, repo, kind) from error
        raise


def _unreachable(error: BaseException, repo: str, kind: str) -> InputError:
    return InputError(f"{kind} {repo}: the Hub cannot be reached ({_first_line(error)}); {_LATER}")


def _network_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the library that the client speaks HTTP with: requests, then httpx, and httpx2 today.

    The client was imported before, and with it the library that it uses.
    """
    found: list[type[Exception]] = [OSError]
    for module, name in (("requests", "RequestException"), ("httpx", "TransportError"), ("httpx2", "TransportError")):
        if module in sys.modules:
            found.append(getattr(sys.modules[module], name))
    return tuple(found)


def _refusal(error: Any, repo: str, kind: str) -> str:
    status = getattr(error.response, "status_code", None)
    said = _first_line(error)
    if status == 401:
        return f"{kind} {repo}: the Hub does not take the token (401); run `hf auth login`, or mend HF_TOKEN: {said}"
    if status == 403:
        return f"{kind} {repo}: the token may not write here (403); take one with write access to it: {said}"
    if status == 404:
        return f"{kind} {repo}: there is none, or the token may not see it (404): {said}"
    if status == 409:
        return f"{kind} {repo}: somebody else wrote to it meanwhile (409); {_LATER}: {said}"
    if status == 429:
        pause = error.response.headers.get("Retry-After")
        when = f"in {pause} s" if pause else "in a few minutes"
        return f"{kind} {repo}: too many requests for the Hub (429); {when} {_LATER}"
    if status is not None and status >= 500:
        return f"{kind} {repo}: the Hub is not well ({status}); {_LATER}: {said}"
    return f"{kind} {repo}: the Hub refused ({status}): {said}"


def _first_line(error: BaseException) -> str:
    """Return the first line of what an error says, without any token."""
    from huggingface_hub import get_token

    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[: 2 if lines[0].endswith(":") else 1]) if lines else type(error).__name__
    token = get_token()
    return text.replace(token, "(token)") if token else text
