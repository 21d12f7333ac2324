#!/usr/bin/env python3
"""The processor time of prices together with all first-order Greeks, relative to prices alone, for portfolios of the kind of
examples/portfolio: delta, vega, theta and rho, with all pillars of volatilities and rates, too, and without these by bumps. Prices and
Greeks run alternately on one core. Of each time that of a run with 4096 samples is subtracted, so that start-up cancels; prints medians of the ratios. A
benchmark, not a test.

With --instructions valgrind's callgrind counts instructions in the place of times, which do not depend on the load of the machine: of runs of 8192
samples less those of 4096, at the AVX2 level, because valgrind does not support AVX-512, without the Greeks by bumps. Baskets and worst-ofs on up
to 8 assets, single products, Heston's and Bates's models, rates and foreign exchange are further cases.

    greeks_cost.py [--gsim PROGRAM] [--trades N] [--samples N] [--rounds N] [--only CASE] [--instructions]"""
import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import peers

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/portfolio"))
import make_portfolio  # noqa: E402

ASSETS = make_portfolio.ASSETS
SEVERAL = ("basket", "worst_of", "exchange")
CONTINUOUS = ("european", "asian", "cliquet", "lookback", *SEVERAL)  # in the spots
FIRST_ORDER = ["delta", "vega", "theta", "rho"]
PILLARS = ["vega_buckets", "rho_pillars"]
BUMPS = 'greeks_method = "bump"'
VARIANTS = [([], ""), (FIRST_ORDER, ""), (FIRST_ORDER + PILLARS, ""), (FIRST_ORDER, BUMPS)]
SMALLEST = 4096
CORRELATIONS = """[market.correlation]
assets = ["SPX", "SX5E", "NKY", "UKX"]
matrix = [[1.00, 0.70, 0.40, 0.62], [0.70, 1.00, 0.45, 0.78], [0.40, 0.45, 1.00, 0.42], [0.62, 0.78, 0.42, 1.00]]
"""


def rate(count):
    times = [round(2.1 * (i + 1) / count, 4) for i in range(count)]
    return f"[market]\nrate = {{ times = {times}, values = {[0.04 - 0.002 * t for t in times]} }}\n"


def lognormal(between):
    """Five rates and four volatilities of each asset, 21 pillars: at dates of the trades, or between them."""
    times = [0.31, 0.57, 1.13, 2.1] if between else [0.25, 0.5, 1.0, 2.0]
    text = rate(5) if between else "[market]\nrate = { times = [0.25, 0.5, 0.75, 1.0, 2.0], values = [0.041, 0.04, 0.039, 0.037, 0.034] }\n"
    for i, name in enumerate(ASSETS):
        volatilities = [round(0.15 + 0.02 * i + 0.005 * j * (1 if i % 2 else -1) + 0.02, 4) for j in range(4)]
        text += f"[market.assets.{name}]\nspot = 100.0\ndividend = 0.02\nvolatility = {{ times = {times}, values = {volatilities} }}\n"
    return text + CORRELATIONS


def local_model(i):
    """Two times and five spots."""
    rows = [[round(0.30 + 0.02 * i - 0.04 * j + 0.005 * j * j - 0.01 * row, 4) for j in range(5)] for row in range(2)]
    return ("model = \"local_volatility\"\nlocal_times = [0.25, 2.0]\n"
            f"local_spots = [50.0, 70.0, 100.0, 140.0, 200.0]\nlocal_volatility = {rows}\n")


def local_volatility():
    text = "steps_per_year = 24\n" + rate(5)
    for i, name in enumerate(ASSETS):
        text += f"[market.assets.{name}]\nspot = 100.0\ndividend = 0.02\n" + local_model(i)
    return text + CORRELATIONS


