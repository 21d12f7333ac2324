"""Configurations as objects: a class for each table of keys, made from the schema when a module of gsim.modules is imported.

A table is made from keyword arguments, or from a dict in the place of a table. Values are checked when they are set: names of
keys, types, words and ranges, with a ConfigError that names the key. What concerns several keys is checked by gsim.check().
"""
from __future__ import annotations

import datetime
import difflib
import inspect
import keyword
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from . import toml
from .errors import ConfigError
from .schema import Key
from .schema import Table as TableSchema

_CHECKS: dict[str, tuple[Any, str]] = {
    "float": (numbers.Real, "a number"),
    "int": (numbers.Integral, "a whole number"),
    "bool": (bool, "true or false"),
    "str": ((str, datetime.date), "a string"),  # dates, too: the schema has strings for keys that take dates
    "date": ((datetime.date, str), "a date"),
}


class Table:
    """Base of the classes of tables. Two tables are equal if they have the same keys with equal values.

    Reading a key that is not set gives its default, or None; reading a table that is not set gives an empty one, whose keys can
    be set: `config.stop.samples = 4096`. `del config.stop` removes a key. There are no methods whose names could be those of
    keys: gsim.to_dict(), gsim.to_toml(), gsim.check() and gsim.run() take tables.
    """

    _schema: ClassVar[TableSchema]
    _path: ClassVar[str] = ""  # of the table in a configuration, for messages: "market.assets"
    _word: ClassVar[str | None] = None  # of the selector, in a variant
    _variants: ClassVar[dict[str, type[Table]]] = {}
    _inner: ClassVar[dict[str, type[Table]]] = {}  # by names of keys

    _values: dict[str, Any]
    _implied: set[str]  # tables that were made by reading them

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_implied", set())
        schema = self._schema
        if self._word is not None and schema.selector is not None:
            self._values[schema.selector] = self._word
        if not self._path and (module := schema.find("module")) is not None and module.has_default:
            self._values["module"] = module.default
        for name, value in values.items():
            setattr(self, name, value)

    def _key(self, name: str) -> Key | None:
        variant = self._schema.variants.get(self._word or "")
        return (variant.find(name) if variant is not None else None) if self._word else self._schema.find(name)

    def __getattr__(self, name: str) -> Any:
        key = self._key(name) if not name.startswith("__") else None
        if key is None:
            raise AttributeError(_unknown(self, name))
        if key.name in self._values:
            return self._values[key.name]
        empty: Any = None
        if key.form == "table" and key.inner is not None:
            empty = self._inner[key.name]()
        elif key.form in ("tables", "named_tables"):
            empty = [] if key.form == "tables" else {}
        if empty is None:
            return key.default
        self._implied.add(key.name)
        self._values[key.name] = empty
        return empty

    def __setattr__(self, name: str, value: Any) -> None:
        key = self._key(name)
        if key is None:
            raise ConfigError(_unknown(self, name), f"{self._path}.{name}".lstrip("."))
        if value is None:
            self._values.pop(key.name, None)
            return
        if self._word is not None and key.name == self._schema.selector and value != self._word:
            message = f'{type(self).__qualname__} has {key.name} = "{self._word}"; make another object for {value!r}'
            raise ConfigError(message, name)
        self._implied.discard(key.name)
        self._values[key.name] = self._converted(key, value)

    def __delattr__(self, name: str) -> None:
        key = self._key(name)
        if key is None or key.name not in self._values:
            raise AttributeError(name)
        del self._values[key.name]

    def _converted(self, key: Key, value: Any) -> Any:
        inner = self._inner.get(key.name)
        where = f"{self._path}.{key.name}".lstrip(".")
        if inner is None or (key.form == "value_or_table" and not isinstance(value, (Mapping, Table))):
            return check_value(key, value, where)
        if key.form == "tables":
            if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
                raise ConfigError(f"{where} must be a list of tables, not {_shown(value)}", where)
            return [make(inner, element, f"{where}.{number}") for number, element in enumerate(value)]
        if key.form == "named_tables":
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where} must be a dict of tables, not {_shown(value)}", where)
            return {str(name): make(inner, element, f"{where}.{name}") for name, element in value.items()}
        return make(inner, value, where)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return bool(to_dict(self) == to_dict(other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self._values.items()
                 if not (name in self._implied and not to_dict(value)) and not (self._word and name == self._schema.selector)]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __dir__(self) -> list[str]:
        variant = self._schema.variants.get(self._word or "", self._schema)
        return sorted({*super().__dir__(), *(key.attribute for key in variant.keys)})


def make(table: type[Table], value: Any, where: str = "") -> Table:
    """A table of the class, or of its variant, from a dict; a table is returned as it is. ConfigError for other values."""
    if isinstance(value, Table):
        if not isinstance(value, table):
            raise ConfigError(f"{where} must be {table.__qualname__}, not {type(value).__qualname__}", where)
        return value
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} must be a table, {table.__qualname__} or a dict, not {_shown(value)}", where)
    schema = table._schema
    if schema.selector is not None and table._word is None:
        word = value.get(schema.selector, schema.default_variant)
        if isinstance(word, str) and word in table._variants:
            table = table._variants[word]
    try:
        made = table(**{str(name): inner for name, inner in value.items()})
    except ConfigError as error:
        raise _moved(error, table._path, where) from None
    if schema.selector is not None and schema.selector not in value:
        made._values.pop(schema.selector, None)  # the default word, which the dict does not have
    return made


