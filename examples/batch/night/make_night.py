#!/usr/bin/env python3
"""Writes a made-up equity desk's book and market into the folder of this script.

    python3 make_night.py [TRADES]      (default: 2400)

trades.csv has the trades, desk.toml the market and the keys that all measures share, history.csv 251 days of levels of all
risk factors, index_quotes.csv the volatility surface of one index.
The files depend on TRADES alone. night.toml runs them.
"""
import csv
import datetime
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from estimates import count_argument  # noqa: E402

RATES = {"EUR": [0.0210, 0.0205, 0.0212, 0.0221, 0.0236], "USD": [0.0405, 0.0388, 0.0366, 0.0361, 0.0372],
         "JPY": [0.0052, 0.0066, 0.0089, 0.0105, 0.0128]}
PILLARS = [0.25, 1.0, 2.0, 3.0, 5.0]
PAIRS = {"EURUSD": (1.10, 0.082), "USDJPY": (150.0, 0.105)}
# name: currency, spot, volatility, dividend yield, loading on the common factor
INDICES = {"SX5E": ("EUR", 4800.0, 0.17, 0.028, 0.85), "DAX": ("EUR", 18500.0, 0.165, 0.0, 0.85),
           "SPX": ("USD", 5000.0, 0.15, 0.014, 0.85), "NDX": ("USD", 17800.0, 0.19, 0.008, 0.8),
           "NKY": ("JPY", 38000.0, 0.20, 0.017, 0.65)}
STOCKS = {"ALPINE": ("EUR", 62.0, 0.24), "BALTIC": ("EUR", 28.0, 0.31), "CASTOR": ("EUR", 145.0, 0.22), "DANUBE": ("EUR", 88.0, 0.27),
          "ELBE": ("EUR", 41.0, 0.29), "FALCON": ("EUR", 230.0, 0.25), "GARONNE": ("EUR", 19.0, 0.35),
          "HUDSON": ("USD", 175.0, 0.28), "IOWA": ("USD", 96.0, 0.23), "JUNIPER": ("USD", 410.0, 0.33), "KANSAS": ("USD", 58.0, 0.26),
          "LAREDO": ("USD", 132.0, 0.38), "MIURA": ("JPY", 2400.0, 0.27), "NAGANO": ("JPY", 7100.0, 0.30), "OSAKA": ("JPY", 3300.0, 0.25)}
ASSETS = [*INDICES, *STOCKS]
SHORT_RATES = {"EURIBOR": ("EUR", 0.03, 0.0075), "SOFR": ("USD", 0.05, 0.0095)}
SETS = ["BANK-A", "BANK-B", "BANK-C", "FUND-D", "FUND-E", "INSURER-F", "CORPORATE-G", "CORPORATE-H", "HOUSE-I"]
MATURITIES = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0]
COLUMNS = ["id", "netting_set", "product", "asset", "assets", "rate", "type", "kind", "strike", "maturity", "end", "quantity", "barrier",
           "monitoring", "fixing_count", "average", "cash", "local_cap", "moneyness", "start", "exercise", "exercise_count",
           "currency", "conversion", "weights", "coupon", "coupon_barrier", "memory", "call", "knock_in", "consecutive", "script",
           "parameters.strike", "parameters.barrier"]
PRODUCTS = {"european": 26, "american": 9, "asian": 12, "digital": 6, "barrier": 11, "lookback": 3, "cliquet": 3, "basket": 6,
            "worst_of": 4, "exchange": 2, "forward_start": 2, "fx": 6, "quanto": 2, "swap": 3, "cap_floor": 1, "swaption": 1,
            "phoenix": 1.5, "parisian": 0.5, "accumulator": 1}


def currency_of(asset):
    return (INDICES.get(asset) or STOCKS[asset])[0]


def spot_of(asset):
    return (INDICES.get(asset) or STOCKS[asset])[1]


def rounded(value):
    """To three digits, as strikes are."""
    return float(f"{value:.3g}")


def units(rng, asset):
    """A number of units worth about 100000 EUR."""
    in_eur = {"EUR": 1.0, "USD": 1 / 1.10, "JPY": 1 / 165.0}[currency_of(asset)]
    return max(1, round(rng.choice([0.3, 1, 1, 2, 5]) * 1e5 / (spot_of(asset) * in_eur))) * rng.choice([-1, 1])


