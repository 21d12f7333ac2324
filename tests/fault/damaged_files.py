#!/usr/bin/env python3
"""HDF5 files with changed bytes: a message, never a crash, an endless loop, or contents without a
warning. usage: GSIM MPIEXEC [--full]"""
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import ENVIRONMENT, SCRATCH, check, command, gsim, run_tests  # noqa: E402

FULL = "--full" in sys.argv
FLIPS = 400 if FULL else 24  # of each file
FOOTER = 56                  # bytes of a seal without its extents

CONFIG = """module = "md"
seed = 3
device = "cpu"
threads = 1
[checkpoint]
interval = 1e-9
[md]
steps = 40
time_step = 0.002
[[type]]
name = "Ar"
mass = 1.0
[start]
kind = "lattice"
density = 0.8
cells = [4, 4, 4]
temperature = 1.0
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
[thermo]
every = 1
[[trajectory]]
every = 4
"""


def written():
    """a run with results, a trajectory and a checkpoint, each with a seal"""
    (SCRATCH / "run.toml").write_text(CONFIG)
    done = gsim("run", "run.toml", "--output", "run.h5")
    check(done.returncode == 0, done.stderr)
    for name in sealed():
        done = gsim("inspect", name)
        check(done.returncode == 0 and not done.stderr, f"{name}: {done.stdout}{done.stderr}")
        check((SCRATCH / name).read_bytes()[-FOOTER:].startswith(b"gsim "), f"no seal on {name}")


def sealed():
    checkpoint = sorted(p.name for p in SCRATCH.glob("run.ckpt.*"))[-1]
    trajectory = next(p.name for p in SCRATCH.glob("run*.h5md"))
    return ["run.h5", trajectory, checkpoint]


def inspected(name, *options):
    """The exit status and messages of an inspection, which has to end by itself."""
    done = gsim("inspect", name, *options, limit=90)
    check(done.returncode in (0, 2), f"inspect {name} ended with {done.returncode}: {done.stderr}")
    check(done.returncode == 0 or done.stderr.startswith("error: "), f"{name}: {done.stderr}")
    return done.returncode, done.stderr


def with_change(name, change):
    """A copy of a file with changed bytes."""
    data = bytearray((SCRATCH / name).read_bytes())
    changed = change(data)
    data = data if changed is None else changed
    copy = f"changed-{name}"
    (SCRATCH / copy).write_bytes(data)
    return copy


