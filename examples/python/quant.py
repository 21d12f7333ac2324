"""A small options book: prices and Greeks against Black and Scholes, convergence, and a ladder of spots and volatilities.

Run it as a program, or cell by cell in an editor that knows `# %%` (VS Code, Spyder, Jupyter with jupytext).
"""
# %% The book: every class completes in an editor, and a wrong name, unit or range is an error at once
from math import erf, exp, log, pi, sqrt

import numpy as np
import pandas as pd

import gsim
from gsim.modules import pricing

RATE, SPOT, VOLATILITY, MATURITY = 0.03, 100.0, 0.2, 1.0
European = pricing.Trades.European
strikes = [90.0, 100.0, 110.0]
book = pricing.Config(
    seed=2026,
    stop=pricing.Stop(samples=65536),
    pricing=pricing.Pricing(greeks=["delta", "gamma", "vega"]),
    market=pricing.Market(rate=RATE, assets={"SPX": pricing.Market.Assets.BlackScholes(spot=SPOT, volatility=VOLATILITY)}),
    trades=[European(id=f"CALL-{strike:.0f}", asset="SPX", type="call", strike=strike, maturity=MATURITY) for strike in strikes]
    + [European(id=f"PUT-{strike:.0f}", asset="SPX", type="put", strike=strike, maturity=MATURITY) for strike in strikes]
    + [pricing.Trades.Asian(id="ASIAN", asset="SPX", type="call", strike=100.0, maturity=MATURITY, fixing_count=12)])
print(gsim.check(book))

try:
    European(id="X", asset="SPX", type="call", strke=100.0)  # type: ignore[call-arg]
except gsim.ConfigError as error:
    print("wrong names are found:", error)

# %% Prices with their errors, beside the closed form (Black and Scholes 1973)
results = gsim.run(book, name="quant", on_progress=print)


def black_scholes(strike: float, spot: float = SPOT, volatility: float = VOLATILITY) -> dict[str, float]:
    """Price, delta, gamma and vega of a call, and the price of the put."""
    deviation = volatility * sqrt(MATURITY)
    d1 = (log(spot / strike) + RATE * MATURITY) / deviation + deviation / 2
    n1, n2 = (0.5 * (1 + erf(d / sqrt(2))) for d in (d1, d1 - deviation))
    density, discounted = exp(-d1 * d1 / 2) / sqrt(2 * pi), strike * exp(-RATE * MATURITY)
    call = spot * n1 - discounted * n2
    return {"call": call, "put": call - spot + discounted, "delta": n1, "gamma": density / spot / deviation,
            "vega": spot * density * sqrt(MATURITY)}


trades = results["trades"].set_index("id")
table = trades[["price", "standard_error"]].iloc[:6].copy()
table["exact"] = [black_scholes(strike)[kind] for kind in ("call", "put") for strike in strikes]
table["z"] = (table["price"] - table["exact"]) / table["standard_error"]
print(table.round(4), "\nunits:", results["trades"].attrs["units"]["price"])
assert (table["z"].abs() < 4).all(), "prices are within four standard errors of the closed form"

# %% Greeks
greeks = results.named("greeks")
greeks = greeks[greeks["trade"].str.startswith("CALL")]
exact = [black_scholes(float(trade.split("-")[1]))[greek] for trade, greek in zip(greeks["trade"], greeks["greek"])]
greeks = greeks.assign(exact=exact, z=(greeks["value"] - exact) / greeks["standard_error"])
print(greeks[["trade", "greek", "value", "standard_error", "exact", "z", "unit"]].to_string(index=False))
assert (greeks["z"].abs() < 4.5).all(), "Greeks are within 4.5 standard errors of the closed form"

# %% Convergence: the standard error falls with the square root of the samples
history = results.convergence()
asian = history[history["trade"] == "ASIAN"]
slope = np.polyfit(np.log(asian["samples"]), np.log(asian["standard_error"]), 1)[0]
print(f"standard error ~ samples^{slope:.2f}")
assert -0.7 < slope < -0.3

# %% A ladder: the book at other spots and volatilities, as one batch with a seed for each run
ladder = gsim.Batch("quant_ladder", cores=2)
ladder.add("book", book, set={"stop.samples": 16384, "pricing.greeks": []},
           vary={"market.assets.SPX.spot": gsim.Range(80, 120, count=3), "market.assets.SPX.volatility": [0.1, 0.2, 0.3]})
runs = ladder.run(resume="auto")
calls = runs.estimates.query("row == 'CALL-100'")
grid: pd.DataFrame = calls.pivot(index="market.assets.SPX.spot", columns="market.assets.SPX.volatility", values="value")
print(grid.round(3))
z = np.array([(value - black_scholes(100.0, spot, volatility)["call"]) / error for spot, volatility, value, error in
              zip(calls["market.assets.SPX.spot"], calls["market.assets.SPX.volatility"], calls["value"], calls["std_error"])])
assert np.abs(z).max() < 4, "the ladder agrees with the closed form"

# %% A picture
plt = gsim.pyplot()
if plt is not None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.errorbar(table.index, table["z"], yerr=1, fmt="o")
    left.set(ylabel="(price − exact) / standard error", title="European options")
    left.tick_params(axis="x", rotation=60)
    grid.plot(ax=right, marker="o", xlabel="spot", ylabel="price of CALL-100", title="ladder")
    figure.savefig("results/quant.png")