def _moved(error: ConfigError, path: str, where: str) -> ConfigError:
    """The error with the path of this very table in place of that of its class: "trades.2" for "trades"."""
    if error.key is None or not path or path == where or not error.key.startswith(path):
        return error
    key = where + error.key[len(path):]
    return ConfigError(error.message.replace(error.key, key, 1), key)


def to_dict(config: Any) -> Any:
    """A configuration, or any table of it, as dicts, lists and values, with the keys that were set."""
    if isinstance(config, Table):
        values = {name: to_dict(value) for name, value in config._values.items()}
        return {name: value for name, value in values.items() if value or name not in config._implied}
    if isinstance(config, Mapping):
        return {str(name): to_dict(value) for name, value in config.items() if value is not None}
    if isinstance(config, (list, tuple)):
        return [to_dict(value) for value in config]
    return toml.plain(config)


def check_value(key: Key, value: Any, where: str) -> Any:
    """The value of a key as TOML has it. ConfigError if it has another type, or is out of range."""
    plain = toml.plain(value)
    if not any(_has_type(plain, alternative, key) for alternative in _alternatives(key.type)):
        raise ConfigError(f"{where} must be {_in_words(key)}, not {_shown(plain)}", where)
    for number in _numbers_in(plain):
        low, high = key.minimum, key.maximum
        too_low = low is not None and (number <= low[0] if low[1] else number < low[0])
        too_high = high is not None and (number >= high[0] if high[1] else number > high[0])
        if too_low or too_high:
            raise ConfigError(f"{where} = {_shown(plain)} is out of range: {key.bounds}; {key.doc}", where)
    return plain


def _alternatives(text: str) -> list[str]:
    """The parts of "float | Sequence[str]" that are not within brackets."""
    return [part for part in re.split(r" \| (?![^\[]*\])", text) if part]


def _has_type(value: Any, text: str, key: Key) -> bool:
    if text in ("Any", ""):
        return True
    if text.startswith("Literal["):
        return value in key.words or f"{value!r}" in text
    if text.startswith("Mapping["):
        return isinstance(value, Mapping)
    if text.startswith("Sequence["):
        inner = _alternatives(text[len("Sequence["):-1])
        return isinstance(value, list) and all(any(_has_type(item, part, key) for part in inner) for item in value)
    if text in ("float", "int") and isinstance(value, bool):
        return False
    return isinstance(value, _CHECKS[text][0])


def _in_words(key: Key) -> str:
    if key.words:
        return "one of " + ", ".join(f'"{word}"' for word in key.words)
    names = []
    for text in _alternatives(key.type):
        lists = text.count("Sequence[")
        inner = text.replace("Sequence[", "").rstrip("]")
        name = _CHECKS[inner][1] if inner in _CHECKS else "a table" if inner.startswith("Mapping") else "a value"
        names.append("a list of " * lists + (name.removeprefix("a ") + "s" if lists and name != "true or false" else name))
    return " or ".join(dict.fromkeys(names))