def several_assets(count, is_local):
    """Assets with the term structures of the other markets, all correlated by 0.5."""
    text = local_volatility() if is_local else lognormal(False)
    text = text[:text.index("[market.assets")]
    names = [f"A{i}" for i in range(count)]
    for i, name in enumerate(names):
        text += f"[market.assets.{name}]\nspot = 100.0\ndividend = 0.02\n"
        if is_local:
            text += local_model(i)
        else:
            volatilities = [round(0.17 + 0.02 * i + 0.005 * j * (1 if i % 2 else -1), 4) for j in range(4)]
            text += f"volatility = {{ times = [0.25, 0.5, 1.0, 2.0], values = {volatilities} }}\n"
    matrix = [[1.0 if a == b else 0.5 for b in range(count)] for a in range(count)]
    return text + f"[market.correlation]\nassets = {names}\nmatrix = {matrix}\n"


def stochastic_variance(model):
    text = "steps_per_year = 24\n" + rate(5)
    jumps = "jump_intensity = 0.3\njump_mean = -0.12\njump_sd = 0.1\n" if model == "bates" else ""
    for i, name in enumerate(ASSETS):
        text += (f"[market.assets.{name}]\nspot = 100.0\ndividend = 0.02\nmodel = \"{model}\"\nv0 = {round(0.03 + 0.01 * i, 2)}\n"
                 f"kappa = 2.0\ntheta = 0.04\nsigma = 0.4\nrho = -0.6\n{jumps}")
    return text


def of_configuration(name, products, trades):
    """The market of configs/pricing/NAME.toml, and its trades of these products, repeated."""
    text = (ROOT / f"configs/pricing/{name}.toml").read_text(encoding="utf-8")
    market, *tables = text[text.index("[market"):].split("[[trades]]")
    tables = [t for t in tables if re.search(r'product = "(\w+)"', t)[1] in products and "exercise" not in t]
    copies = [tables[i % len(tables)].replace('id = "', f'id = "{i} ', 1) for i in range(trades)]
    return market, "".join("[[trades]]" + copy for copy in copies)


def on_all_assets(count, trades):
    """Baskets and worst-ofs on all assets of several_assets(), or options on a single one."""
    rng = random.Random(20261129)
    text = ""
    for i in range(trades):
        product = ("basket", "worst_of")[i % 2] if count > 1 else "european"
        assets = f"assets = {[f'A{a}' for a in range(count)]}" if count > 1 else 'asset = "A0"'
        text += (f"[[trades]]\nid = \"T{i}\"\nproduct = \"{product}\"\n{assets}\n"
                 f"type = \"{rng.choice(['call', 'put'])}\"\nstrike = {rng.choice(range(80, 125, 5))}\n"
                 f"maturity = {rng.choice(make_portfolio.MATURITIES)}\n")
    return text


def portfolio(count, products):
    """The first `count` trades of examples/portfolio that have these products, as [[trades]]."""
    rng = random.Random(20261121)
    text, found, number = "", 0, 0
    while found < count:
        number += 1
        trade = make_portfolio.trade(number, rng)
        if trade["product"] not in products:
            continue
        found += 1
        text += "[[trades]]\n"
        for key, value in trade.items():
            if key == "assets":
                value = value.split()
            text += f"{key} = {value if not isinstance(value, str) else repr(value)}\n"
    return text


def cases(trades):
    """Market and trades by name."""
    single = tuple(p for p in CONTINUOUS if p not in SEVERAL)
    everything = (*CONTINUOUS, "digital", "barrier")
    lists = {"one asset": single, "several assets": SEVERAL, "portfolio": everything}
    markets = {"lognormal": lognormal(False), "lognormal, pillars between dates": lognormal(True), "local volatility": local_volatility()}
    for market, text in markets.items():
        for name, products in lists.items():
            if (market, name) != ("local volatility", "portfolio"):
                yield f"{market}, {name}", text, portfolio(trades, products)
    yield "local volatility, portfolio without digitals and barriers", local_volatility(), portfolio(trades, CONTINUOUS)


def cases_by_assets(trades):
    for is_local in (False, True):
        for count in (1, 2, 8) if is_local else (1, 2, 3, 5, 8):
            yield (f"{'local volatility' if is_local else 'lognormal'}, {count} assets a trade", several_assets(count, is_local),
                   on_all_assets(count, trades))


