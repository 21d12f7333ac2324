"""Reading, writing and checking configurations: objects of gsim.modules, dicts, or TOML files."""
from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import pathlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import tables, toml
from .errors import ConfigError, GsimError, config_error
from .program import PathLike, Program, current
from .tables import Table

Configuration = Table | Mapping[str, Any] | PathLike
"""What the functions of this package take: an object of gsim.modules, a dict, or the path of a TOML file."""


def to_dict(config: Configuration) -> dict[str, Any]:
    """The keys that are set, as dicts, lists and values."""
    if isinstance(config, (str, os.PathLike)):
        return _parse(pathlib.Path(config))
    values: dict[str, Any] = tables.to_dict(config)
    return values


def to_toml(config: Configuration) -> str:
    """The text of the configuration as TOML."""
    return toml.dumps(to_dict(config))


def save(config: Configuration, path: PathLike) -> pathlib.Path:
    """Writes a configuration as a TOML file, and returns its path. Names of files in it are then relative to its folder."""
    target = pathlib.Path(path)
    target.write_text(to_toml(config), encoding="utf-8")
    return target


def load(path: PathLike) -> Any:
    """A TOML file as an object Config of its module. Names of files in it stay relative to the folder of the file."""
    source = pathlib.Path(path)
    values = _parse(source)
    name = values.get("module", "batch" if "task" in values else None)
    if not isinstance(name, str):
        raise ConfigError(f"{source} has no key `module`", "module", str(source))
    config = tables.make(_classes(name).Config, values)
    object.__setattr__(config, "_folder", source.resolve().parent)
    return config


def _classes(module: str) -> Any:
    try:
        return importlib.import_module(f"gsim.modules.{module}")
    except ModuleNotFoundError as error:
        raise ConfigError(f"there is no module `{module}`; there are {', '.join(current().modules())}", "module") from error


def _parse(path: pathlib.Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", file=str(path)) from error
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", file=str(path)) from error


@dataclass(frozen=True)
class Forecast:
    """What `gsim check` says of a valid configuration: `text` is all of it, `memory` the bytes of a rank, `device` those on its
    GPU (empty without one) and `time` the elapsed time as it prints them ("1.2 GB per rank"), and `notes` its remarks."""

    text: str
    memory: str
    work: str
    time: str
    notes: tuple[str, ...]
    device: str = ""

    def __str__(self) -> str:
        return self.text


def check(config: Configuration, *, set: Mapping[str, Any] | None = None, ranks: int | None = None,
          folder: PathLike | None = None, program: Program | None = None) -> Forecast:
    """Checks a configuration as `gsim run` would, without running it, and forecasts its memory, work and time.

    `set` overrides keys by their dotted paths, and `ranks` forecasts a run on so many. Names of files are relative to `folder`
    (default: that of a file that was loaded, or the current one). ConfigError, which names the key, if it is wrong.
    """
    gsim = program or current()
    with written(config, folder) as source:
        words = ["check", source.path, *assignments(set)]
        if ranks is not None:
            words += ["--ranks", str(ranks)]
        try:
            text = gsim.call(*words).strip()
        except ConfigError as error:
            raise source.located(str(error)) from None
    lines = text.replace(pathlib.Path(source.path).stem, source.name).splitlines()
    values = {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
    notes = [line for line in lines[1:] if line.split(" ")[0] not in ("work", "memory", "device", "time", "results")]
    memory, device, work, time = (values.get(name, "").strip() for name in ("memory", "device", "work", "time"))
    return Forecast("\n".join(lines), memory, work, time, tuple(notes), device)


def assignments(keys: Mapping[str, Any] | None) -> list[str]:
    """The options --set of `gsim run` for keys by their dotted paths."""
    words = []
    for key, value in (keys or {}).items():
        words += ["--set", f"{key}={toml.value(tables.to_dict(value))}"]
    return words


@dataclass(frozen=True)
class Source:
    """A configuration as a file that gsim can read."""

    path: str
    text: str | None
    shown_as: str | None  # in messages, in place of the name of a temporary file
    name: str

    def located(self, stderr: str) -> ConfigError:
        """The exception for a message of gsim about this file."""
        error = config_error(stderr, self.text, self.shown_as)
        if self.shown_as is None:
            return error
        return ConfigError(error.message.replace(self.path, self.shown_as), error.key, error.file, error.line, error.column)


def check_name(name: str) -> None:
    """GsimError for a name that cannot be the beginning of the names of files."""
    if os.sep in name or not name:
        raise GsimError(f"{name!r} is not a name for files; `output` of a run and `folder` of a batch give the path of the results")


def write(config: Configuration, folder: PathLike | None = None, name: str | None = None) -> Source:
    """Writes a configuration that is no file into a hidden file of the folder to which names of files are relative."""
    if name is not None:
        check_name(name)
    if isinstance(config, (str, os.PathLike)):
        path = pathlib.Path(config)
        with contextlib.suppress(OSError, ValueError):
            return Source(str(path), path.read_text(encoding="utf-8"), None, name or path.stem)
        return Source(str(path), None, None, name or path.stem)
    text = to_toml(config)
    parent = pathlib.Path(folder if folder is not None else getattr(config, "__dict__", {}).get("_folder", "."))
    stem = name or "run"
    for number in itertools.count():  # another process may be starting a run of that name
        path = parent / (f".{stem}.{number}.toml" if number else f".{stem}.toml")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        except OSError as error:
            raise GsimError(f"the configuration cannot be written to {path}: {error.strerror}; give another `folder`") from error
        break
    return Source(str(path), text, name or "configuration", stem)


def remove(source: Source) -> None:
    """Removes the file if it is a temporary one."""
    if source.shown_as is not None:
        pathlib.Path(source.path).unlink(missing_ok=True)


@contextlib.contextmanager
def written(config: Configuration, folder: PathLike | None = None, name: str | None = None) -> Iterator[Source]:
    """The configuration as a file, as long as the context lasts."""
    source = write(config, folder, name)
    try:
        yield source
    finally:
        remove(source)
