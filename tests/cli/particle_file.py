#!/usr/bin/env python3
"""Runs the shipped configuration that writes a particle file, on 1 and on 3 MPI ranks, interrupted and resumed; and the
shipped configuration that reads the file.
usage: particle_file.py GSIM MPIEXEC"""
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

gsim, mpiexec = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parents[2]


def run(folder, config, *arguments, ranks=1, expected=0):
    launch = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launch, gsim, "run", f"configs/transport/{config}", *arguments],
                          cwd=folder, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
    return done.stdout


def particle_count(path):
    head = path.read_bytes()[:16]
    assert head[:8] == b"MCPL003L", head
    return struct.unpack("<Q", head[8:])[0]


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "configs").mkdir()
    shutil.copytree(root / "configs/transport", folder / "configs/transport")
    short = ("--set", "transport.particles=2000", "--threads", "1")
    refused = subprocess.run([gsim, "check", "configs/transport/mcpl_read.toml"], cwd=folder,
                             capture_output=True, text=True, check=False, timeout=100)
    assert refused.returncode == 2 and "mcpl_write.mcpl" in refused.stderr, refused.stderr

    run(folder, "mcpl_write.toml", *short)
    file = folder / "results/mcpl_write.mcpl"
    reference = file.read_bytes()
    assert particle_count(file) > 1000
    file.unlink()
    run(folder, "mcpl_write.toml", *short, ranks=3)
    assert file.read_bytes() == reference, "the file of 3 ranks differs from that of 1 rank"
    file.unlink()

    # Interrupted on 1 rank, and resumed on 2 ranks.
    command = [gsim, "run", "configs/transport/mcpl_write.toml", *short]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (folder / "results/mcpl_write.mcpl.part.1").exists():
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=100)
    assert status in (0, 75), status  # 75: stopped with a checkpoint; 0: the run finished before the signal
    print("interrupted" if status == 75 else "not interrupted: the run ended before the signal")
    if status == 75:
        assert not file.exists()
        run(folder, "mcpl_write.toml", *short, "--resume", ranks=2)
    assert file.read_bytes() == reference, "the file of the resumed run differs from that of the uninterrupted one"

    out = run(folder, "mcpl_read.toml", "--set", "transport.particles=500")
    assert "tally `behind`: 2 values" in out, out
print("the particle file is the same on any ranks and can be read")