def cases_by_product(trades):
    for product in ("asian", "barrier", "digital"):
        yield f"{product}, lognormal", lognormal(False), portfolio(trades, (product,))
    yield "autocallable (phoenix) on 3 assets", *of_configuration("structured", ("phoenix",), trades)
    for model in ("heston", "bates"):
        yield f"{model}, european and asian", stochastic_variance(model), portfolio(trades, ("european", "asian"))
    yield "rates, caps and swaptions", *of_configuration("rates", ("cap_floor", "swaption"), trades)
    yield "exchange rates, options", *of_configuration("currencies", ("european",), trades)
    yield "exchange rates, barriers", *of_configuration("currencies", ("barrier",), trades)


def write_run(market, trades, variant, samples, folder):
    greeks, method = variant
    head = f'module = "pricing"\noutput.existing = "replace"\nstop.samples = {samples}\n[pricing]\nimportance_sampling = false\n{method}\n'
    if greeks:
        head += "greeks = [" + ", ".join(f'"{g}"' for g in greeks) + "]\n"
    (folder / "run.toml").write_text(head + market + trades, encoding="utf-8")


def seconds(gsim, market, trades, variant, samples, folder, core):
    write_run(market, trades, variant, samples, folder)
    return peers.run_pinned([gsim, "run", "run.toml", "--log", "json", "--threads", "1"], folder, [core])[1]


def instructions(gsim, market, trades, variant, samples, folder):
    write_run(market, trades, variant, samples, folder)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.out", gsim, "run", "run.toml", "--log", "json", "--threads", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ, GSIM_CPU_LEVEL="avx2"))
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def print_instructions(gsim, trades, only, folder):
    print(f"instructions per sample and trade, paths and control variates included, {trades} trades (callgrind, AVX2)\n"
          f"{'':<58}{'price':>8}{'first order':>22}{'with all pillars':>22}", flush=True)
    for name, market, text in (*cases(trades), *cases_by_assets(trades), *cases_by_product(trades)):
        if not name.startswith(only):
            continue
        counts = [(instructions(gsim, market, text, v, 2 * SMALLEST, folder) - instructions(gsim, market, text, v, SMALLEST, folder))
                  / (SMALLEST * trades) for v in VARIANTS[:3]]
        columns = [f"{c:.0f}, {c / counts[0]:.2f} times" for c in counts[1:]]
        print(f"  {name:<56}{counts[0]:>8.0f}" + "".join(f"{c:>22}" for c in columns), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--only", default="")
    p.add_argument("--instructions", action="store_true")
    p.add_argument("--trades", type=int, default=2000)
    p.add_argument("--samples", type=int, default=65536)
    p.add_argument("--rounds", type=int, default=3)
    o = p.parse_args()
    gsim = peers.find_program(o.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    if o.instructions:
        with tempfile.TemporaryDirectory() as folder:
            return print_instructions(gsim, o.trades, o.only, pathlib.Path(folder))
    core = max(os.sched_getaffinity(0))
    machine = peers.machine_description()
    print(f"prices and Greeks / prices, {o.trades} trades, medians of {o.rounds} rounds; {machine['processor']}, load average "
          f"{machine['load_average']:.2f}\n{'':<58}{'first order':>22}{'with all pillars':>22}{'by bumps':>22}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, market, trades in cases(o.trades):
            if not name.startswith(o.only):
                continue
            ratios = [[] for _ in VARIANTS[1:]]
            start = [seconds(gsim, market, trades, v, SMALLEST, folder, core) for v in VARIANTS]
            for _ in range(o.rounds):
                times = [seconds(gsim, market, trades, v, o.samples + SMALLEST, folder, core) - s for v, s in zip(VARIANTS, start)]
                for of_variant, time in zip(ratios, times[1:]):
                    of_variant.append(time / times[0])
            columns = [f"{statistics.median(r):.2f} ({min(r):.2f} to {max(r):.2f})" for r in ratios]
            print(f"  {name:<56}" + "".join(f"{c:>22}" for c in columns), flush=True)


if __name__ == "__main__":
    main()