def _numbers_in(value: Any) -> Iterable[float]:
    if isinstance(value, list):
        for item in value:
            yield from _numbers_in(item)
    elif isinstance(value, numbers.Real) and not isinstance(value, bool):
        yield float(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _unknown(table: Table, name: str) -> str:
    variant = table._schema.variants.get(table._word or "", table._schema)
    names = [key.attribute for key in variant.keys]
    similar = difflib.get_close_matches(name, names, 1, 0.6)
    hint = f"did you mean `{similar[0]}`?" if similar else "its keys are " + ", ".join(names)
    return f"{type(table).__qualname__} has no key `{name}`; {hint}"


# ---- making the classes

def class_name(name: str) -> str:
    """"black_scholes" -> "BlackScholes"."""
    words = [word for word in re.split(r"\W|_", name) if word]
    text = "".join(word[0].upper() + word[1:] for word in words)
    if not text[:1].isalpha():
        text = f"_{text}"
    return f"{text}_" if keyword.iskeyword(text) else text


def build_class(name: str, schema: TableSchema, doc: str, module: str, path: str = "", outer: str = "") -> type[Table]:
    """The class of the table at `path`, with the classes of inner tables and of variants as attributes.

    `outer` is the qualified name of the class that it is in. The classes within `Config` are classes of the module instead.
    """
    qualified = f"{outer}.{name}".lstrip(".")
    is_top = not path and name == "Config"

    def inner_class(key: Key, owner: str) -> type[Table]:
        assert key.inner is not None
        return build_class(class_name(key.name), key.inner, key.doc, module, f"{path}.{key.name}".lstrip("."), owner)

    inner = {key.name: inner_class(key, "" if is_top else qualified) for key in schema.keys if key.inner is not None}
    members: dict[str, Any] = {} if is_top else {made.__name__: made for made in inner.values()}
    base = _new_class(name, qualified, (Table,), module, doc, schema, schema,
                      {**members, "_schema": schema, "_path": path, "_inner": inner})
    variants = {}
    for word, keys in schema.variants.items():
        variant = variant_name(word, members)
        own = {key.name: inner_class(key, f"{qualified}.{variant}") for key in own_tables(keys, schema)}
        variants[word] = _new_class(variant, f"{qualified}.{variant}", (base,), module,
                                    f"{doc}\n\n{schema.selector} = \"{word}\"", schema, keys,
                                    {**{made.__name__: made for made in own.values()}, "_word": word,
                                     "_inner": {**inner, **own}})
    for made in variants.values():
        setattr(base, made.__name__, made)
        made._variants = {}
    base._variants = variants
    return base


def own_tables(variant: TableSchema, base: TableSchema) -> list[Key]:
    """The tables of a variant that are other ones than those of its base."""
    def is_own(key: Key) -> bool:
        common = base.find(key.name)
        return key.inner is not None and (common is None or common.inner != key.inner)
    return [key for key in variant.keys if is_own(key)]


def variant_name(word: str, taken: Mapping[str, Any]) -> str:
    """The name of the class of a variant, which differs from those of the tables within it."""
    name = class_name(word)
    return f"{name}_" if name in taken else name


def document(doc: str, keys: Iterable[Key]) -> str:
    """The docstring of a class: what the table is, and a line for each key."""
    lines = [doc or "A table of keys.", ""]
    lines += [f"{key.attribute}: {key.text() or 'see gsim schema'}" for key in keys]
    return "\n".join(lines)


def _new_class(name: str, qualified: str, bases: tuple[type[Table], ...], module: str, doc: str, schema: TableSchema,
               keys: TableSchema, members: dict[str, Any]) -> type[Table]:
    made = type(name, bases, {**members, "__doc__": document(doc, keys.keys), "__module__": module, "__qualname__": qualified})
    shown = [key for key in keys.keys if not ("_word" in members and key.name == schema.selector)]
    parameters = [inspect.Parameter(key.attribute, inspect.Parameter.KEYWORD_ONLY,
                                    default=inspect.Parameter.empty if key.required else key.default)
                  for key in sorted(shown, key=lambda key: not key.required)]
    made.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return made
