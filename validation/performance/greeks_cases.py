"""Markets and portfolios of greeks_cost.py."""
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/portfolio"))
import make_portfolio  # noqa: E402

ASSETS = make_portfolio.ASSETS
SEVERAL = ("basket", "worst_of", "exchange")
CONTINUOUS = ("european", "asian", "cliquet", "lookback", *SEVERAL)  # in the spots
CORRELATIONS = """[market.correlation]
assets = ["SPX", "SX5E", "NKY", "UKX"]
matrix = [[1.00, 0.70, 0.40, 0.62], [0.70, 1.00, 0.45, 0.78], [0.40, 0.45, 1.00, 0.42], [0.62, 0.78, 0.42, 1.00]]
"""
# Variances that are correlated with their spots by -0.6 leave room for these.
WEAK_CORRELATIONS = (f"[market.correlation]\nassets = {ASSETS}\n"
                     f"matrix = {[[1.0 if a == b else 0.3 for b in ASSETS] for a in ASSETS]}\n")


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


def of_configuration(name, products, trades, is_early=False):
    """The market of configs/pricing/NAME.toml, and its trades of these products, repeated."""
    text = (ROOT / f"configs/pricing/{name}.toml").read_text(encoding="utf-8")
    market, *tables = text[text.index("[market"):].split("[[trades]]")
    tables = [t for t in tables if re.search(r'product = "(\w+)"', t)[1] in products and ("exercise" in t) == is_early]
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


# Products by name: keys of [[trades]] besides id, assets, strike, type and maturity.
ON_ONE_ASSET = {
    "european": "product = \"european\"",
    "digital": "product = \"digital\"\ncash = 10.0",
    "asian": "product = \"asian\"\nfixing_count = 12",
    "lookback": "product = \"lookback\"\nkind = \"fixed\"\nmonitoring = \"discrete\"\nfixing_count = 12",
    "barrier, continuous": "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 75.0",
    "barrier, 12 dates": "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 75.0\nmonitoring = \"discrete\"\nfixing_count = 12",
    "window barrier": "product = \"window_barrier\"\nkind = \"down_and_in\"\nbarrier = 85.0\nfixing_count = 6",
    "parisian": "product = \"parisian\"\nkind = \"down_and_out\"\nbarrier = 85.0\nconsecutive = 3\nfixing_count = 12",
}
PHOENIX = ("product = \"phoenix\"\nfixing_count = 4\ncoupon = 0.02\ncoupon_barrier = 0.7\nmemory = true\ncall = [1.0]\nknock_in = 0.6")
NAPOLEON = "product = \"napoleon\"\nfixing_count = 12\nperiods_per_coupon = 6\ncoupon = 0.08"
SCRIPTS = {
    "Asian": "state total = 0\ntotal = total + spot\nif last { pay max(total / dates - 100, 0) }",
    "cliquet": "state level = 100\npay clip(spot / level - 1, -0.02, 0.05)\nlevel = spot",
    "range accrual": "if spot >= 85 and spot <= 125 { pay 1 }",
    "autocall": """state missed = 0
let level = worst(spot / 100)
if level >= 0.7 {
  pay 0.02 * (missed + 1)
  missed = 0
} else { missed = missed + 1 }
if level >= 1 {
  pay 1
  call
}
schedule maturity { pay min(worst(spot / 100), 1) }""",
}
BERMUDAN = "exercise = \"bermudan\"\nexercise_count = 9"
FEW_PATHS = "[pricing.exercise]\npaths = 4096\nupper_bound = false\n"  # the policy is no part of what is counted


def of_product(keys, assets, trades, has_strike=True):
    """Trades of one product with different strikes and maturities, on these assets or, one asset each, on all four in turn."""
    rng = random.Random(20261130)
    text = ""
    for i in range(trades):
        on = f"assets = {assets}" if assets else f"asset = \"{ASSETS[i % len(ASSETS)]}\""
        strike = f"type = \"{rng.choice(['call', 'put'])}\"\nstrike = {rng.choice(range(80, 125, 5))}\n" if has_strike else ""
        text += f"[[trades]]\nid = \"T{i}\"\n{on}\n{keys}\n{strike}maturity = {rng.choice(make_portfolio.MATURITIES)}\n"
    return text


def families(trades):
    """One portfolio for each family of products, on one and on three assets."""
    three = ASSETS[:3]
    for name, keys in ON_ONE_ASSET.items():
        yield f"{name}, 1", lognormal(False), of_product(keys, [], trades)
    for name in ("basket", "worst_of"):
        yield f"{name}, 3", lognormal(False), of_product(f"product = \"{name}\"", three, trades)
    yield "phoenix, 1", lognormal(False), of_product(PHOENIX, ASSETS[:1], trades, False)
    yield "phoenix, 3", lognormal(False), of_product(PHOENIX, three, trades, False)
    yield "napoleon, 1", lognormal(False), of_product(NAPOLEON, [], trades, False)
    for name, script in SCRIPTS.items():
        on = three if name == "autocall" else ASSETS[:1]
        keys = f"product = \"scripted\"\nfixing_count = 12\npayoff = \'\'\'\n{script}\n\'\'\'"
        yield f"script {name}, {len(on)}", lognormal(False), of_product(keys, on, trades, False)
    for model in ("local volatility", "heston", "bates"):
        market = local_volatility() if model == "local volatility" else stochastic_variance(model)
        yield f"{model}, european and asian, 1", market, portfolio(trades, ("european", "asian"))
        correlated = market if model == "local volatility" else market + WEAK_CORRELATIONS
        yield f"{model}, worst_of, 3", correlated, of_product("product = \"worst_of\"", three, trades)
    yield "fx options and quantos", *of_configuration("currencies", ("european",), trades)
    yield "fx barriers, continuous", *of_configuration("currencies", ("barrier",), trades)
    yield "fx quanto baskets", *of_configuration("currencies", ("basket",), trades)
    for name, product in (("caps", "cap_floor"), ("swaptions", "swaption"), ("swaps", "swap")):
        yield name, *of_configuration("rates", (product,), trades)
    market, text = of_configuration("rates", ("cap_floor", "swaption"), trades)
    yield "caps and swaptions, ten pillars", market.replace("rate = 0.03", rate(10).split("\n")[1]), text
    market, text = of_configuration("rates", ("swaption",), trades // 5, is_early=True)
    yield "bermudan swaptions", market, FEW_PATHS + text
    yield "american options, 1", lognormal(False), of_product("product = \"european\"\nexercise = \"american\"", [], trades // 5) + FEW_PATHS
    yield "bermudan best_of, 3", lognormal(False), of_product(f"product = \"best_of\"\n{BERMUDAN}", three, trades // 5) + FEW_PATHS


def everything(trades):
    """All cases."""
    yield from cases(trades)
    yield from cases_by_assets(trades)
    for name, market, text in families(trades):
        yield f"family {name}", market, text
