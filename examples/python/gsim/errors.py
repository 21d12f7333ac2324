"""The exceptions of the package. All derive from GsimError, whose text is gsim's own message."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .events import Estimate
    from .results import Results


class GsimError(Exception):
    """Base of all errors of this package."""


class ProgramError(GsimError):
    """The gsim program was not found or cannot be started."""


class ConfigError(GsimError, ValueError):
    """Wrong input, found before anything was computed or written (gsim's exit code 2).

    `key` is the dotted path of the key ("market.assets.SPX.spot"; elements of lists by their numbers from 0,
    "trades.2.strike"), or None where the message is not about a key. `line` and `column` count from 1 in the file `file`.
    """

    def __init__(self, message: str, key: str | None = None, file: str | None = None, line: int | None = None,
                 column: int | None = None) -> None:
        super().__init__(message)
        self.message, self.key, self.file, self.line, self.column = message, key, file, line, column


class RunError(GsimError):
    """A run that failed; `log` is what it printed on its standard error."""

    def __init__(self, message: str, exit_code: int, log: str = "") -> None:
        super().__init__(message)
        self.message, self.exit_code, self.log = message, exit_code, log


class RunStopped(RunError):
    """A run that was stopped early with a checkpoint (exit code 75): run it again with resume=True.

    `checkpoint` is the path of the checkpoint, and `estimates` are the partial results.
    """

    def __init__(self, message: str, checkpoint: str | None, estimates: list[Estimate], log: str = "") -> None:
        super().__init__(message, 75, log)
        self.checkpoint, self.estimates = checkpoint, estimates


class NotConverged(RunError):
    """A complete run with `stop.require_converged` that misses an error target, or skipped input (exit code 3).

    `results` are its results, each with its error.
    """

    def __init__(self, message: str, results: Results, log: str = "") -> None:
        super().__init__(message, 3, log)
        self.results = results


_SET = re.compile(r"^--set (?P<key>[^=\n]+)=")
_MISSING = re.compile(r"missing (?:key|table) [`\[](?P<name>[^`\]]+)[`\]](?: in \[+(?P<table>[^\]]+)\])?")
_HEAD = re.compile(r"^(?:error: )?(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): ")


def config_error(stderr: str, text: str | None = None, shown_as: str | None = None) -> ConfigError:
    """The exception for a message of gsim about its input.

    `text` is the configuration that gsim read, from which the key at the line of the message is found; `shown_as` replaces the
    name of a temporary file in the message.
    """
    start = stderr.find("error: ")
    message = (stderr[start:] if start >= 0 else stderr).strip()
    message = message.removeprefix("error: ")
    found = _HEAD.match(message)
    if found is None:
        overridden = _SET.match(message)
        return ConfigError(message, overridden["key"].strip() if overridden else _missing_key(message, None))
    line, column = int(found["line"]), int(found["column"])
    key = key_at(text, line, column) if text is not None else None
    key = _missing_key(message, key) or key
    name = found["file"]
    if shown_as is not None:
        message = message.replace(f"{name}:{line}:{column}", shown_as if key is None else f"{shown_as}: {key}", 1)
        name = shown_as
    return ConfigError(message, key, name, line, column)


def _missing_key(message: str, at: str | None) -> str | None:
    """The path of the key that a message calls missing; `at` is the path of the place that it shows."""
    found = _MISSING.search(message)
    if found is None:
        return None
    table = found["table"] or ""
    if at is not None and re.sub(r"\.\d+(?=\.|$)", "", at) == table:
        table = at  # with the numbers of elements of lists
    return f"{table}.{found['name']}".lstrip(".")


_WORD = r'(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|\'[^\']*\')'
_PATH = rf"{_WORD}(?:\s*\.\s*{_WORD})*"
_TABLE = re.compile(rf"^\s*(?P<brackets>\[\[?)\s*(?P<path>{_PATH})\s*\]")
_ASSIGNMENT = re.compile(rf"^\s*(?P<path>{_PATH})\s*=")


def key_at(text: str, line: int, column: int) -> str | None:
    """The dotted path of the key in line `line` of a TOML text, for an error at its key or value."""
    counts: dict[str, int] = {}
    table, key = "", None
    for number, content in enumerate(text.splitlines(), 1):
        if number > line:
            break
        header = _TABLE.match(content)
        if header is not None:
            table = _with_numbers(_parts(header["path"]), counts, header["brackets"] == "[[")
            key = table
            continue
        assignment = _ASSIGNMENT.match(content)
        if assignment is not None and not content.lstrip().startswith("#"):
            key = ".".join(filter(None, [table, *_parts(assignment["path"])]))
            if number == line:
                key = _inner_key(content, assignment.end(), column, key)
    return key


def _parts(path: str) -> list[str]:
    return [word.strip("\"'") for word in re.findall(_WORD, path)]


def _with_numbers(parts: list[str], counts: dict[str, int], is_element: bool) -> str:
    """The path of a table with the numbers of the elements of arrays of tables."""
    path = ""
    for depth, part in enumerate(parts):
        path = f"{path}.{part}" if path else part
        if depth == len(parts) - 1 and is_element:
            for inner in [name for name in counts if name.startswith(f"{path}.{counts.get(path, -1)}.")]:
                del counts[inner]
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = f"{path}.{counts[path]}"
    return path


_TOKEN = re.compile(rf"(?P<key>{_PATH})\s*=|(?P<open>[{{\[])|(?P<close>[}}\]])|\"(?:[^\"\\]|\\.)*\"|'[^']*'")


def _inner_key(content: str, start: int, column: int, key: str) -> str:
    """The path of the key at `column` where it is within an inline table that begins after `start`."""
    outer: list[str] = []
    last = key
    for token in _TOKEN.finditer(content, start):
        if token.start() >= column:
            break
        if token["key"]:
            last = f"{outer[-1] if outer else key}.{'.'.join(_parts(token['key']))}"
        elif token["open"]:
            outer.append(last)
        elif token["close"] and outer:
            last = outer.pop()
    return last
