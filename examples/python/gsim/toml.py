"""Writes configurations as TOML. Python's own tomllib reads them."""
from __future__ import annotations

import datetime
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dumps(config: Mapping[str, Any]) -> str:
    """The TOML text of nested dicts, lists and values: numbers (NumPy's too), strings, paths, booleans, dates, arrays.

    A key whose value is None is left out. TypeError for values that TOML does not have.
    """
    lines: list[str] = []
    _write_table(plain(config), "", lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def value(item: Any) -> str:
    """One value as TOML, on one line: for `--set KEY=VALUE`."""
    return _inline(plain(item))


def plain(item: Any) -> Any:
    """`item` as dicts, lists and values that TOML has, without keys whose value is None."""
    if isinstance(item, Mapping):
        return {str(key): plain(inner) for key, inner in item.items() if inner is not None}
    if hasattr(item, "tolist"):  # arrays and numbers of NumPy, columns of pandas
        return plain(item.tolist())
    if isinstance(item, (str, bool, int, float, datetime.date, datetime.time)):
        return item
    if isinstance(item, os.PathLike):
        return os.fspath(item)
    if isinstance(item, Iterable):
        return [plain(inner) for inner in item]
    raise TypeError(f"TOML has no values of the type {type(item).__name__}: {item!r}")


def _write_table(table: Mapping[str, Any], path: str, lines: list[str]) -> None:
    inner = {key: item for key, item in table.items() if _is_table(item) or _is_list_of_tables(item)}
    for key, item in table.items():
        if key not in inner:
            lines.append(f"{_key(key)} = {_inline(item)}")
    for key, item in inner.items():
        inner_path = f"{path}.{_key(key)}" if path else _key(key)
        if _is_table(item):
            if not item or any(not _is_table(part) and not _is_list_of_tables(part) for part in item.values()):
                lines += ["", f"[{inner_path}]"]
            _write_table(item, inner_path, lines)
            continue
        for element in item:
            lines += ["", f"[[{inner_path}]]"]
            _write_table(element, inner_path, lines)


def _is_table(item: Any) -> bool:
    return isinstance(item, dict)


def _is_list_of_tables(item: Any) -> bool:
    return isinstance(item, list) and len(item) > 0 and all(map(_is_table, item))


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inline(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return _string(item)
    if isinstance(item, int):
        if not -(2**63) <= item < 2**63:
            raise TypeError(f"TOML has whole numbers of 64 bits only: {item}")
        return str(item)
    if isinstance(item, float):
        return repr(item) if math.isfinite(item) else repr(item).replace("Infinity", "inf")
    if isinstance(item, (datetime.date, datetime.time)):
        return item.isoformat()
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(inner)}" for key, inner in item.items()) + " }" if item else "{}"
    if isinstance(item, Sequence):
        return "[" + ", ".join(map(_inline, item)) + "]"
    raise TypeError(f"TOML has no values of the type {type(item).__name__}: {item!r}")
