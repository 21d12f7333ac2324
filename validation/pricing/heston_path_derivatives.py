#!/usr/bin/env python3
"""Derivatives of a call's price by the parameters of Heston's model: of the paths of Andersen's QE scheme with martingale correction ("pathwise", at fixed
normals), by bumps of 2 % on the same normals, and of Lewis's formula, which also tells the error of such a bump. A path jumps in the parameters where a step
changes from the quadratic to the exponential branch, which pathwise derivatives leave out. Needs NumPy and SciPy; a few minutes.

    heston_path_derivatives.py [--batches N] [--steps N]"""
import argparse

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

SPOT = STRIKE = 100.0
MATURITY, PATHS, BUMP = 1.0, 20000, 0.02
NAMES = ["v0", "kappa", "theta", "sigma", "rho"]
MODELS = [[0.04, 2.0, 0.04, 0.3, -0.5], [0.04, 1.5, 0.04, 0.6, -0.7], [0.04, 0.5, 0.04, 1.0, -0.9]]
SMALL = 1e-30  # of complex steps (Squire and Trapp 1998)


def closed_form(parameters):
    """A. L. Lewis, "Option Valuation under Stochastic Volatility" (2000), chapter 2, without rates."""
    v0, kappa, theta, sigma, rho = parameters

    def characteristic(u):
        b = kappa - rho * sigma * 1j * u
        d = np.sqrt(b * b + sigma**2 * (1j * u + u * u))
        g, e = (b - d) / (b + d), np.exp(-d * MATURITY)
        c = kappa * theta / sigma**2 * ((b - d) * MATURITY - 2 * np.log((1 - g * e) / (1 - g)))
        return np.exp(c + v0 * (b - d) / sigma**2 * (1 - e) / (1 - g * e))

    k = np.log(STRIKE / SPOT)
    integral = quad(lambda u: (np.exp(-1j * u * k) * characteristic(u - 0.5j)).real / (u * u + 0.25), 0, 400, limit=2000, epsabs=1e-12)[0]
    return SPOT - np.sqrt(SPOT * STRIKE) / np.pi * integral


def simulate(parameters, z_s, z_v):
    """Payments of all paths, complex if a parameter is, and the share of steps in the exponential branch: Andersen (2008), eq. 23 to 33."""
    v0, kappa, theta, sigma, rho = parameters
    steps = len(z_v)
    dt = MATURITY / steps
    decay = np.exp(-kappa * dt)
    kind = complex if any(np.iscomplexobj(p) for p in parameters) else float
    v, x = np.full(PATHS, v0, dtype=kind), np.zeros(PATHS, dtype=kind)
    k0 = -rho * kappa * theta / sigma * dt
    half = 0.5 * dt * (kappa * rho / sigma - 0.5)
    k1, k2, k3 = half - rho / sigma, half + rho / sigma, 0.5 * dt * (1 - rho**2)
    a_of_correction = k2 + 0.5 * k3
    share = 0.0
    for step in range(steps):
        m = theta + (v - theta) * decay
        s2 = v * sigma**2 * decay / kappa * (1 - decay) + theta * sigma**2 / (2 * kappa) * (1 - decay) ** 2
        psi = s2 / m**2
        is_exponential = psi.real > 1.5
        share += is_exponential.mean() / steps
        q = 2 / np.where(is_exponential, 1.0, psi)
        b2 = q - 1 + np.sqrt(q) * np.sqrt(q - 1)
        a = m / (1 + b2)
        p = np.where(is_exponential, (psi - 1) / (psi + 1), 0.5)
        beta = (1 - p) / m
        draw = (1 - p) / ndtr(-z_v[step])
        drawn = np.where(draw.real > 1, np.log(draw) / beta, 0)
        after = np.where(is_exponential, drawn, a * (np.sqrt(b2) + z_v[step]) ** 2)
        left = 1 - 2 * a_of_correction * a
        gap = beta - a_of_correction
        exists = np.where(is_exponential, gap, left).real > 0
        quadratic = -a_of_correction * b2 * a / left + 0.5 * np.log(np.where(left.real > 0, left, 1))
        exponential = -np.log(p + beta * (1 - p) / np.where(gap.real > 0, gap, 1))
        correction = np.where(is_exponential, exponential, quadratic) - (k1 + 0.5 * k3) * v
        variance = k3 * (v + after)
        x = x + np.where(exists, correction, k0) + k1 * v + k2 * after + np.sqrt(np.where(variance.real > 1e-300, variance, 1e-300)) * z_s[step]
        v = after
    spot = SPOT * np.exp(x)
    return np.where(spot.real > STRIKE, spot - STRIKE, 0), share


def changed(parameters, i, change):
    return [p + change if k == i else p for k, p in enumerate(parameters)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--batches", type=int, default=120)
    p.add_argument("--steps", type=int, default=8)
    options = p.parse_args()
    batches = options.batches
    rng = np.random.default_rng(7)
    for model in MODELS:
        pathwise, bumps = np.zeros((5, batches)), np.zeros((5, batches))
        for b in range(batches):
            z = rng.standard_normal((2, options.steps, PATHS))
            share = simulate(model, *z)[1]
            for i in range(5):
                pathwise[i, b] = simulate(changed(model, i, SMALL * 1j), *z)[0].imag.mean() / SMALL
                h = BUMP * abs(model[i])
                bumps[i, b] = (simulate(changed(model, i, h), *z)[0].mean() - simulate(changed(model, i, -h), *z)[0].mean()) / (2 * h)
        print(f"{dict(zip(NAMES, model))}, {batches * PATHS} paths, {share:.0%} of the steps in the exponential branch", flush=True)
        error = lambda values: values.std(ddof=1) / np.sqrt(batches)  # noqa: E731
        for i, name in enumerate(NAMES):
            exact, bumped = [(closed_form(changed(model, i, h)) - closed_form(changed(model, i, -h))) / (2 * h)
                             for h in (1e-4 * abs(model[i]), BUMP * abs(model[i]))]
            d = pathwise[i] - bumps[i]
            print(f"  {name:6} formula {exact:9.4f}, bumped {bumped - exact:+.4f}  pathwise {pathwise[i].mean():9.4f} +- {error(pathwise[i]):.4f}  bumps {bumps[i].mean():9.4f} +- "
                  f"{error(bumps[i]):.4f}  difference {d.mean():8.4f} +- {error(d):.4f}", flush=True)


if __name__ == "__main__":
    main()
