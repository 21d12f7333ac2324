"""Writes type stubs (.pyi) of the classes of gsim.modules, from which editors complete and type checkers check.

The classes themselves are made from the schema of the gsim program in use when a module is imported, so that they always fit
it. Editors do not run that; they read MODULE.pyi beside gsim/modules/__init__.py. The files are written when the package is
installed, if a gsim program is found then, by the first import into an installed package, and by `python -m gsim stubs`. Their
first line has a digest of the schema; importing a module whose stub is of another schema writes the stub again.
"""
from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
from collections.abc import Iterable, Mapping

from .program import Program
from .schema import Key, read_schema
from .schema import Table as TableSchema
from .tables import class_name, document, own_tables, variant_name

FOLDER = pathlib.Path(__file__).resolve().parent / "modules"
# Variants narrow keys of their base, which pyright reports where attributes can be set.
_HEAD = """# pyright: reportIncompatibleVariableOverride=false
import datetime as _datetime
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gsim.tables import Table
"""


def first_line(schema_text: str) -> str:
    """The first line of the stub for a schema."""
    return f"# Written by `python -m gsim stubs` from the schema {hashlib.sha256(schema_text.encode()).hexdigest()[:16]}"


def stub_text(module: str, schema_text: str) -> str:
    """The text of the stub of a module."""
    schema = json.loads(schema_text)
    lines = [first_line(schema_text), f'"""{schema["title"]}: classes of its tables of keys."""', _HEAD]
    _write_class("Config", read_schema(schema, module), schema["title"], "", lines)
    return "\n".join(lines) + "\n"


def refresh(module: str, schema_text: str, folder: pathlib.Path = FOLDER) -> bool:
    """Writes the stub of a module if it is of another schema, or if it is missing in an installed package. Returns whether it
    did; a folder that cannot be written is left alone."""
    path = folder / f"{module}.pyi"
    is_source_tree = (folder.parent.parent / "pyproject.toml").exists()
    if not path.exists() and is_source_tree:
        return False
    try:
        with path.open(encoding="utf-8") as file:
            if file.readline().rstrip("\n") == first_line(schema_text):
                return False
    except OSError:
        pass
    try:
        write(path, stub_text(module, schema_text))
    except OSError:
        return False
    return True


def write(path: pathlib.Path, text: str) -> None:
    """Replaces a file at once, so that no reader sees a part of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_all(program: Program, folder: pathlib.Path = FOLDER, modules: Iterable[str] = ()) -> list[str]:
    """Writes the stubs of all modules of a program, or of those named, and returns the names of the modules."""
    names = list(modules) or [*program.modules(), "batch"]
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        write(folder / f"{name}.pyi", stub_text(name, program.schema_text(name)))
    return names


def _write_class(name: str, schema: TableSchema, doc: str, outer: str, lines: list[str], indent: str = "") -> None:
    """A class within the class `outer`; the tables at the top are classes of the module, as at run time."""
    inside = f"{indent}    "
    is_top = name == "Config" and not outer
    qualified = "" if is_top else f"{outer}.{name}".lstrip(".")
    tables = [key for key in schema.keys if key.inner is not None]
    body = [f"{indent}class {name}(Table):", _quoted(document(doc, schema.keys), inside)]
    for key in tables:
        assert key.inner is not None
        _write_class(class_name(key.name), key.inner, key.doc, qualified, lines if is_top else body, "" if is_top else inside)
    lines += body
    owner = {key.name: qualified for key in tables}
    _write_keys(schema.keys, owner, None, lines, inside, all_optional=bool(schema.variants))
    for word, keys in schema.variants.items():
        variant = variant_name(word, {class_name(key.name): key for key in tables})
        lines += [f"{inside}class {variant}({qualified or name}):",
                  _quoted(document(f'{doc}\n\n{schema.selector} = "{word}"', keys.keys), f"{inside}    ")]
        own = own_tables(keys, schema)
        for key in own:
            assert key.inner is not None
            _write_class(class_name(key.name), key.inner, key.doc, f"{qualified or name}.{variant}", lines, f"{inside}    ")
        _write_keys(keys.keys, {**owner, **{key.name: f"{qualified or name}.{variant}" for key in own}}, schema, lines,
                    f"{inside}    ")


def _write_keys(keys: Iterable[Key], owner: Mapping[str, str], base: TableSchema | None, lines: list[str], indent: str,
                all_optional: bool = False) -> None:
    """The attributes of a class, and its __init__. `owner` has the classes in which the classes of its tables are; `base` is
    the table of which it is a variant, whose attributes it has."""
    parameters = []
    for key in keys:
        inner = f"{owner[key.name]}.{class_name(key.name)}".lstrip(".") if key.inner is not None else ""
        if base is None or (base.find(key.name) != key and key.name != base.selector):
            lines.append(f"{indent}{key.attribute}: {_read_type(key, inner)}")
            if key.text():
                lines.append(_quoted(key.text(), indent))
        if base is None or key.name != base.selector:
            default = "" if key.required and not all_optional else " = ..."
            parameters.append((default, f"{key.attribute}: {_set_type(key, inner)}{default}"))
    listed = "".join(f", {text}" for _, text in sorted(parameters, key=lambda pair: pair[0]))
    lines.append(f"{indent}def __init__(self{', *' if listed else ''}{listed}) -> None: ...")


def _value_type(key: Key) -> str:
    return re.sub(r"\bdate\b", "_datetime.date", key.type)


def _read_type(key: Key, inner: str) -> str:
    """The type of the attribute; `inner` is the class of its tables."""
    if key.form in ("table", "tables", "named_tables"):
        return {"table": inner, "tables": f"list[{inner}]", "named_tables": f"dict[str, {inner}]"}[key.form]
    text = _value_type(key) if key.form == "value" else f"{_value_type(key)} | {inner}"
    return text if key.required or key.has_default or text == "Any" else f"{text} | None"


def _set_type(key: Key, inner: str) -> str:
    """The type of the argument, in whose tables may be dicts."""
    if key.form == "value":
        return _value_type(key)
    table = f"{inner} | Mapping[str, Any]"
    return {"table": table, "tables": f"Sequence[{table}]", "named_tables": f"Mapping[str, {table}]",
            "value_or_table": f"{_value_type(key)} | {table}"}[key.form]


def _quoted(text: str, indent: str) -> str:
    """A docstring."""
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = [line.rstrip() for line in text.splitlines()] or [""]
    end = "\\" if lines[-1].endswith('"') else ""
    if end:
        lines[-1] = lines[-1][:-1] + '\\"'
    return "\n".join([f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:])]) + '"""'
