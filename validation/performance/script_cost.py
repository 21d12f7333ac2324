#!/usr/bin/env python3
"""The cost of the payoff language: portfolios of gsim's own products, and the same portfolios written as scripts, which have the
same bits. Original and script run alternately on one core; prints the medians of the ratios of their processor times. A benchmark,
not a test.

    script_cost.py [--gsim PROGRAM] [--trades N]... [--only PRODUCT] [--rounds N] [--scale FACTOR] [--instructions] [--json FILE]
                   [--plugin AUTOCALLABLE_LIBRARY]

With --instructions, instructions are counted instead, which do not depend on the load of the machine: by perf or, at the AVX2
level, by valgrind. The counts of two runs, one with twice as many samples, are subtracted, so that start-up cancels.
With --plugin, phoenix notes, which are scripts, are compared with the example's plugin, a compiled payoff with the same terms."""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

import peers

ROOT = pathlib.Path(__file__).resolve().parents[2]

ONE_ASSET = """
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.25
"""
ASSETS = ["A", "B", "C", "D", "E"]
FIVE_ASSETS = "\n[market]\nrate = 0.03\n" + "".join(
    f"[market.assets.{name}]\nspot = 100.0\nvolatility = 0.{20 + i}\n" for i, name in enumerate(ASSETS)) + f"""
[market.correlation]
assets = {json.dumps(ASSETS)}
matrix = {json.dumps([[1.0 if i == j else 0.4 for j in range(5)] for i in range(5)])}
"""


def script(keys, text):
    return f'product = "scripted"\n{keys}payoff = """\n{text}\n"""\n'


def strike(k):
    return 90 + 0.1 * k


def european(k):
    return (f'product = "european"\nasset = "A"\ntype = "call"\nstrike = {strike(k)}\nmaturity = 1.0\n',
            script('assets = ["A"]\nmaturity = 1.0\n', f"pay max(spot - {strike(k)}, 0)"))


def digital(k):
    return (f'product = "digital"\nasset = "A"\ntype = "put"\npays = "cash"\ncash = 2.0\nstrike = {strike(k)}\nmaturity = 1.0\n',
            script('assets = ["A"]\nmaturity = 1.0\n', f"if spot < {strike(k)} {{ pay 2 }}"))


def asian(k):
    keys = "maturity = 1.0\nfixing_count = 252\n"
    return (f'product = "asian"\nasset = "A"\ntype = "put"\nstrike = {strike(k)}\n{keys}',
            script(f'assets = ["A"]\n{keys}',
                   f"state total = 0\ntotal = total + spot\nif last {{ pay max({strike(k)} - total * (1 / dates), 0) }}"))


def barrier(k):
    keys = "maturity = 1.0\nfixing_count = 252\n"
    return (f'product = "barrier"\nasset = "A"\ntype = "put"\nkind = "down_and_in"\nbarrier = {strike(k) - 15}\nstrike = 100.0\n'
            f'rebate = 2.0\nmonitoring = "discrete"\n{keys}',
            script(f'assets = ["A"]\n{keys}',
                   f"state touched = false\nif spot <= {strike(k) - 15} {{ touched = true }}\n"
                   "schedule maturity { pay where(touched, max(100 - spot, 0), 2) }"))


def barrier_at_hit(k):
    keys = "maturity = 1.0\nfixing_count = 252\n"
    return (f'product = "barrier"\nasset = "A"\ntype = "call"\nkind = "up_and_out"\nbarrier = {strike(k) + 30}\nstrike = 100.0\n'
            f'rebate = 4.0\nrebate_paid = "at_hit"\nmonitoring = "discrete"\n{keys}',
            script(f'assets = ["A"]\n{keys}',
                   f"if spot >= {strike(k) + 30} {{\n  pay 4\n  call\n}}\nif last {{ pay max(spot - 100, 0) }}"))


def cliquet(k):
    keys = "maturity = 3.0\nfixing_count = 36\n"
    cap = round(0.03 + 0.0001 * k, 6)
    return (f'product = "cliquet"\nasset = "A"\ntype = "call"\nlocal_cap = {cap}\nlocal_floor = -0.02\nglobal_floor = 0.01\n{keys}',
            script(f'assets = ["A"]\n{keys}',
                   f"state total = 0\nstate previous = 100\ntotal = total + clip(spot / previous - 1, -0.02, {cap})\n"
                   "previous = spot\nif last { pay max(total, 0.01) }"))


def of_five(product, text):
    def pair(k):
        keys = f"assets = {json.dumps(ASSETS)}\nmaturity = 1.0\n"
        kind = "put" if product == "worst_of" else "call"
        return (f'product = "{product}"\ntype = "{kind}"\nstrike = {strike(k)}\n{keys}', script(keys, text.format(strike(k))))
    return pair


