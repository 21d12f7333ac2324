"""The keys of configurations, read from the JSON Schema that `gsim schema MODULE --json` prints.

Where the value of one key decides which other keys there are (the product of a trade, the model of an asset), the schema has an
if/then pair for each of its words. Here such a table has a `selector`, that key, and `variants`, the keys for each word. Where a
table has several such keys, the one with the most words is the selector, and the keys that depend on the others are listed for
every variant, as keys that may be left out; `gsim check` knows which of them belong together.
"""
from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Key:
    """One key of a table.

    `type` is the type of its value as Python's annotations say it ("float", "Sequence[str]"); empty where the key is a table,
    a list of tables or a table of tables with names of the user's choice, whose keys are `inner`. `bounds` are the range of its
    numbers in words, and `has_default` says whether `default` is one.
    """

    name: str
    doc: str
    form: str  # "value", "table", "tables" or "named_tables"; "value_or_table"
    type: str
    required: bool
    has_default: bool = False
    default: Any = None
    minimum: tuple[float, bool] | None = None  # and whether it is excluded
    maximum: tuple[float, bool] | None = None
    words: tuple[str, ...] = ()
    inner: Table | None = None

    @property
    def attribute(self) -> str:
        """The name of the attribute: `from_` for `from`, which is a word of Python."""
        name = re.sub(r"\W", "_", self.name)
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def bounds(self) -> str:
        """The range in words, "at least 0, below 1"; or empty."""
        parts = []
        if self.minimum is not None:
            parts.append(f"{'above' if self.minimum[1] else 'at least'} {self.minimum[0]:g}")
        if self.maximum is not None:
            parts.append(f"{'below' if self.maximum[1] else 'at most'} {self.maximum[0]:g}")
        return ", ".join(parts)

    def text(self) -> str:
        """Meaning with unit, range and default, in one line."""
        parts = [self.doc, self.bounds]
        if self.has_default:
            parts.append(f"default {self.default!r}")
        if self.required:
            parts.append("required")
        return "; ".join(filter(None, parts))


@dataclass(frozen=True)
class Table:
    """The keys of one table; of one with variants, those of all variants together."""

    keys: tuple[Key, ...]
    selector: str | None = None
    variants: Mapping[str, Table] = field(default_factory=dict)
    default_variant: str | None = None

    def find(self, name: str) -> Key | None:
        """The key of this name, or with this attribute."""
        for key in self.keys:
            if name in (key.name, key.attribute):
                return key
        return None


def read_schema(schema: Json, module: str) -> Table:
    """The keys of the JSON Schema of a module, whose key `module` has its name as the default."""
    table = _table(schema)
    keys = tuple(replace(key, required=False, type=f"Literal['{module}']", words=(module,), has_default=True, default=module)
                 if key.name == "module" else key for key in table.keys)
    return replace(table, keys=keys)


def _conditions(node: Json) -> Iterator[tuple[str, str, Json]]:
    """The key, its word and what follows from it, for each if/then pair. Its properties contain those of pairs within it."""
    for pair in node.get("allOf", []):
        (selector, constant), = pair["if"]["properties"].items()
        yield selector, constant["const"], pair["then"]


def _allowed(then: Json) -> Json:
    return {name: schema for name, schema in then.get("properties", {}).items() if schema is not False}


def _table(node: Json) -> Table:
    properties: Json = node.get("properties", {})
    required = set(node.get("required", []))
    branches: dict[str, dict[str, Json]] = {}
    for selector, word, then in _conditions(node):
        branches.setdefault(selector, {})[word] = then
    dependent = {name for words in branches.values() for then in words.values() for name in then.get("properties", {})}
    main = max(branches, key=lambda name: len(branches[name]), default=None)
    keys = tuple(_key(name, schema, name in required) for name, schema in properties.items())
    if main is None:
        return Table(keys)
    others = {name for selector, words in branches.items() if selector != main
              for then in words.values() for name in _allowed(then)}
    variants = {}
    for word in properties[main].get("enum", branches[main]):
        then = branches[main].get(word, {})
        own = {name: schema for name, schema in properties.items()
               if name not in dependent or name in others} | _allowed(then)
        needed = required | set(then.get("required", []))
        variants[word] = Table(_ordered(own, properties, needed))
    return Table(keys, main, variants, properties[main].get("default"))


def _ordered(own: Json, properties: Json, required: set[str]) -> tuple[Key, ...]:
    """The keys `own` in the order of the schema."""
    names = [name for name in properties if name in own] + [name for name in own if name not in properties]
    return tuple(_key(name, own[name], name in required) for name in names)


_SIMPLE = {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}


def _type(schema: Json) -> str:
    """The annotation of a value."""
    if "enum" in schema:
        return "Literal[" + ", ".join(repr(word) for word in schema["enum"]) + "]"
    for word in ("oneOf", "anyOf"):
        if word in schema:
            types = [_type(part) for part in schema[word] if part.get("type") != "object"]
            # A date is a string in the schema, because JSON has none.
            return " | ".join(dict.fromkeys([*types, *(["date"] if word == "anyOf" else [])]))
    if schema.get("type") == "array":
        return f"Sequence[{_type(schema.get('items', {}))}]"
    return _SIMPLE.get(schema.get("type", ""), "Any")


def _numbers(schema: Json) -> Json:
    """The part of a schema that has the range of numbers."""
    for word in ("oneOf", "anyOf"):
        for part in schema.get(word, []):
            if part.get("type") in ("number", "integer"):
                return dict(part)
    if schema.get("type") == "array":
        return _numbers(schema.get("items", {}))
    return schema if schema.get("type") in ("number", "integer") else {}


def _bound(numbers: Json, inclusive: str, exclusive: str) -> tuple[float, bool] | None:
    if inclusive in numbers:
        return numbers[inclusive], False
    return (numbers[exclusive], True) if exclusive in numbers else None


def _key(name: str, schema: Json, required: bool) -> Key:
    form, inner, type_name = "value", None, ""
    tables = [part for part in schema.get("oneOf", []) if part.get("type") == "object"]
    if tables:
        form, inner, type_name = "value_or_table", _table(tables[0]), _type(schema)
    elif schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        form, inner = "named_tables", _table(schema["additionalProperties"])
    elif schema.get("type") == "object" and "properties" in schema:
        form, inner = "table", _table(schema)
    elif schema.get("type") == "object":
        type_name = "Mapping[str, Any]"  # keys that other values decide
    elif schema.get("type") == "array" and "properties" in schema.get("items", {}):
        form, inner = "tables", _table(schema["items"])
    else:
        type_name = _type(schema)
    numbers = _numbers(schema)
    return Key(name=name, doc=schema.get("description", ""), form=form, type=type_name, required=required,
               has_default="default" in schema, default=schema.get("default"),
               minimum=_bound(numbers, "minimum", "exclusiveMinimum"),
               maximum=_bound(numbers, "maximum", "exclusiveMaximum"),
               words=tuple(schema.get("enum", ())), inner=inner)
