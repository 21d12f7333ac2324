#!/usr/bin/env python3
"""Checks that the memory that `gsim check` forecasts for a rank agrees with that of a run within a factor FACTOR, of
exposures more closely, and that it does not grow with the number of paths, except for regressions of early exercise.
usage: memory.py GSIM"""
import pathlib
import re
import subprocess
import sys
import tempfile

GSIM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 1.5
FLAT = 1.03  # largest ratio of the memory of runs with more and with fewer paths: a number kept for each path is more
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
EXPOSURE = """module = "exposure"
seed = 1
[stop]
samples = 4096
[exposure]
dates_per_year = 4
[[exposure.netting_sets]]
name = "BANK"
credit = "BANK"
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.credit.BANK]
recovery = 0.4
times = [10.0]
hazard_rates = [0.02]
[[trades]]
id = "CALL"
netting_set = "BANK"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
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


def with_settings(command, config, *settings):
    """A `gsim` command for a configuration with other values of keys."""
    words = [GSIM, command, str(config)]
    for setting in ('device="cpu"', *settings):
        words += ["--set", setting]
    return words


def agrees(config, *settings, least=1 / FACTOR, most=FACTOR):
    """Checks that the forecast for a run is between `least` and `most` times its memory."""
    expected = forecast(with_settings("check", config, *settings) + ["--measure", "0"])
    used = peak([*with_settings("run", config, *settings), "--quiet"])
    is_close = least * used <= expected <= most * used
    print(f"{config.stem:<16} {settings[0]}: forecast {expected / 1e6:6.1f} MB, used {used / 1e6:6.1f} MB"
          f"{'' if is_close else '  WRONG'}", flush=True)
    return is_close


def is_flat(config, samples, *settings):
    """Checks that a run with 8 times `samples` paths needs no more memory than one with `samples`."""
    few, many = (peak([*with_settings("run", config, f"stop={{samples={count}}}", *settings), "--quiet"])
                 for count in (samples, 8 * samples))
    is_same = many <= FLAT * few
    print(f"{config.stem:<16} {samples} samples {few / 1e6:6.1f} MB, {8 * samples} samples {many / 1e6:6.1f} MB"
          f"{'' if is_same else '  WRONG'}", flush=True)
    return is_same


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
        output = f'output.file="{inputs / "run.h5"}"'
        samples = ["stop.samples=4096"]
        mesh = ['mesh=[{name="m",lower_left=[0.0,0.0],upper_right=[64.26,64.26],shape=[600,600]}]',
                'tally=[{name="t",scores=["flux"],mesh="m",energy="groups"}]',
                "transport.particles=200", "transport.batches=8", "transport.inactive=2"]
        crystal = ["md.steps=1", "start.cells=[30, 30, 30]"]
        for config, settings, threads in ((inputs / "trades.toml", samples, (1, 2)), (inputs / "fixings.toml", samples, (2,)),
                                          (configs / "pricing" / "first_portfolio.toml", samples, (1,)),
                                          (configs / "transport" / "c5g7_2d.toml", mesh, (1, 2)),
                                          (configs / "md" / "melt.toml", crystal, (2,)),
                                          (configs / "md" / "copper.toml", crystal, (1,)),
                                          (configs / "md" / "copper.toml", [*crystal, 'md.precision="double"'], (2,))):
            for count in threads:
                failures += not agrees(config, f"threads={count}", *settings, output)
        # The paths of the regressions are kept: memory is proportional to their number.
        for paths in (1 << 14, 1 << 18):
            failures += not agrees(configs / "pricing" / "american.toml", f"pricing.exercise.paths={paths}", "threads=1",
                                   *samples, output)
        # That of exposures is an upper bound, but for what other allocators keep.
        for config in ("netting_sets", "rates_and_assets"):
            failures += not agrees(configs / "exposure" / f"{config}.toml", "threads=1", "stop={samples=32768}", output,
                                   least=0.97, most=1.25)
        (inputs / "exposure.toml").write_text(EXPOSURE)
        for config, few in ((configs / "pricing" / "first_portfolio.toml", 8192),
                            (configs / "pricing" / "greeks.toml", 32768), (inputs / "exposure.toml", 32768)):
            failures += not is_flat(config, few, "threads=1", output)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
