"""Small configurations, and tables of configurations, that several tests use."""

MARKET = """[market]
rate = {}
[market.assets.S]
spot = 100.0
volatility = 0.2
"""
TRADE = """[[trades]]
id = "{}"
product = "european"
asset = "S"
type = "call"
strike = {}
maturity = 1.0
"""
# One European call, priced with 16,384 samples.
ONE_CALL = ('module = "pricing"\n[stop]\nsamples = 16384\n' + MARKET.format(0.05) +
            TRADE.format("call", 100.0))
