#!/usr/bin/env python3
"""Messages and exit codes of the command line. usage: messages.py GSIM MPIEXEC"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from configurations import ONE_CALL

GSIM, MPIEXEC = sys.argv[1], sys.argv[2]
ROOT = pathlib.Path(__file__).resolve().parents[2]
VALID = ONE_CALL
ATOMS = """module = "md"
[md]
steps = 10
time_step = 0.005
[[type]]
name = "A"
mass = 1.0
[start]
kind = "lattice"
density = 0.8
cells = [5, 5, 5]
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
"""
failures = []


def run(*arguments, ranks=0, folder=None, variables=None):
    """Runs gsim, with mpiexec if `ranks` is not 0; returns exit code, stdout and stderr."""
    command = ([MPIEXEC, "-n", str(ranks)] if ranks else []) + [GSIM, *map(str, arguments)]
    environment = dict(os.environ, NO_COLOR="1", **(variables or {}))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          timeout=120, env=environment)
    return done.returncode, done.stdout, done.stderr


def check(condition, what, *details):
    if not condition:
        failures.append(what)
        print("FAILED:", what, *details, sep="\n  ")


def refused(name, words, *arguments, ranks=0, folder=None, variables=None):
    """Checks that gsim ends with exit status 2 and one message that contains all `words`, and writes nothing."""
    what = f"{name}, {ranks} ranks"
    before = contents(folder)
    code, out, err = run(*arguments, ranks=ranks, folder=folder, variables=variables)
    check(code == 2, f"{what}: exit code {code}", err)
    check(err.count("error:") == 1, f"{what}: one message", err)
    check(out == "", f"{what}: nothing on stdout", out)
    for word in words:
        check(word in err, f"{what}: `{word}` in the message", err)
    after = contents(folder)
    check(before == after, f"{what}: nothing written", *(p for p in after if before.get(p) != after[p]))


def contents(folder):
    """Maps the paths of all files and folders below `folder` to the files' sizes and times of change, and the bytes of those
    up to 1 MB."""
    found = {}
    for path in folder.rglob("*"):
        size, changed = path.lstat().st_size, path.lstat().st_mtime_ns
        found[str(path)] = (size, changed, path.read_bytes() if size <= 1_000_000 else None) if path.is_file() else None
    return found


def check_bad_input(folder):
    cases = {
        "unknown key": (VALID.replace("volatility", "voltaility"),
                        ["bad.toml:8:1: unknown key `voltaility`", "did you mean `volatility`?"]),
        "range": (VALID.replace("spot = 100.0", "spot = -1.0"), ["bad.toml:7:", "spot"]),
        "type": (VALID.replace("strike = 100.0", 'strike = "high"'), ["bad.toml:14:", "strike"]),
        "syntax": (VALID.replace("[market]", "[market"), ["bad.toml:4:"]),
        "asset": (VALID.replace('asset = "S"', 'asset = "T"'), ["bad.toml:12:", "`T`"]),
        "module": (VALID.replace('"pricing"', '"princing"'), ["princing", "pricing"]),
        "alternative of an alternative": (
            VALID.replace('product = "european"', 'product = "barrier"\nkind = "up_and_out"\nbarrier = 130.0\nfixing_count = 12'),
            ['`fixing_count` belongs to monitoring = "discrete"; this trade has monitoring = "continuous"']),
        "empty file": ("", ["bad.toml: missing key `module`"]),
        "binary file": ("\x7fELF\0\0", ["bad.toml", "not a text file"]),
    }
    refuse_all(cases, folder, in_parallel=("unknown key", "binary file"))
    os.mkfifo(folder / "pipe.toml")
    with (folder / "large.toml").open("wb") as large:
        large.truncate(300_000_000)
    for command in ("run", "check"):
        for ranks in (0, 2):
            refused("a pipe", ["pipe.toml: cannot be read: it is not a regular file"], command, "pipe.toml", ranks=ranks,
                    folder=folder)
            refused("a device", ["/dev/zero: cannot be read: it is not a regular file"], command, "/dev/zero", ranks=ranks,
                    folder=folder)
            refused("300 MB", ["large.toml: cannot be read: it has 300 MB, and a configuration at most 256"], command,
                    "large.toml", ranks=ranks, folder=folder)
    for name in ("pipe.toml", "large.toml"):
        (folder / name).unlink()


def check_bad_curves(folder):
    """Messages about dates and curves, each with file and line."""
    dated = VALID.replace("[market]\n", "[market]\ndate = 2026-11-27\n")
    check_without_quantlib(dated, folder)
    check_bad_ore_files(folder)
    (folder / "dated.toml").write_text(dated)
    has_dates = run("check", "dated.toml", folder=folder)[0] == 0
    (folder / "dated.toml").unlink()
    if not has_dates:  # gsim was built without QuantLib
        return
    curve = '[market.curves.C]\ncurrency = "EUR"\nquotes_file = "quotes.csv"\n'
    (folder / "quotes.csv").write_text("type,maturity,rate\ndeposit,6M,0.02\nswap,2Y,0.021\nswap,3Y,2.2\n")
    cases = {
        "no such day": (dated.replace("maturity = 1.0", "maturity = \"2027-02-29\""),
                        ["bad.toml:16:12: `maturity`: there is no day 2027-02-29", "in trade `call`"]),
        "no date of today": (VALID.replace("maturity = 1.0", 'maturity = "6M"'),
                             ["bad.toml:15:12: `maturity`: \"6M\" needs the date of today; set market.date"]),
        "calendar": (dated.replace("rate =", 'calendar = "Mars"\nrate ='),
                     ["bad.toml:6:12: no calendar `Mars`; the calendars are none, weekends, TARGET"]),
        "pillars": (dated + "[market.curves.C]\ntimes = [1.0, 0.5]\nvalues = [0.01, 0.01]\n",
                    ["bad.toml:18:9: pillars must be positive and increasing, but pillar 2 is 0.5"]),
        "quotes": (dated + curve, ["quotes.csv:4:6: the quotes of curve `C` admit no curve", "gives the swap 3Y the par rate 2.2"]),
    }
    refuse_all(cases, folder, in_parallel=("quotes",))
    (folder / "quotes.csv").unlink()


def check_without_quantlib(dated, folder):
    """Dates are refused, and years accepted, where the library that is linked with QuantLib is not beside libgsim."""
    with tempfile.TemporaryDirectory() as alone:
        for library in (pathlib.Path(GSIM).resolve().parents[1] / "lib").glob("libgsim.so*"):
            (pathlib.Path(alone) / library.name).symlink_to(library)
        variables = {"LD_LIBRARY_PATH": alone}
        (folder / "bad.toml").write_text(dated)
        refused("no QuantLib", ["bad.toml:5:8: dates need QuantLib, and libgsim_dates.so", f"{alone}/libgsim_dates.so"],
                "run", "bad.toml", folder=folder, variables=variables)
        (folder / "bad.toml").write_text(VALID)
        code, _, err = run("check", "bad.toml", folder=folder, variables=variables)
        check(code == 0, "years without QuantLib", err)
    (folder / "bad.toml").unlink()


def check_bad_ore_files(folder):
    """Files of Open Source Risk Engine: refused where the library that is linked with pugixml is not beside libgsim, and on
    several ranks with one message."""
    for file in (ROOT / "examples/ore").iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    has_files = run("check", "ore.toml", folder=folder)[0] == 0
    if has_files:  # gsim was built with QuantLib and pugixml
        with tempfile.TemporaryDirectory() as alone:
            for library in (pathlib.Path(GSIM).resolve().parents[1] / "lib").glob("libgsim*.so*"):
                if "xml" not in library.name:
                    (pathlib.Path(alone) / library.name).symlink_to(library)
            refused("no pugixml", ["todaysmarket.xml: XML files need pugixml, and libgsim_xml.so",
                                   f"{alone}/libgsim_xml.so"],
                    "run", "ore.toml", folder=folder, variables={"LD_LIBRARY_PATH": alone})
        portfolio = (folder / "portfolio.xml").read_text()
        (folder / "portfolio.xml").write_text(portfolio.replace("<Quantity>", "<Knock>1</Knock><Quantity>", 1))
        for ranks in (0, 4):
            refused("unknown element", ["portfolio.xml:25:8: <EquityOptionData/Knock> is not understood", "in trade `CALL`"],
                    "run", "ore.toml", ranks=ranks, folder=folder)
    for file in (ROOT / "examples/ore").iterdir():
        (folder / file.name).unlink(missing_ok=True)


def refuse_all(cases, folder, in_parallel):
    for name, (text, expected) in cases.items():
        (folder / "bad.toml").write_text(text)
        for ranks in (0, 4) if name in in_parallel else (0,):
            refused(name, expected, "run", "bad.toml", ranks=ranks, folder=folder)
    (folder / "bad.toml").unlink()


def check_bad_md(folder):
    (folder / "bad.data").write_text(
        "title\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\n"
        "Masses\n\n1 1.0\n\nAtoms # atomic\n\n1 1 0 O 0\n")
    in_file = ATOMS.replace('name = "A"', 'name = "1"')
    lattice = 'kind = "lattice"\ndensity = 0.8\ncells = [5, 5, 5]'
    cases = {
        "potential": (ATOMS.replace("lennard", "lenard"),
                      ["bad.toml:15:8", "`kind`", 'did you mean "lennard_jones"?']),
        "list of potentials": (ATOMS.replace("pair.potential", "pair.potentials"),
                               ["bad.toml:14:8: unknown table `potentials` in [pair]",
                                "did you mean `potential`?"]),
        "key of [pair]": (ATOMS.replace("cutoff", "cutof"),
                          ["bad.toml:13:1: unknown key `cutof` in [pair]", "`cutoff`?"]),
        "[bonded]": (ATOMS + "[bonds]\n[[bonded.bonds]]\n",
                     ["bad.toml:18:2: unknown table `bonds`", "it belongs in [bonded]"]),
        "mass": (ATOMS.replace("mass = 1.0\n", ""), ["bad.toml:6:8: type `A` has no mass"]),
        "box": (ATOMS.replace("5, 5, 5", "2, 2, 2"),
                ["bad.toml:11:9: the box is 3.41995 wide across x, and must be 5.6 at least",
                 "the cutoff 2.5 (bad.toml:13) and the skin 0.3", "make the box larger"]),
        "box of a file": (in_file.replace(lattice, 'kind = "lammps_data"\nfile = "small.data"'),
                          ["bad.toml:10:8: the box is 5 wide", "(bad.toml:12)"]),
        "type of a pair": (ATOMS + 'types = ["A", "B"]\n', ["bad.toml:18:9", "no type `B`"]),
        "skin": (ATOMS.replace("time_step", "skin = -1\ntime_step"), ["bad.toml:4:8", "`skin`"]),
        "charges": (ATOMS.replace("mass", "charge = 1.0\nmass"),
                    ["bad.toml:10:8: atoms have charges", "add [coulomb]"]),
        "no forces": (ATOMS[:ATOMS.index("[pair]")],
                      ["bad.toml: no table says which forces act", "[pair]"]),
        "file": (ATOMS.replace(lattice, 'kind = "lammps_data"\nfile = "no.data"'),
                 ["bad.toml:10:8: no file no.data"]),
        "word for a coordinate": (in_file.replace(lattice, 'kind = "lammps_data"\nfile = "bad.data"'),
                  ['bad.data:15: y is "O", not a number']),
        "group": (ATOMS + '[[group]]\nname = "g"\nids = [501, 502]\nfrozen = true\n',
                  ["bad.toml:20:7: group `g` holds no atom", "correct"]),
        "far pairs": (ATOMS + '[[observe]]\nkind = "radial_distribution"\nr_max = 9.0\n',
                      ["bad.toml:20:9: ", "r_max = 9", "choose a smaller r_max"]),
        **bad_bonds(lattice), **bad_motion(), **bad_files(lattice), **bad_lists(),
        "open box with a tail": (
            ATOMS.replace(lattice, lattice + '\nboundaries = ["open", "periodic", "open"]')
            .replace("cutoff = 2.5", "cutoff = 2.5\ntail = true"),
            ["bad.toml:15:8: tail = true", "open along x", "set tail = false"]),
        "name": (ATOMS.replace('name = "A"', 'name = ""'), ["bad.toml:6:8: a type needs a name"]),
        "blank in a name": (ATOMS.replace('name = "A"', 'name = "A\\nB"'),
                            ["bad.toml:6:8: `A\\nB` holds a blank"]),
        "copies": (in_file.replace(lattice, 'kind = "lammps_data"\nfile = "small.data"\n'
                                   "replicate = [100000, 100000, 100000]"),
                   ["bad.toml:11:13: all copies together have 1e+15 atoms", "fewer copies"]),
        "steps": (ATOMS.replace("steps = 10", "steps = 10000000000000000"),
                  ["bad.toml:3:9: `steps` must be at least 0 and at most"]),
        "open box of Ewald": (
            ATOMS.replace(lattice, lattice + '\nboundaries = ["periodic", "periodic", "open"]')
            .replace("mass", "charge = 1.0\nmass") + '[coulomb]\nmethod = "ewald"\ncutoff = 2.5\n',
            ["bad.toml:21:10: Ewald's sum needs a periodic box", "axis z is open"]),
        "two types": (ATOMS + '[[type]]\nname = "A"\nmass = 1.0\n',
                      ["bad.toml:19:8: two types have the name `A`"]),
        "full box": (ATOMS.replace(lattice, 'kind = "random"\natoms = [300]\n'
                                   "lengths = [7, 7, 7]\ndistance = 3.0"),
                     ["bad.toml:12:12: no free position was found for atom ", "smaller distance"]),
        "speeds": (ATOMS + "[balance]\nspeeds = [1.0, 1.0, 1.0]\n",
                   ["bad.toml:19:10: balance.speeds has 3 numbers"]),
        "charges of Ewald": (ATOMS + '[coulomb]\nmethod = "ewald"\ncutoff = 2.5\n',
                             ["bad.toml:19:10: ", "no atom has a charge"]),
    }
    small = (folder / "bad.data").read_text().replace("0 O 0", "0 0 0").replace("0 9", "0 5")
    (folder / "small.data").write_text(small)
    parallel = ("potential", "charges", "word for a coordinate", "group", "box", "frozen", "trajectory's types")
    refuse_all(cases, folder, in_parallel=parallel)


def bad_bonds(lattice):
    """Configurations whose table [bonded] does not match the initial state, and their messages."""
    chains = ATOMS.replace(lattice, 'kind = "chains"\nchains = 20\nlength = 20\ndensity = 0.8')
    bonds = '[bonded]\nexclude = ["1-2"]\n'
    fene = '[[bonded.bonds]]\nname = "1"\nkind = "fene"\nk = 30.0\nr0 = 1.5\n'
    angle = '[[bonded.angles]]\nname = "1"\nkind = "cosine"\nk = 1.0\n'
    return {
        "name of a bond": (chains + bonds + fene.replace('"1"', '"2"'),
                           ["bad.toml:22:8: [[bonded.bonds]] gives type `2`", "its types are 1"]),
        "kind of a bond": (chains + bonds + fene.replace("fene", "fenne"),
                           ["bad.toml:23:8: `kind`", 'did you mean "fene"?']),
        "table of bonds": (chains + bonds + fene.replace("bonds", "bond"),
                           ["bad.toml:21:10: unknown table `bond` in [bonded]", "`bonds`?"]),
        "angle": (chains + bonds + fene + angle,
                  ["bad.toml:27:8: [[bonded.angles]] gives type `1`", "the start has no angles"]),
        "no bond": (chains + bonds, ["bad.toml:19:2: type `1` of the system's bonds",
                                     "add a table [[bonded.bonds]]"]),
        "no [bonded]": (chains, ["bad.toml:9:8: the start has bonds", "add [bonded]"]),
        "no bonds": (ATOMS + bonds + fene, ["bad.toml:18:2: there is a table [bonded]"]),
        "two bonds": (chains + bonds + fene + fene,
                      ["bad.toml:27:8: two of [[bonded.bonds]] have the name `1`"]),
        "long bonds": (chains + bonds + fene.replace("1.5", "9.0"),
                       ["bad.toml:12:11: the box is 7.93701 wide across x, and must be 18",
                        "reach of bonds and angles, 9 (bad.toml:19)"]),
        "scaled pairs": (chains.replace("= 20\nl", "= 90\nl") + chains[chains.index("[[pair"):] +
                         bonds + "scale_14 = { lennard_jones = 0.5 }\n" + fene,
                         ["bad.toml:25:1: [bonded] scale_14 is given for 1-4 pairs", "leave out [bonded] scale_14"]),
    }


def bad_motion():
    """Configurations with invalid thermostats, barostats or groups, and their messages."""
    thermostat = '[thermostat]\nkind = "nose_hoover"\ntime = 1.0\ntemperature = 1.0\n'
    barostat = '[barostat]\nkind = "mtk"\ntime = 1.0\npressure = 1.0\n'
    group = '[[group]]\nname = "g"\nids = [1, 500]\nfrozen = true\n'
    half_open = ATOMS.replace("cells", 'boundaries = ["open", "periodic", "periodic"]\ncells')
    with_velocities = ATOMS.replace("cells", "temperature = 1.0\ncells")
    return {
        "frozen": (ATOMS + group, ["bad.toml:20:7: no atom can move"]),
        "frozen and warm": (ATOMS + group + thermostat + group.replace('"g"', '"h"') + thermostat.replace(
            "[thermostat]", "[group.thermostat]"), ["atoms that do not move have no temperature"]),
        "thermostat without atoms": (ATOMS + group.replace("frozen = true\n", "") + thermostat.replace(
            "[thermostat]", "[group.thermostat]") + thermostat,
            ["bad.toml:25:2: [thermostat] acts on no atom"]),
        "one atom": (with_velocities + group.replace("500", "499"),
                     ["bad.toml:11:15: one atom that moves", "zero_momentum = false"]),
        "time": (ATOMS + thermostat.replace("time = 1.0", "time = 0.01"),
                 ["bad.toml:20:8: the time of the thermostat, 0.01", "five time steps of 0.005"]),
        "time of a barostat": (ATOMS + thermostat + barostat.replace("time = 1.0", "time = 0.01"),
                               ["bad.toml:24:8: the time of the barostat"]),
        "open box under pressure": (half_open + thermostat + barostat,
                                    ["bad.toml:23:2: a barostat changes all box lengths", "open along x"]),
    }


def bad_files(lattice):
    """Configurations whose trajectory files would replace other files, and their messages."""
    table = '[[trajectory]]\nevery = 5\nfile = "%s"\n'
    text = table + 'format = "xyz"\n'
    in_file = ATOMS.replace('name = "A"', 'name = "1"').replace(
        lattice, 'kind = "lammps_data"\nfile = "small.data"').replace("2.5", "1.5")
    return {
        "trajectory's folder": (ATOMS + text % ".", ["bad.toml:20:8: . is a folder"]),
        "trajectory below a file": (ATOMS + text % "bad.toml/t.xyz",
                                    ["bad.toml:20:8: cannot write", "bad.toml is no folder"]),
        "trajectory on itself": (ATOMS + text % "bad.toml",
                                 ["bad.toml:20:8: the trajectory", "overwrite bad.toml"]),
        "trajectory on the start": (in_file + text % "small.data",
                                    ["bad.toml:19:8: ", "overwrite small.data"]),
        "trajectory on the results": (ATOMS + table % "results/bad.h5",
                                      ["bad.toml:20:8: ", "overwrite results/bad.h5"]),
        "trajectory on a file": (ATOMS + table % "bad.data", ["bad.toml:20:8: ", "bad.data"]),
    }


def bad_lists():
    """Configurations with invalid lists of observers and trajectories or a renamed table, and their messages."""
    two_types = ATOMS.replace("[start]", '[[type]]\nname = "B"\nmass = 1.0\n[start]')
    observe = '[[observe]]\nkind = "mean_square_displacement"\n'
    return {
        "trajectory's types": (two_types + '[[trajectory]]\nevery = 5\ntypes = ["B"]\n',
                               ["bad.toml:23:9: no atom is of type `B`", "leave it out"]),
        "observer's types": (two_types + observe + 'types = ["B"]\n',
                             ["bad.toml:23:9: no atom is of type `B`", "leave it out"]),
        "types twice": (two_types + observe + 'types = ["A", "A"]\n',
                        ["bad.toml:23:9: type `A` is given twice"]),
        "levels": (ATOMS + observe + "lags = 10000\nlevels = 16\n",
                   ["bad.toml:21:10: ", "choose fewer levels"]),
        "conductivity": (ATOMS + '[[observe]]\nkind = "conductivity"\n',
                         ["bad.toml:19:8: ", "no atom has a charge"]),
    }


def check_md_warnings(folder):
    """Checks that `run` and `check` warn once of settings that are probably not intended."""
    charged = ATOMS.replace("mass", "charge = 0.5\nmass")
    charged += '[coulomb]\nmethod = "ewald"\ncutoff = 2.5\n'
    late = ATOMS + '[[observe]]\nkind = "viscosity"\nfrom = 20\n[[trajectory]]\nevery = 40\n'
    samples = ATOMS + "[stop]\nsamples = 100\n"
    cases = {
        "charged": (charged, ["warn.toml:20:", "add up to 250, not to 0", "uniform background"]),
        "begins after the end": (late + "from = 1\n", ["warn.toml:20:", "begins at step 100, after",
                                       "warn.toml:23:", "begins at step 40"]),
        "samples": (samples, ["stop.samples has no effect here"]),
    }
    for name, (text, words) in cases.items():
        (folder / "warn.toml").write_text(text)
        for command, ranks in (("check", 0), ("run", 0), ("run", 2)):
            code, out, err = run(command, "warn.toml", ranks=ranks, folder=folder)
            check(code == 0, f"{name}, {command}: exit code {code}", err)
            for word in words:
                check(err.count(word) == 1, f"{name}, {command}: `{word}` once", err)


def check_exchanged_elements(folder):
    """Checks that atom types whose masses belong to other elements than [eam] names give one warning on any number of
    ranks, and that matching masses give none."""
    numbers = " ".join(["0.1"] * 20) + "\n"
    (folder / "NiAl.eam.alloy").write_text(
        "one\ntwo\nthree\n2 Ni Al\n20 0.1 20 0.2 3.8\n28 58.69 3.52 fcc\n" + 2 * numbers +
        "13 26.98 4.05 fcc\n" + 2 * numbers + 3 * numbers)
    atoms = "".join(f"{i + 1} {1 + i % 2} {4 * (i // 16) + 1} {4 * (i // 4 % 4) + 1} {4 * (i % 4) + 1}\n"
                    for i in range(64))
    text = """module = "md"
