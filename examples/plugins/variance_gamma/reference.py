#!/usr/bin/env python3
"""Prices of European options under the variance gamma process by two independent formulas: the reference
values of validation/pricing. usage: reference.py

1. Conditional on the gamma time g the spot is lognormal (D. B. Madan, P. P. Carr, E. C. Chang, "The variance gamma
   process and option pricing", European Finance Review 2 (1998) 79, eq. 6 and section 3), so that the price is the
   integral of Black's formula over the density of g. With g = nu w^(1/a), a = T / nu, that density is
   exp(-w^(1/a)) / Gamma(a + 1) dw. Only its derivatives are singular at w = 0, which does not reduce the accuracy of
   double exponential quadrature (H. Takahasi, M. Mori 1974).
2. Inversion of the characteristic function (eq. 7) by A. L. Lewis, "A simple option formula for general
   jump-diffusion and other exponential Levy processes" (2001), eq. 3.11, a trapezoidal sum in the variable
   u = sinh(y).

The digits on which both agree are correct; the discretisation error of an integral with steps 2^-k shows in the last
ones.
"""
import cmath
import math


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def black(sign, forward, strike, variance):
    sd = math.sqrt(variance)
    if sd < 1e-300:
        return max(sign * (forward - strike), 0.0)
    d1 = math.log(forward / strike) / sd + 0.5 * sd
    return sign * (forward * normal_cdf(sign * d1) - strike * normal_cdf(sign * (d1 - sd)))


def price_by_gamma_time(sign, spot, rate, dividend, sigma, theta, nu, maturity, strike, h=1 / 256):
    omega = math.log(1 - theta * nu - 0.5 * sigma * sigma * nu) / nu
    shape = maturity / nu
    scale = spot * math.exp((rate - dividend + omega) * maturity)
    norm = math.exp(-rate * maturity - math.lgamma(shape + 1))
    sums = []
    # the integrand is negligible beyond |y| = 6.5
    for k in range(-int(6.5 / h), int(6.5 / h) + 1):
        y = k * h
        w = math.exp(math.pi / 2 * math.sinh(y))
        weight = w * math.pi / 2 * math.cosh(y) * h
        log_u = math.log(w) / shape
        if log_u > 7:  # e^-w^(1/a) is 0
            continue
        u = math.exp(log_u)
        g = nu * u
        if u > 700 or weight == 0:
            continue
        forward = scale * math.exp(theta * g + 0.5 * sigma * sigma * g)
        sums.append(weight * math.exp(-u) * black(sign, forward, strike, sigma * sigma * g))
    return norm * math.fsum(sums)


def price_by_characteristic_function(sign, spot, rate, dividend, sigma, theta, nu, maturity, strike, h=1 / 512):
    omega = math.log(1 - theta * nu - 0.5 * sigma * sigma * nu) / nu
    k = math.log(spot / strike) + (rate - dividend) * maturity

    def phi(z):
        exponent = -maturity / nu * cmath.log(1 - 1j * theta * nu * z + 0.5 * sigma * sigma * nu * z * z)
        return cmath.exp(1j * z * omega * maturity + exponent)

    sums = []
    # the integrand is negligible beyond y = 14
    for j in range(int(14 / h) + 1):
        y = j * h
        u = math.sinh(y)
        value = (cmath.exp(1j * u * k) * phi(u - 0.5j)).real / (u * u + 0.25) * math.cosh(y) * h
        sums.append(value * (0.5 if j == 0 else 1))
    integral = math.fsum(sums)
    call = spot * math.exp(-dividend * maturity) - math.sqrt(
        spot * strike) * math.exp(-(rate + dividend) * maturity / 2) / math.pi * integral
    return call if sign > 0 else call - spot * math.exp(-dividend * maturity) + strike * math.exp(-rate * maturity)


CASES = [  # spot, rate, dividend, sigma, theta, nu, T, type, strike
    (100, 0.1, 0, 0.12136, -0.1436, 0.3, 1, "call", 101),
    (100, 0.1, 0, 0.12136, -0.1436, 0.3, 1, "put", 90),
    (100, 0.05, 0.02, 0.2, 0, 1, 2, "call", 100),
    (100, 0.05, 0.02, 0.2, 0, 1, 0.25, "put", 105),
    (80, -0.01, 0, 0.3, 0.2, 0.5, 1.5, "call", 90),
    (50, 0.03, 0.01, 0.15, -0.3, 0.05, 0.5, "put", 45),
]

if __name__ == "__main__":
    for *market, kind, strike in CASES:
        sign = 1 if kind == "call" else -1
        print(*market, kind, strike, f"{price_by_gamma_time(sign, *market, strike):.15g}",
              f"{price_by_gamma_time(sign, *market, strike, 1 / 128):.15g}",
              f"{price_by_characteristic_function(sign, *market, strike):.15g}")
