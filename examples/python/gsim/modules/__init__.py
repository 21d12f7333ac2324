"""A module of Python for each module of gsim, and for manifests of batches, with a class for each of its tables of keys.

    from gsim.modules import pricing
    config = pricing.Config(market=pricing.Market(rate=0.03, assets={"SPX": pricing.Market.Assets.BlackScholes(...)}))

The classes are made from the schema of the gsim program in use (gsim.use()), when a module is imported; those of plugins, too.
`Config` is the whole configuration; a table of its keys is the class of that name, a table within it a class within that
class, and each word of a key that decides which other keys there are (model, product, kind) a class within the class of the
table. Type stubs for editors are beside this file (gsim.stubs).
"""
from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib
import json
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from .. import stubs
from ..errors import ConfigError, GsimError
from ..program import current
from ..schema import read_schema
from ..tables import Table, build_class


class _Loader(importlib.abc.Loader):
    def __init__(self, name: str, schema_text: str) -> None:
        self.name, self.schema_text = name, schema_text

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Makes the classes."""
        schema = json.loads(self.schema_text)
        table = read_schema(schema, self.name)
        config = build_class("Config", table, schema["title"], module.__name__)
        classes: dict[str, type[Table]] = {"Config": config}
        classes.update((inner.__name__, inner) for inner in config._inner.values())
        module.__dict__.update(classes)
        module.__doc__ = f"The keys of {schema['title']} as classes: {', '.join(classes)}."
        module.__dict__["__all__"] = list(classes)
        stubs.refresh(self.name, self.schema_text)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None,
                  target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package != __name__ or name.startswith("_"):
            return None
        try:
            text = current().schema_text(name)
        except ConfigError:
            return None  # there is no such module
        except GsimError as error:
            raise ImportError(str(error), name=fullname) from error
        return importlib.machinery.ModuleSpec(fullname, _Loader(name, text), origin=f"gsim schema {name}")


def __getattr__(name: str) -> Any:
    """A module of gsim, for type checkers where there is no stub, and as an attribute: gsim.modules.pricing."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        known = ", ".join([*current().modules(), "batch"])
        raise AttributeError(f"gsim has no module {name}; there are {known}") from error


if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
    sys.meta_path.append(_Finder())
