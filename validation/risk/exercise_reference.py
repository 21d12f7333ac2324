#!/usr/bin/env python3
"""Reference values of exercise_of_paths.toml: backward recursions from date to date, over the spot on Gauss-Legendre panels that
end where payoffs bend or jump, and over a sum of functions of returns on a grid. Prints the values for two sets of panels or grids.
usage: exercise_reference.py (a minute)"""
import math

from structured_reference import normal_cdf, panels

SPOT, RATE, DIVIDEND, VOL, DT, PERIODS = 100.0, 0.05, 0.02, 0.25, 0.25, 4
DRIFT, SD, DISCOUNT = (RATE - DIVIDEND - 0.5 * VOL * VOL) * DT, VOL * math.sqrt(DT), math.exp(-RATE * DT)
NO_RIGHT = -math.inf


def of_spot(on, states, levels, count, n):
    """on(period, state, spot) gives the next state, the payment, whether the contract goes on, and what exercise pays."""
    reach = 9 * SD * math.sqrt(PERIODS)
    points = sorted([-reach, reach] + [math.log(level / SPOT) for level in levels])
    nodes = panels(points, count, n)

    def continuation(x, values):
        total = sum(w * math.exp(-0.5 * ((y - x - DRIFT) / SD) ** 2) * v for (y, w), v in zip(nodes, values))
        return DISCOUNT * total / (SD * math.sqrt(2 * math.pi))

    values = None
    for period in range(PERIODS, 0, -1):
        held, new = {}, []
        for state in range(states):
            row = []
            for i, (x, _) in enumerate(nodes):
                after, paid, goes_on, exercise = on(period, state, SPOT * math.exp(x))
                if goes_on and period < PERIODS:
                    if (after, i) not in held:
                        held[after, i] = continuation(x, values[after])
                    paid += max(held[after, i], exercise)
                row.append(paid)
            new.append(row)
        values = new
    return continuation(0.0, values[0])


def of_sum(term, pays, low, high, cells, points):
    """Exercise after period k pays pays(k, sum)."""
    width = 16.0 / points
    middles = [-8 + (i + 0.5) * width for i in range(points)]
    weights = [normal_cdf(z + 0.5 * width) - normal_cdf(z - 0.5 * width) for z in middles]
    terms = [term(DRIFT + SD * z) for z in middles]
    h = (high - low) / cells

    def continuation(total, values):
        expected = 0.0
        for t, w in zip(terms, weights):
            x = min(max((total + t - low) / h, 0.0), cells - 1e-9)
            i = int(x)
            expected += w * (values[i] + (x - i) * (values[i + 1] - values[i]))
        return DISCOUNT * expected

    values = [pays(PERIODS, low + h * i) for i in range(cells + 1)]
    for period in range(PERIODS - 1, 0, -1):
        values = [max(continuation(low + h * i, values), pays(period, low + h * i)) for i in range(cells + 1)]
    return continuation(0.0, values)


def clip(x, low, high):
    return min(max(x, low), high)


def barrier_put(knock_in, at_hit):
    def on(period, state, spot):
        touched, option = state == 1 or spot <= 85, max(105 - spot, 0.0)
        if touched and not knock_in:
            return 1, 4.0 if at_hit else 4 * DISCOUNT ** (PERIODS - period), False, NO_RIGHT
        if period == PERIODS:
            return 0, option if touched or not knock_in else 4.0, True, NO_RIGHT
        return int(touched), 0.0, True, option if touched or not knock_in else NO_RIGHT
    return on


def parisian(period, state, spot):
    run, option = 2 if state == 2 else state + 1 if spot <= 92 else 0, max(105 - spot, 0.0)
    if period == PERIODS:
        return run, option if run == 2 else 0.0, True, NO_RIGHT
    return run, 0.0, True, option if run == 2 else NO_RIGHT


def phoenix(period, state, spot):
    coupon, redemption = 4.0 if spot >= 92 else 0.0, 100.0 if spot >= 92 else spot
    if spot >= 108:
        return 0, coupon + 100, False, NO_RIGHT
    if period == PERIODS:
        return 0, coupon + redemption, True, NO_RIGHT
    return 0, coupon, True, redemption


def puttable(period, state, spot):
    coupon = 2.5 if spot >= 95 else 0.0
    if period == PERIODS:
        return 0, coupon + max(99.0, spot if spot < 80 else 100.0), True, NO_RIGHT
    return 0, coupon, True, 101.0


def main():
    cases = [
        ("down-and-out put, rebate at the touch", barrier_put(False, True), 2, [85, 105]),
        ("down-and-out put, rebate at expiry", barrier_put(False, False), 2, [85, 105]),
        ("down-and-in put, rebate", barrier_put(True, False), 2, [85, 105]),
        ("Parisian down-and-in put", parisian, 3, [92, 105]),
        ("phoenix", phoenix, 1, [92, 108]),
        ("puttable note", puttable, 1, [80, 95]),
    ]
    for name, on, states, levels in cases:
        print(name, *(f"{of_spot(on, states, levels, count, 8):.6f}" for count in (20, 32)))
    for name, *contract in [
        ("cliquet", lambda x: clip(math.exp(x) - 1, -0.08, 0.08), lambda k, s: 1000 * clip(s, -0.25, 0.14), -0.32, 0.32),
        ("variance swap", lambda x: x * x, lambda k, s: 1000 * (4 / k * s - 0.06), 0.0, 0.5),
    ]:
        print(name, *(f"{of_sum(*contract, cells, 600):.6f}" for cells in (800, 1600)))


if __name__ == "__main__":
    main()