def basket(rng, count):
    """Assets of one currency."""
    currency = rng.choice(["EUR", "EUR", "USD"])
    return rng.sample([a for a in ASSETS if currency_of(a) == currency], count)


def trade(number, rng):
    product = rng.choices(list(PRODUCTS), list(PRODUCTS.values()))[0]
    t = {"id": f"T{number:05d}", "product": product, "maturity": rng.choice(MATURITIES),
         "netting_set": SETS[number % 7] if product not in ("swap", "cap_floor", "swaption", "fx") else SETS[7 + number % 2]}
    asset = rng.choice(ASSETS if rng.random() < 0.6 else list(INDICES))
    months = max(round(12 * t["maturity"]), 1)
    if product in ("swap", "cap_floor", "swaption"):
        t.update(rate=rng.choice(list(SHORT_RATES)), strike=rng.choice([0.02, 0.025, 0.03, 0.035, 0.04]),
                 quantity=rng.choice([1, 2, 5]) * 1000000)
        t["type"] = {"swap": ["payer", "receiver"], "swaption": ["payer", "receiver"], "cap_floor": ["cap", "floor"]}[product][rng.random() < 0.5]
        t["end"] = rng.choice([2.0, 3.0, 5.0]) + (t["maturity"] if product == "swaption" else 0)
        if product != "swaption":
            del t["maturity"]
        return t
    if product == "fx":
        pair = rng.choice(list(PAIRS))
        t.update(product=rng.choice(["forward", "european", "european", "barrier"]), asset=pair, strike=rounded(PAIRS[pair][0] * rng.uniform(0.94, 1.06)),
                 quantity=rng.choice([-5, -2, -1, 1, 2, 5]) * 100000)
        if t["product"] != "forward":
            t["type"] = rng.choice(["call", "put"])
        if t["product"] == "barrier":
            t.update(kind="down_and_out", barrier=rounded(PAIRS[pair][0] * 0.85), monitoring="continuous")
        return t
    if product in ("basket", "worst_of", "exchange"):
        names = basket(rng, 2 if product == "exchange" else 3)
        asset = names[0]
        t["assets"] = " ".join(names)
        if product != "exchange":  # prices relative to today's
            t["weights"] = " ".join(repr(float(f"{spot_of(asset) / spot_of(a) / (3 if product == 'basket' else 1):.8g}")) for a in names)
    elif product not in ("phoenix", "accumulator"):
        t["asset"] = asset
    t["quantity"] = units(rng, asset)
    strike = rounded(spot_of(asset) * rng.choice([0.8, 0.9, 0.95, 1.0, 1.0, 1.05, 1.1, 1.2]))
    if product not in ("exchange", "phoenix", "accumulator", "cliquet", "forward_start"):
        t.update(type=rng.choice(["call", "put"]), strike=strike)
    if product == "american":
        t["asset"] = rng.choice(list(STOCKS))
        t.update(product="european", exercise="bermudan", exercise_count=months, quantity=units(rng, t["asset"]),
                 strike=rounded(spot_of(t["asset"]) * rng.choice([0.9, 1.0, 1.1])))
    elif product == "quanto":
        t["asset"] = rng.choice([a for a in STOCKS if currency_of(a) != "EUR"])
        t.update(product="european", currency="EUR", conversion="quanto", strike=rounded(spot_of(t["asset"])),
                 quantity=rng.choice([-1, 1]) * max(1, round(1e5 / spot_of(t["asset"]))))
    elif product == "asian":
        t.update(fixing_count=months, average=rng.choice(["arithmetic", "arithmetic", "geometric"]))
    elif product == "digital":
        t["cash"] = rounded(spot_of(asset) / 10)
    elif product == "barrier":
        up = rng.random() < 0.5
        t.update(kind=("up" if up else "down") + rng.choice(["_and_out", "_and_in"]), barrier=rounded(spot_of(asset) * (1.3 if up else 0.7)))
        t.update(rng.choice([{"monitoring": "continuous"}, {"monitoring": "discrete", "fixing_count": months}]))
    elif product == "lookback":
        t.update(kind="fixed", monitoring="discrete", fixing_count=months)
    elif product == "cliquet":
        t.update(type="call", fixing_count=max(months // 3, 1), local_cap=0.06, quantity=rng.choice([-1, 1]) * 100000)
    elif product == "forward_start":
        t.update(type=rng.choice(["call", "put"]), moneyness=rng.choice([0.95, 1.0, 1.05]), start=round(t["maturity"] / 2, 4))
    elif product == "parisian":
        t.update(kind="down_and_out", barrier=rounded(spot_of(asset) * 0.75), consecutive=5, fixing_count=2 * months)
    elif product == "phoenix":
        t.update(assets=" ".join(basket(rng, 3)), maturity=rng.choice([1.0, 2.0, 3.0]), coupon=0.025, coupon_barrier=0.7, memory="true", call=1.0,
                 knock_in=0.6, quantity=rng.choice([-1, 1]) * 100000)
        t["fixing_count"] = round(4 * t["maturity"])
    elif product == "accumulator":
        asset = rng.choice(list(INDICES))
        t.update(product="scripted", script="accumulator", assets=asset, maturity=1.0, fixing_count=12,
                 quantity=units(rng, asset) / 10, **{"parameters.strike": rounded(spot_of(asset) * 0.93),
                                                    "parameters.barrier": rounded(spot_of(asset) * 1.06)})
    return t


def ssvi(t, k, at_forward, rho=-0.65, eta=0.9, gamma=0.5):
    """The volatility at ln(strike / forward) k (Gatheral and Jacquier 2014)."""
    theta = at_forward**2 * t
    phi = eta / (theta**gamma * (1 + theta)**(1 - gamma))
    return math.sqrt(theta / 2 * (1 + rho * phi * k + math.sqrt((phi * k + rho)**2 + 1 - rho**2)) / t)


def write_quotes():
    with open(FOLDER / "index_quotes.csv", "w") as file:
        file.write("expiry,moneyness,volatility\n")
        for t, v in ((0.25, 0.165), (0.5, 0.168), (1.0, 0.17), (2.0, 0.175), (3.0, 0.18)):
            for x in (0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3):
                file.write(f"{t},{x},{ssvi(t, math.log(x), v):.6f}\n")


def numbers(values):
    return "[" + ", ".join(repr(v) for v in values) + "]"


def asset_text(name):
    if name in INDICES:
        currency, spot, volatility, dividend, _ = INDICES[name]
        lines = [f"dividend = {dividend}", 'model = "local_volatility"', f'volatility = "{name}"']
    else:
        currency, spot, volatility = STOCKS[name]
        at = [round(volatility * f, 4) for f in (1.06, 1.0, 0.98, 0.97)]
        cash = rounded(spot * 0.012)
        lines = [f"volatility = {{ times = [0.25, 1.0, 2.0, 3.0], values = {numbers(at)} }}",
                 "dividends = [" + ", ".join(f"{{ time = {t}, cash = {cash} }}" for t in (0.4, 0.9, 1.4, 1.9, 2.4, 2.9)) + "]"]
    return "\n".join([f"\n[market.assets.{name}]", f'currency = "{currency}"', f"spot = {spot}", *lines])


def surface_text(name):
    if name == "SX5E":
        return '\n[market.volatility_surfaces.SX5E]\nquotes_file = "index_quotes.csv"'
    volatility = INDICES[name][2]
    at = [round(volatility * f, 4) for f in (0.97, 0.99, 1.0, 1.03, 1.06)]
    return (f"\n[market.volatility_surfaces.{name}.ssvi]\nexpiries = [0.25, 0.5, 1.0, 2.0, 3.0]\nvolatilities = {numbers(at)}\n"
            "rho = -0.65\neta = 0.9\ngamma = 0.5")


def correlation_text(extra):
    """Correlations by one factor, which are consistent for any loadings."""
    loading = {**{a: INDICES[a][4] for a in INDICES}, **{a: 0.6 for a in STOCKS}, **extra}
    rows = ",\n          ".join(numbers([1.0 if a == b else round(loading[a] * loading[b], 4) for b in loading]) for a in loading)
    return "assets = [" + ", ".join(f'"{a}"' for a in loading) + f"]\nmatrix = [{rows}]"


def write_market():
    parts = ["# Written by make_night.py: market, trades and common keys of night.toml, which selects the measures.",
             'module = "pricing"\nseed = 20261128\ntrades_file = "trades.csv"',
             "\n[stop]\nsamples = 32768",
             '\n[checkpoint]\ninterval = "30 s"     # a node that fails costs half a minute',
             '\n[pricing]\nsteps_per_year = 50\nexercise = { paths = 16384, upper_bound = false }',
             '\n[pricing.scripts.accumulator]\npayoff = """\nparameter strike\nparameter barrier\nif spot >= barrier { call }\n'
             'pay where(spot >= strike, 1, 2) * (spot - strike)\n"""',
             f'\n[market]\ncurrency = "EUR"\nrate = {{ times = {numbers(PILLARS)}, values = {numbers(RATES["EUR"])} }}']
    for currency in ("USD", "JPY"):
        parts.append(f"\n[market.currencies.{currency}]\nrate = {{ times = {numbers(PILLARS)}, values = {numbers(RATES[currency])} }}")
    for pair, (spot, volatility) in PAIRS.items():
        parts.append(f"\n[market.fx.{pair}]\nspot = {spot}\nvolatility = {volatility}")
    for rate, (currency, reversion, volatility) in SHORT_RATES.items():
        parts.append(f'\n[market.rates.{rate}]\ncurrency = "{currency}"\nmean_reversion = {reversion}\nvolatility = {volatility}')
    parts += [surface_text(name) for name in INDICES] + [asset_text(name) for name in ASSETS]
    parts.append("\n[market.correlation]\n" + correlation_text({"EURUSD": 0.15, "USDJPY": 0.2, "EURIBOR": 0.0, "SOFR": 0.0}))
    for name, hazard in zip(["US", *SETS], [0.008, 0.010, 0.014, 0.018, 0.035, 0.05, 0.012, 0.025, 0.03, 0.006]):
        parts.append(f"\n[market.credit.{name}]\nrecovery = 0.4\ntimes = [1.0, 5.0, 10.0]\n"
                     f"hazard_rates = {numbers([hazard, round(1.2 * hazard, 5), round(1.5 * hazard, 5)])}")
    (FOLDER / "desk.toml").write_text("\n".join(parts) + "\n")


def history(rng, days):
    """Levels of all factors backwards from today's, with a common stochastic volatility."""
    today = {**{a: spot_of(a) for a in ASSETS}, **{p: s for p, (s, _) in PAIRS.items()},
             **{f"{a} volatility": (INDICES.get(a) or STOCKS[a])[2] for a in ASSETS}, "rate": 0.0212, "USD rate": 0.037, "JPY rate": 0.009}
    rows, level = [dict(today)], 0.0
    for _ in range(days):
        common, now = rng.gauss(0, 1), dict(rows[-1])
        scale = math.exp(level) / math.sqrt(252)
        for a in ASSETS:
            loading = INDICES[a][4] if a in INDICES else 0.6
            volatility = (INDICES.get(a) or STOCKS[a])[2]
            now[a] *= math.exp(volatility * scale * (loading * common + math.sqrt(1 - loading**2) * rng.gauss(0, 1)))
            drift = 0.03 * (volatility - now[f"{a} volatility"])
            now[f"{a} volatility"] = max(now[f"{a} volatility"] + drift - volatility * scale * (0.35 * common + 0.25 * rng.gauss(0, 1)), 0.06)
        for p, (_, volatility) in PAIRS.items():
            now[p] *= math.exp(volatility * scale * rng.gauss(0, 1))
        for r in ("rate", "USD rate", "JPY rate"):
            now[r] += 0.0004 * rng.gauss(0, 1)
        level = 0.97 * level + 0.09 * rng.gauss(0, 1)
        rows.append(now)
    return rows[::-1]


def write_history(rng):
    rows = history(rng, 250)
    dates, day = [], datetime.date(2026, 11, 27)
    while len(dates) < len(rows):
        if day.weekday() < 5:
            dates.append(day.isoformat())
        day -= datetime.timedelta(days=1)
    with open(FOLDER / "history.csv", "w") as file:
        file.write(",".join(["date", *rows[0]]) + "\n")
        for date, row in zip(dates[::-1], rows):
            file.write(",".join([date, *(f"{v:.7g}" for v in row.values())]) + "\n")


def write_trades(name, trades):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(trades)


def main():
    count = count_argument("TRADES", default=2400, least=1, most=99999)
    rng = random.Random(20261128)
    trades = [trade(number, rng) for number in range(1, count + 1)]
    write_trades("trades.csv", trades)
    write_quotes()
    write_market()
    write_history(random.Random(20261129))


if __name__ == "__main__":
    main()