[md]
units = "metal"
steps = 2
time_step = 0.001
[start]
kind = "lammps_data"
file = "alloy.data"
[eam]
format = "eam.alloy"
file = "NiAl.eam.alloy"
elements = ["Ni", "Al"]
"""
    for masses, words in (("1 26.98\n2 58.69", "are the elements exchanged?"), ("1 58.69\n2 26.98", "")):
        (folder / "alloy.data").write_text(
            "alloy\n\n64 atoms\n2 atom types\n0 16 xlo xhi\n0 16 ylo yhi\n0 16 zlo zhi\n\n"
            f"Masses\n\n{masses}\n\nAtoms # atomic\n\n{atoms}")
        (folder / "alloy.toml").write_text(text)
        for command, ranks in (("check", 0), ("run", 0), ("run", 2), ("run", 3)):
            code, out, error = run(command, "alloy.toml", ranks=ranks, folder=folder)
            what = f"{command} of exchanged elements on {ranks} ranks"
            check(code == 0, f"{what}: exit code {code}", out, error)
            lines = [x for x in error.splitlines() if "are the elements exchanged?" in x]
            check(len(lines) == (1 if words else 0), f"{what}: {len(lines)} warnings", out, error)
            if words and lines:
                check(lines[0].startswith("warning: ") and "alloy.toml:" in lines[0] and
                      "type `1` has the mass 26.98 (that of Al), and its element in [eam] is Ni" in lines[0],
                      f"{what}: {lines[0]}")
            shutil.rmtree(folder / "results", ignore_errors=True)


def check_bad_usage(folder):
    (folder / "good.toml").write_text(VALID)
    (folder / "result.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    main_help, run_help = "see `gsim --help`", "see `gsim run --help`"
    cases = [
        (["rnu", "good.toml"], ["no command `rnu`", "did you mean `run`?", main_help]),
        (["--versoin"], ["no option `--versoin`", "did you mean `--version`?", main_help]),
        (["run"], ["CONFIG is missing", "gsim run CONFIG", run_help]),
        (["run", ""], ["CONFIG is empty"]),
        (["run", "good.toml", "more.toml"], ["one CONFIG", "`more.toml`"]),
        (["run", "good.toml", "--resum"],
         ["`gsim run` has no option `--resum`", "did you mean `--resume`?", run_help]),
        (["run", "good.toml", "--thread=2"], ["`--thread`", "did you mean `--threads`?"]),
        (["run", "good.toml", "--threads"], ["--threads needs a value: --threads N"]),
        (["run", "good.toml", "--threads", "two"], ["--threads takes a whole number, not `two`"]),
        (["run", "good.toml", "--threads", "5000"], ["--threads", "up to 4096, not 5000"]),
        (["validate", "--threads", "-1"], ["--threads takes a whole number, not `-1`"]),
        (["run", "good.toml", "--device", "gpu"], ["--device takes auto, cpu or cuda, not `gpu`"]),
        (["run", "good.toml", "--resume", "auto"], ["did you mean `--resume=auto`?"]),
        (["run", "good.toml", "--resume=no"], ["--resume takes no value, or =auto, not `no`"]),
        (["run", "good.toml", "--output", ""], ["--output is empty"]),
        (["run", "good.toml", "--set", "spot"], ["--set spot: there is no value"]),
        (["run", "good.toml", "--resume"], ["nothing to resume", "--resume=auto"]),
        (["run", "missing.toml"], ["missing.toml", "No such file"]),
        (["run", "."], ["it is a folder"]),
        (["run", "result.h5"], ["result.h5", "gsim inspect"]),
        (["run", "good.toml", "--output", "good.toml"], ["good.toml exists and holds no results"]),
        (["run", "good.toml", "--output", "good.toml/x.h5"], ["cannot write good.toml/x.h5"]),
        (["run", "good.toml", "--output", "."], [". is a folder"]),
        (["inspect"], ["FILE is missing"]),
        (["inspect", "good.toml"], ["not an HDF5 file"]),
        (["inspect", "."], ["it is a folder"]),
        (["schema", "prcing"], ["`prcing`", "did you mean `pricing`?"]),
        (["info", "all"], ["`gsim info` takes no `all`"]),
        (["validate", "--quick", "--full"], ["--full excludes --quick"]),
    ]
    in_parallel = ("rnu good.toml", "run", "run good.toml --resume", "run missing.toml",
                   "run good.toml --output good.toml")
    for arguments, words in cases:
        name = " ".join(arguments)
        for ranks in (0, 4) if name in in_parallel else (0,):
            refused(name, words, *arguments, ranks=ranks, folder=folder)
    for ranks in (0, 2):
        refused("renamed variable", ["GSIM_IO_PATIENCE was renamed to GSIM_IO_TIMEOUT"], "run", "good.toml",
                ranks=ranks, folder=folder, variables={"GSIM_IO_PATIENCE": "8"})
        refused("a number of units that is none", ["GSIM_MAX_SLICE=0 is not a positive integer", "unset it"], "run", "good.toml",
                ranks=ranks, folder=folder, variables={"GSIM_MAX_SLICE": "0"})
    code, out, err = run(folder=folder)
    check(code == 2 and out == "" and "Commands:" in err, "no command: help", out, err)
    for arguments in (["--help"], ["help"]):
        code, out, err = run(*arguments, folder=folder)
        check(code == 0 and "Commands:" in out and err == "", f"gsim {arguments[0]}", out, err)


def check_valid_run(folder):
    (folder / "good.toml").write_text(VALID)
    before = sorted(p.name for p in folder.rglob("*"))
    code, out, err = run("check", "good.toml", folder=folder)
    check(code == 0 and "valid" in out, "check accepts", out, err)
    check(before == sorted(p.name for p in folder.rglob("*")), "check writes nothing")
    code, out, err = run("run", "good.toml", "--quiet", folder=folder)
    check(code == 0 and (folder / "results/good.h5").exists(), "quiet run", out, err)
    code, out, err = run("run", "good.toml", "--log", "json", "--set", "market.rate=0.02",
                         folder=folder)
    events = [json.loads(line) for line in out.splitlines()]
    check(code == 0 and events and "digest" in events[-1], "JSON events", out, err)
    check(not (folder / "results/good.h5.partial").exists(), "no partial file is left")
    code, out, err = run("inspect", "results/good.h5", "--json", folder=folder)
    check(code == 0 and json.loads(out), "inspect --json", out[:300], err)
    check((folder / "results/good.1.h5").exists(), "the former results are kept", out)
    refused("--set of an unknown key", ["--set market.rat=1"], "run", "good.toml", "--set",
            "market.rat=1", folder=folder)
    (folder / "empty.h5").write_text("")
    code, out, err = run("inspect", "empty.h5", folder=folder)
    check(code == 2 and err.count("error:") == 1, "inspect refuses a file that is not HDF5", err)


def check_skipped_trades(folder):
    """Checks that the JSON events name skipped trades and the reasons."""
    invalid_trade = VALID.replace('"call"\nproduct', '"bad \\"one\\""\nproduct').replace("= 1.0", "= -1.0")
    (folder / "skip.toml").write_text('pricing.on_error = "skip"\n' + VALID +
                                      invalid_trade[invalid_trade.index("[[trades]]"):])
    code, out, err = run("run", "skip.toml", "--log", "json", folder=folder)
    events = [json.loads(line) for line in out.splitlines()]
    skipped = [e for e in events if e["event"] == "skipped"]
    check(code == 0 and [e["name"] for e in skipped] == ['bad "one"'], "skipped: name", out, err)
    check("skip.toml:23:12: `maturity` must be" in skipped[0]["reason"], "skipped: reason", out)
    check(events[-1]["event"] == "end" and events[-1]["skipped"] == 1, "skipped: count", out)
    code, out, err = run("run", "good.toml", "--log", "json", folder=folder)
    check(json.loads(out.splitlines()[-1])["skipped"] == 0, "skipped: none", out, err)


def check_unknown_errors(folder):
    """Checks that an unknown standard error is null in JSON, with a remark, also when the wall time ends the run."""
    text = VALID.replace('"european"', '"digital"').replace("strike = 100.0", "strike = 20.0")
    long = text.replace("samples = 16384", "samples = 1000000000000\nwall_time = 0.5")
    (folder / "same_payoffs.toml").write_text(long)
    code, out, err = run("run", "same_payoffs.toml", "--log", "json", "--set", "stop.relative_error=1e-3",
                         folder=folder)
    events = [json.loads(line) for line in out.splitlines()]
    estimates = [e for e in events if e["event"] == "estimate"]
    check(code == 0 and len(estimates) == 1 and events[-1]["reason"] == "wall_time",
          "unknown error: results", out, err)
    check(estimates[0]["standard_error"] is None and not estimates[0]["converged"] and
          f"all {estimates[0]['count']} samples paid the same" in estimates[0]["remark"],
          "unknown error: null with a remark", out)


def check_unusual_ids(folder):
    """Checks that ids with any characters are printed on one line of limited length without control characters."""
    trades = VALID[VALID.index("[[trades]]"):]
    control = trades.replace('"call"\nproduct', r'"a\nb\u001b[2J\u009b1m"' + "\nproduct")
    long = trades.replace('"call"\nproduct', f'"{"x" * 5000}"\nproduct')
    huge = trades.replace('"call"\nproduct', '"huge"\nquantity = 1e300\nproduct')
    (folder / "unusual.toml").write_text(VALID + control + long + huge)
    code, out, err = run("run", "unusual.toml", folder=folder)
    check(code == 0 and r"a\nb\x1b[2J\x9b1m " in out, "an unusual id", out, err)
    check(max(map(len, out.splitlines())) < 200, "a long id is cut", out)
    check("x" * 39 + "…  European call" in out, "a cut id", out)
    check("e+301 " in out and "e+298 " in out, "numbers beyond 1e15", out)
    inspected = run("inspect", "results/unusual.h5", folder=folder)[1]
    check(r"a\nb\x1b[2J\x9b1m" in inspected, "inspect: an unusual id", inspected)
    (folder / "unusual.toml").write_text(VALID + control + control + long.replace("= 1.0", "= -1.0"))
    refusals = [run("run", "unusual.toml", folder=folder)[2]]
    (folder / "unusual.toml").write_text(VALID + control + control)
    refusals.append(run("run", "unusual.toml", folder=folder)[2])
    check(f"in trade `{'x' * 59}…`" in refusals[0], "an error in a long id's trade", refusals[0])
    check("trade id `a\\nb\\x1b[2J" in refusals[1], "an unusual id twice", refusals[1])
    (folder / "unusual.toml").write_text(VALID.replace('asset = "S"', f'asset = "{"x" * 5000}"'))
    refusals.append(run("run", "unusual.toml", folder=folder)[2])
    check(f"no asset `{'x' * 59}…`" in refusals[2], "an asset that is not there", refusals[2])
    (folder / "unusual.toml").write_text(ATOMS + f'types = ["A", "\\n{"x" * 5000}"]\n')
    refusals.append(run("run", "unusual.toml", folder=folder)[2])
    check(f"no type `\\n{'x' * 57}…`" in refusals[3], "a type that is not there", refusals[3])
    (folder / "unusual.toml").write_text(VALID + f'{"x" * 5000} = 1\n')
    refusals.append(run("run", "unusual.toml", folder=folder)[2])
    check(f"unknown key `{'x' * 59}…`" in refusals[4], "a key that is not there", refusals[4])
    for text in refusals:
        check(max(map(len, text.splitlines())) < 250, "a message is cut", text)
    for text in (out, err, inspected, *refusals):
        check("\x1b" not in text and "\x9b" not in text, "no control characters", repr(text))


def check_stop_rule(folder):
    (folder / "open.toml").write_text(VALID.replace("samples = 16384", "relative_error = 0.05"))
    code, out, err = run("run", "open.toml", folder=folder)
    check(code == 0 and "stops at relative error 0.05 or 2^24 samples\n" in out,
          "the stop rule counts samples", out, err)


def check_too_large(folder):
    """Checks that `check` and `run` refuse a run that needs far more memory than the machine has."""
    (folder / "large.toml").write_text(ATOMS.replace("[5, 5, 5]", "[20000, 20000, 20000]"))
    for command, ranks in (("check", 0), ("run", 0), ("run", 2)):
        refused(f"too large, {command}", ["B of memory by the forecast, and this machine has "], command,
                "large.toml", ranks=ranks, folder=folder)


def check_other_commands(folder):
    code, out, err = run("schema", "pricing", "--json", folder=folder)
    check(code == 0 and json.loads(out)["additionalProperties"] is False, "schema --json", err)
    code, out, err = run("schema", "pricing", folder=folder)
    check(code == 0 and "steps_per_year" in out, "schema", err)
    code, out, err = run("info", folder=folder)
    check(code == 0 and "MPICH" in out or "MPI" in out, "info", out, err)
    for command in ("run", "check", "schema", "inspect", "validate", "info"):
        code, out, err = run(command, "--help", folder=folder)
        check(code == 0 and "gsim " + command in out, f"{command} --help shows an example", out)
        check(run("help", command, folder=folder)[1] == out, f"gsim help {command}")
        for remark in ("TEXT", "REQUIRED", "{", "Excludes"):
            check(remark not in out, f"{command} --help: {remark}", out)
        check(all(len(line) <= 90 for line in out.splitlines()), f"{command} --help is wide", out)
    for config in sorted((ROOT / "configs").glob("*/*.toml")):  # not configs/*/data, which are not configurations
        if config.name == "mcpl_read.toml":  # reads the file that another run writes; tested by particle_file.py
            continue
        code, out, err = run("check", config, "--measure", "0", folder=folder)
        check(code == 0, f"check accepts {config.name}", out, err)


def check_launcher(folder):
    """Checks that `gsim info` names the launcher of the MPI that gsim uses, also where `mpiexec` is that of another MPI."""
    (folder / "foreign").mkdir()
    foreign = folder / "foreign/mpiexec"
    foreign.write_text("#!/bin/sh\necho another MPI; exit 3\n")
    foreign.chmod(0o755)
    path = f"{folder / 'foreign'}:{os.environ['PATH']}"
    done = subprocess.run([GSIM, "info"], capture_output=True, text=True, check=False, timeout=120,
                          env=dict(os.environ, NO_COLOR="1", PATH=path))
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("start ")]
    check(len(lines) == 1 and lines[0][2:4] == ["-n", "N"], "info: how to start ranks", done.stdout)
    program = shutil.which(lines[0][1], path=path) if lines else None
    check(program is not None and os.path.realpath(program) == os.path.realpath(MPIEXEC),
          f"info: the launcher {program}, not {MPIEXEC}")
    shutil.rmtree(folder / "foreign")


def check_stdout_errors(folder):
    """Checks that a write error on stdout ends gsim with an error, also where stdout was closed from the start."""
    (folder / "good.toml").write_text(VALID)
    run("run", "good.toml", "--quiet", "--output", "lost.h5", folder=folder)
    commands = (["inspect", "lost.h5", "--csv", "trades"], ["inspect", "lost.h5"],
                ["inspect", "lost.h5", "--json"], ["schema"], ["check", "good.toml"], ["version"],
                ["info"], ["--help"])
    for arguments in commands:
        for place in (">/dev/full", ">&-"):
            done = subprocess.run(["sh", "-c", f'exec "$@" {place}', "sh", GSIM, *arguments],
                                  cwd=folder, stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=120, env=dict(os.environ, NO_COLOR="1"))
            check(done.returncode == 1 and done.stderr.count("error:") == 1
                  and "stdout" in done.stderr, f"gsim {' '.join(arguments)} {place}",
                  f"exit code {done.returncode}", done.stderr)
    command = 'exec "$@" >&- 2>&-'  # the descriptors 1 and 2 must not be given to the result file
    done = subprocess.run(["sh", "-c", command, "sh", GSIM, "run", "good.toml", "--output",
                           "closed.h5"], cwd=folder, check=False, timeout=120)
    check(done.returncode == 1, f"closed streams: exit code {done.returncode}")
    check(run("inspect", "closed.h5", folder=folder)[0] == 0, "closed streams: the result is whole")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_bad_input(folder)
    check_bad_curves(folder)
    check_bad_md(folder)
    check_md_warnings(folder)
    check_exchanged_elements(folder)
    check_bad_usage(folder)
    check_valid_run(folder)
    check_skipped_trades(folder)
    check_unknown_errors(folder)
    check_unusual_ids(folder)
    check_stop_rule(folder)
    check_too_large(folder)
    check_other_commands(folder)
    check_launcher(folder)
    check_stdout_errors(folder)
print("failed:" if failures else "all messages as expected", *failures, sep="\n  ")
sys.exit(1 if failures else 0)