def flip(bit):
    def change(data):
        data[bit // 8] ^= 1 << bit % 8
    return change


def flipped_bits():
    """every changed bit of a file of gsim is detected"""
    for name in sealed():
        bits = 8 * (SCRATCH / name).stat().st_size
        numbers = random.Random(17)
        chosen = [numbers.randrange(bits) for _ in range(FLIPS)]
        chosen += [bits - 8 * FOOTER + 8 * numbers.randrange(FOOTER) for _ in range(4)]  # the seal
        for n, bit in enumerate(chosen):
            copy = with_change(name, flip(bit))
            status, said = inspected(copy, *(["--json"] if n % 2 else []))
            check(status == 2 or "warning" in said, f"bit {bit} of {name} changed unnoticed")


def cut_off():
    """a truncated file is refused"""
    for name in sealed():
        size = (SCRATCH / name).stat().st_size
        for length in (0, 7, 8, 100, size // 2, size - FOOTER // 2, size - 1):
            status, said = inspected(with_change(name, lambda data, n=length: data[:n]))
            check(status == 2 or "warning" in said, f"{name} cut off at {length} of {size}")


def hdf5_bytes(data):
    """A file of gsim without its seal."""
    return struct.unpack_from("<q", data, len(data) - FOOTER + 16)[0]


def without_seal():
    """a file of gsim without its seal is shown with a warning, and damage to it ends no command"""
    for name in sealed()[:2]:
        bare = f"bare-{name}"
        data = (SCRATCH / name).read_bytes()
        (SCRATCH / bare).write_bytes(data[:hdf5_bytes(data)])
        status, said = inspected(bare)
        check(status == 0 and "has no seal" in said, f"{bare}: {said}")
        numbers = random.Random(18)
        for _ in range(FLIPS):
            places = [numbers.randrange(min(hdf5_bytes(data), 20000)) for _ in range(3)]

            def change(bytes_, where=tuple(places)):
                for at in where:
                    bytes_[at] = numbers.randrange(256)
            inspected(with_change(bare, change))


def bad_heap(path, size):
    """A file by h5py with texts of variable length, and a wrong size in their heap."""
    import h5py
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        group = file.create_group("provenance")
        for name in ["digest", *(f"text{k}" for k in range(12))]:  # the first is the damaged one
            group.attrs[name] = "a text " * 30
        file["mgxs"] = ["alpha", "beta"]
        file.attrs["filetype"] = "mgxs"
    data = bytearray(path.read_bytes())
    struct.pack_into("<Q", data, data.index(b"GCOL") + 24, size)
    path.write_bytes(data)


BAD_SIZES = {"crash.h5": 2**63, "abort.h5": 2**64 - 1, "loop.h5": 2**64 - 16}


def other_programs():
    """files on which HDF5 crashes or loops endlessly give error messages"""
    for name, size in BAD_SIZES.items():
        bad_heap(SCRATCH / name, size)
        status, said = inspected(name)
        check(status == 2 and name in said and "damaged" in said, f"{name}: {status} {said}")


def in_the_place_of_results():
    """such files at the place of results are not changed"""
    names = [name for name in BAD_SIZES if FULL or name != "loop.h5"]  # loop.h5 takes 10 s
    names.append(with_change("run.h5", flip(80000)))
    for name in names:
        before = (SCRATCH / name).read_bytes()
        done = gsim("run", "run.toml", "--quiet", "--output", name, limit=90)
        check(done.returncode == 2 and done.stderr.count("error:") == 1
              and "move it away" in done.stderr, f"{name}: {done.returncode} {done.stderr}")
        check((SCRATCH / name).read_bytes() == before, f"{name} was changed")


def at_several_ranks():
    """one message, and the end of all ranks"""
    for ranks in (2, 3):
        done = gsim("run", "run.toml", "--quiet", "--output", "crash.h5", ranks=ranks)
        check(done.returncode == 2 and done.stderr.count("error:") == 1,
              f"{ranks} ranks: {done.returncode} {done.stderr}")


def start_of_a_run():
    """a trajectory that a run starts from is checked first"""
    name = sealed()[1]
    start = CONFIG[:CONFIG.index("[start]")] + CONFIG[CONFIG.index("[pair]"):CONFIG.index("[[traj")]
    for file, words in [(with_change(name, flip(8 * 5000)), "damaged"), ("crash.h5", "crash.h5")]:
        (SCRATCH / "start.toml").write_text(
            start + f'[start]\nkind = "h5md"\nfile = "{file}"\n')
        for ranks in (0, 2):
            done = gsim("check", "start.toml", ranks=ranks)
            check(done.returncode == 2 and words in done.stderr
                  and done.stderr.count("error:") == 1, f"{file}: {done.stderr}")


def stopped_while_reading():
    """SIGTERM ends an inspection and its child processes"""
    process = subprocess.Popen(command(["inspect", "loop.h5"]), cwd=SCRATCH, env=ENVIRONMENT)
    time.sleep(1)
    os.kill(process.pid, signal.SIGTERM)
    check(process.wait(timeout=5) == -signal.SIGTERM, "not ended by SIGTERM")
    time.sleep(0.3)
    left = subprocess.run(["pgrep", "-f", f"inspect loop.h5$"], capture_output=True, text=True,
                          check=False).stdout.split()
    left = [p for p in left if os.path.realpath(f"/proc/{p}/cwd") == os.path.realpath(SCRATCH)]
    check(not left, f"processes {left} are left")


def main():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("no h5py")
        sys.exit(77)
    check(shutil.which("pgrep"), "pgrep is missing")
    run_tests([written, flipped_bits, cut_off, without_seal, other_programs,
               in_the_place_of_results, at_several_ranks, start_of_a_run, stopped_while_reading])


main()
