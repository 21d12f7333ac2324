#!/usr/bin/env python3
"""Checks that gsim reads HDF5 files with changed bytes with an error message or a warning, and never crashes or hangs.
usage: GSIM MPIEXEC [--full]"""
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
from lennard_jones import ATOMS, PAIR, lattice  # noqa: E402

FULL = "--full" in sys.argv
FLIPS = 400 if FULL else 24  # number of bits that are changed in each file, one at a time
FOOTER = 56                  # size of a checksum trailer in bytes, without its list of extents

CONFIG = """module = "md"
seed = 3
device = "cpu"
threads = 1
[checkpoint]
interval = 1e-9
[md]
steps = 40
time_step = 0.002
""" + ATOMS + lattice(4, 1.0) + PAIR + """
[thermo]
every = 1
[[trajectory]]
every = 4
"""


def write_files():
    """a run with results, a trajectory and a checkpoint, each with checksums"""
    (SCRATCH / "run.toml").write_text(CONFIG)
    done = gsim("run", "run.toml", "--output", "run.h5")
    check(done.returncode == 0, done.stderr)
    for name in verified_files():
        done = gsim("inspect", name)
        check(done.returncode == 0 and not done.stderr, f"{name}: {done.stdout}{done.stderr}")
        check((SCRATCH / name).read_bytes()[-FOOTER:].startswith(b"gsim "), f"no checksums at the end of {name}")


def verified_files():
    """The names of the run's results, trajectory and newest checkpoint."""
    checkpoint = sorted(p.name for p in SCRATCH.glob("run.ckpt.*"))[-1]
    trajectory = next(p.name for p in SCRATCH.glob("run*.h5md"))
    return ["run.h5", trajectory, checkpoint]


def inspect(name, *options):
    """Runs `gsim inspect`, which must end by itself; returns its exit status and messages."""
    done = gsim("inspect", name, *options, limit=90)
    check(done.returncode in (0, 2), f"inspect {name} ended with {done.returncode}: {done.stderr}")
    check(done.returncode == 0 or done.stderr.startswith("error: "), f"{name}: {done.stderr}")
    return done.returncode, done.stderr


def changed_copy(name, change):
    """Writes a copy of a file to which `change` was applied; returns its name."""
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
    for name in verified_files():
        bits = 8 * (SCRATCH / name).stat().st_size
        generator = random.Random(17)
        chosen = [generator.randrange(bits) for _ in range(FLIPS)]
        chosen += [bits - 8 * FOOTER + 8 * generator.randrange(FOOTER) for _ in range(4)]  # the trailer
        for n, bit in enumerate(chosen):
            copy = changed_copy(name, flip(bit))
            status, messages = inspect(copy, *(["--json"] if n % 2 else []))
            check(status == 2 or "warning" in messages, f"bit {bit} of {name} changed unnoticed")


def cut_off():
    """a truncated file is refused"""
    for name in verified_files():
        size = (SCRATCH / name).stat().st_size
        for length in (0, 7, 8, 100, size // 2, size - FOOTER // 2, size - 1):
            status, messages = inspect(changed_copy(name, lambda data, n=length: data[:n]))
            check(status == 2 or "warning" in messages, f"{name} cut off at {length} of {size}")


def hdf5_size(data):
    """The size of the HDF5 part of a file, without the checksum trailer that follows it."""
    return struct.unpack_from("<q", data, len(data) - FOOTER + 16)[0]


def without_checksums():
    """a file without its checksums is shown with a warning; damage to it never crashes `gsim inspect`"""
    for name in verified_files()[:2]:
        stripped = f"stripped-{name}"
        data = (SCRATCH / name).read_bytes()
        (SCRATCH / stripped).write_bytes(data[:hdf5_size(data)])
        status, messages = inspect(stripped)
        check(status == 0 and "has no checksums" in messages, f"{stripped}: {messages}")
        generator = random.Random(18)
        for _ in range(FLIPS):
            places = [generator.randrange(min(hdf5_size(data), 20000)) for _ in range(3)]

            def change(bytes_, where=tuple(places)):
                for at in where:
                    bytes_[at] = generator.randrange(256)
            inspect(changed_copy(stripped, change))


def write_bad_heap(path, size):
    """Writes a file with strings of variable length by h5py, and then a wrong size of the first object into their
    global heap."""
    import h5py
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        group = file.create_group("provenance")
        for name in ["digest", *(f"text{k}" for k in range(12))]:  # the first one is damaged below
            group.attrs[name] = "a text " * 30
        file["mgxs"] = ["alpha", "beta"]
        file.attrs["filetype"] = "mgxs"
    data = bytearray(path.read_bytes())
    # The size follows the 16 bytes of the heap's header, and 8 of the object: index, reference count and padding.
    struct.pack_into("<Q", data, data.index(b"GCOL") + 24, size)
    path.write_bytes(data)


BAD_SIZES = {"crash.h5": 2**63, "abort.h5": 2**64 - 1, "loop.h5": 2**64 - 16}


def files_of_other_programs():
    """files of other programs on which HDF5 crashes or hangs give an error message"""
    for name, size in BAD_SIZES.items():
        write_bad_heap(SCRATCH / name, size)
        status, messages = inspect(name)
        check(status == 2 and name in messages and "damaged" in messages, f"{name}: {status} {messages}")


def damaged_results():
    """damaged files under the name of the results are refused and not changed"""
    names = [name for name in BAD_SIZES if FULL or name != "loop.h5"]  # loop.h5 takes 10 s
    names.append(changed_copy("run.h5", flip(80000)))
    for name in names:
        before = (SCRATCH / name).read_bytes()
        done = gsim("run", "run.toml", "--quiet", "--output", name, limit=90)
        check(done.returncode == 2 and done.stderr.count("error:") == 1
              and "move it away" in done.stderr, f"{name}: {done.returncode} {done.stderr}")
        check((SCRATCH / name).read_bytes() == before, f"{name} was changed")


def on_several_ranks():
    """on several ranks, a damaged file under the name of the results gives one message and ends all ranks"""
    for ranks in (2, 3):
        done = gsim("run", "run.toml", "--quiet", "--output", "crash.h5", ranks=ranks)
        check(done.returncode == 2 and done.stderr.count("error:") == 1,
              f"{ranks} ranks: {done.returncode} {done.stderr}")


def damaged_initial_state():
    """a damaged trajectory as the initial state is refused"""
    name = verified_files()[1]
    start = CONFIG[:CONFIG.index("[start]")] + CONFIG[CONFIG.index("[pair]"):CONFIG.index("[[traj")]
    for file, words in [(changed_copy(name, flip(8 * 5000)), "damaged"), ("crash.h5", "crash.h5")]:
        (SCRATCH / "start.toml").write_text(
            start + f'[start]\nkind = "h5md"\nfile = "{file}"\n')
        for ranks in (0, 2):
            done = gsim("check", "start.toml", "--measure", "0", ranks=ranks)
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
        print("skipped: h5py is not installed")
        sys.exit(77)
    check(shutil.which("pgrep"), "pgrep is missing")
    run_tests([write_files, flipped_bits, cut_off, without_checksums, files_of_other_programs,
               damaged_results, on_several_ranks, damaged_initial_state, stopped_while_reading])


main()
