#!/usr/bin/env python3
"""Checks that the memory that `gsim check` forecasts for a rank agrees with that of a run within a factor FACTOR.
usage: memory.py GSIM"""
import pathlib
import re
import subprocess
import sys
import tempfile

GSIM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 1.5
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
MARKET = """module = "pricing"
seed = 1
[stop]
samples = 4096
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.2
"""
FIXINGS = """[[trades]]
id = "T"
product = "asian"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
fixing_count = 100000
"""


def peak(command):
    """Maximum resident set size of a process that runs `command`, in bytes."""
    code = ("import resource, subprocess, sys\n"
            "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
            "sys.exit(done.returncode)\n")
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f"FAILED: {command}: exit {done.returncode}: {done.stderr}")
    return 1024 * float(done.stdout)


def forecast(command):
    """The memory per rank that `command`, a `gsim check`, prints, in bytes."""
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    match = re.search(r"memory +([0-9.]+) (\w+) per rank", out)
    if not match:
        sys.exit(f"FAILED: no forecast in\n{out}")
    return float(match[1]) * UNITS[match[2]]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        inputs = pathlib.Path(folder)
        rows = "".join(f"T{i:06d},european,A,call,{80 + i % 40}.0,{0.25 * (1 + i % 8)}\n"
                       for i in range(100000))
        (inputs / "trades.csv").write_text("id,product,asset,type,strike,maturity\n" + rows)
        (inputs / "trades.toml").write_text('trades_file = "trades.csv"\n' + MARKET)
        (inputs / "fixings.toml").write_text(MARKET + FIXINGS)
        configs = ROOT / "configs"
        samples = ["stop.samples=4096"]
        mesh = ['mesh=[{name="m",lower_left=[0.0,0.0],upper_right=[64.26,64.26],shape=[600,600]}]',
                'tally=[{name="t",scores=["flux"],mesh="m",energy="groups"}]',
                "transport.particles=200", "transport.batches=20", "transport.inactive=4"]
        crystal = ["md.steps=1", "start.cells=[30, 30, 30]"]
        for config, settings in ((inputs / "trades.toml", samples), (inputs / "fixings.toml", samples),
                                 (configs / "pricing" / "first_portfolio.toml", samples),
                                 (configs / "transport" / "c5g7_2d.toml", mesh),
                                 (configs / "md" / "melt.toml", crystal),
                                 (configs / "md" / "copper.toml", crystal),
                                 (configs / "md" / "copper.toml",
                                  [*crystal, 'md.precision="double"'])):
            for threads in ("1", "2"):
                options = []
                for setting in (f"threads={threads}", 'device="cpu"', *settings,
                                f'output.file="{inputs / "run.h5"}"'):
                    options += ["--set", setting]
                expected = forecast([GSIM, "check", str(config), *options])
                used = peak([GSIM, "run", str(config), "--quiet", *options])
                is_close = used / FACTOR <= expected <= used * FACTOR
                failures += not is_close
                print(f"{config.stem:<16} {threads} threads: forecast {expected / 1e6:6.1f} MB, "
                      f"used {used / 1e6:6.1f} MB{'' if is_close else '  WRONG'}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
