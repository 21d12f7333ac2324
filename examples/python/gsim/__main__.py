"""python -m gsim stubs [--folder DIR] [--program GSIM] [--plugin FILE] [MODULE …]: writes the type stubs of gsim.modules."""
from __future__ import annotations

import argparse
import pathlib
import sys

from . import stubs
from .errors import GsimError
from .program import use


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m gsim", description=__doc__)
    parser.add_argument("action", choices=["stubs"])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all of gsim and of the plugins")
    parser.add_argument("--folder", type=pathlib.Path, default=stubs.FOLDER, help="default: that of the package")
    parser.add_argument("--program", help="the gsim program")
    parser.add_argument("--plugin", action="append", default=[], help="a plugin whose keys are included; repeatable")
    arguments = parser.parse_args()
    try:
        names = stubs.write_all(use(arguments.program, arguments.plugin), arguments.folder, arguments.modules)
    except (GsimError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.folder}: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