def phoenix(k):
    keys = f"""assets = {json.dumps(ASSETS[:3])}
maturity = 3.0
fixing_count = 12
call = [{round(1 + 0.0005 * k, 6)}]
coupon = 0.02
coupon_barrier = 0.7
memory = true
knock_in = 0.6
"""
    return f'product = "autocallable"\n{keys}'.replace(
        f"call = [{round(1 + 0.0005 * k, 6)}]", f"call = {[round(1 + 0.0005 * k, 6)] * 12}"), f'product = "phoenix"\n{keys}'


# Product: market, trades, and samples of one trade for about a second; with n trades there are fewer.
PRODUCTS = {
    "european": (ONE_ASSET, european, 1 << 26),
    "digital": (ONE_ASSET, digital, 1 << 26),
    "asian, 252 dates": (ONE_ASSET, asian, 1 << 22),
    "barrier, 252 dates": (ONE_ASSET, barrier, 1 << 22),
    "barrier, rebate at hit": (ONE_ASSET, barrier_at_hit, 1 << 22),
    "cliquet, 36 dates": (ONE_ASSET, cliquet, 1 << 24),
    "worst of 5": (FIVE_ASSETS, of_five("worst_of", "pay max({} - worst(spot), 0)"), 1 << 24),
    "best of 5": (FIVE_ASSETS, of_five("best_of", "pay max(best(spot) - {}, 0)"), 1 << 24),
    "phoenix, 12 dates": (FIVE_ASSETS, phoenix, 1 << 23),
}


def configs(product, trades, samples):
    """The portfolios of gsim's products and of scripts."""
    market, pair, _ = PRODUCTS[product]
    head = f'module = "pricing"\nstop.samples = {samples}\n[pricing]\ncontrol_variates = "none"\nimportance_sampling = false\n{market}'
    both = [pair(k) for k in range(trades)]
    return [head + "".join(f'[[trades]]\nid = "T{k}"\n{p[which]}' for k, p in enumerate(both)) for which in (0, 1)]


def command(gsim, text, folder, plugin):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.toml").write_text(text, encoding="utf-8")
    return [gsim, "run", "run.toml", "--log", "json", "--threads", "1", *(["--plugin", plugin] if plugin else [])]


def timed(gsim, text, folder, core, plugin):
    """Processor seconds, and the name, mean and error of each estimate."""
    output, seconds, _ = peers.run_pinned(command(gsim, text, folder, plugin), folder, [core])
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return seconds, [(e["name"], e["mean"], e["standard_error"]) for e in events if e["event"] == "estimate"]


def ratios_of_times(gsim, product, trades, samples, rounds, folder, core, plugin):
    ratios = []
    texts = configs(product, trades, samples)
    for k in range(rounds):
        runs = {}
        for which in ((0, 1), (1, 0))[k % 2]:
            runs[which] = timed(gsim, texts[which], folder / str(which), core, plugin)
        if not runs[0][1] or (not plugin and runs[0][1] != runs[1][1]):
            sys.exit(f"{product}: the scripts computed {runs[1][1][:3]}, the products {runs[0][1][:3]}")
        ratios.append(runs[1][0] / runs[0][0])
    return ratios


def ratio_of_instructions(gsim, product, trades, samples, folder, plugin):
    counts = []
    for which in (0, 1):
        found = []
        for n in (samples, 2 * samples):
            run = command(gsim, configs(product, trades, n)[which], folder, plugin)
            found.append(peers.instructions_of(run, folder, {}))
        counts.append(found[1] - found[0])
    return counts[1] / counts[0]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--json"), p.add_argument("--plugin")
    p.add_argument("--trades", type=int, action="append")
    p.add_argument("--only")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--scale", type=float, default=1, help="factor for the numbers of samples")
    p.add_argument("--instructions", action="store_true")
    o = p.parse_args()
    gsim = peers.find_program(o.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    core = max(os.sched_getaffinity(0))
    report = {**peers.machine_description(), "rounds": o.rounds, "instructions": o.instructions, "ratios": {}}
    what = "instructions" if o.instructions else f"processor time, medians of {o.rounds} rounds"
    print(f"script / product, {what}; {report['processor']}, load average {report['load_average']:.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for product, (_, _, most) in PRODUCTS.items():
            if o.only and not product.startswith(o.only) or product.startswith("phoenix") and not o.plugin:
                continue
            plugin = pathlib.Path(o.plugin).resolve() if product.startswith("phoenix") else None
            for trades in o.trades or [1, 40, 200]:
                if o.instructions:
                    ratios = [ratio_of_instructions(gsim, product, trades, max(8192, int(65536 * o.scale)), folder, plugin)]
                else:
                    samples = max(65536, int(most * o.scale / (1 + trades / 8)))
                    ratios = ratios_of_times(gsim, product, trades, samples, o.rounds, folder, core, plugin)
                report["ratios"][f"{product}, {trades} trades"] = ratios
                spread = f"  ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
                print(f"  {product:<24}{trades:>5} trades{statistics.median(ratios):8.2f}{spread}", flush=True)
    if o.json:
        pathlib.Path(o.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
