#!/usr/bin/env python3
"""Compares the pressures and energies of phases.toml with an equation of state, and tells which states are two phases.

    python3 equation_of_state.py [ESTIMATES]      (default: results/phases/estimates.csv)

The equation is that of J. Kolafa and I. Nezbeda, Fluid Phase Equilibria 100 (1994) 1, for the full Lennard-Jones potential.
Densities of coexisting vapour and liquid are those of equal pressure and chemical potential of the equation. z is the
difference in standard errors of the simulation; what the equation itself may be wrong by, 0.01 of the pressure and the
energy and at least 0.005, is not in it.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from estimates import rows, value_and_error  # noqa: E402

# Kolafa and Nezbeda 1994, tables: coefficients of T^(i/2) in the diameter of hard spheres and in the second virial
# coefficient less that of hard spheres, and of T^(i/2) rho^j in the free energy that is left.
DIAMETER = {-2: 0.011117524, -1: -0.076383859, 0: 1.080142248, 1: 0.000693129}
DIAMETER_LOG = -0.063920968
VIRIAL = {-7: -0.58544978, -6: 0.43102052, -5: 0.87361369, -4: -4.13749995, -3: 2.90616279, -2: -7.02181962, 0: 0.02459877}
REST = {0: {2: 2.01546797, 3: -28.17881636, 4: 28.28313847, 5: -10.42402873},
        -1: {2: -19.58371655, 3: 75.62340289, 4: -120.70586598, 5: 93.92740328, 6: -27.37737354},
        -2: {2: 29.34470520, 3: -112.35356937, 4: 170.64908980, 5: -123.06669187, 6: 34.42288969},
        -4: {2: -13.37031968, 3: 65.38059570, 4: -115.09233113, 5: 88.91973082, 6: -25.62099890}}
GAMMA = 1.92907278


def powers(coefficients, t):
    """The sum of c T^(i/2), and T times its derivative with respect to T."""
    return (sum(c * t**(i / 2) for i, c in coefficients.items()),
            sum(c * i / 2 * t**(i / 2) for i, c in coefficients.items()))


def pressure(t, rho):
    d = powers(DIAMETER, t)[0] + DIAMETER_LOG * math.log(t)
    eta = math.pi / 6 * rho * d**3
    hard = (1 + eta + eta**2 - 2 / 3 * eta**3 * (1 + eta)) / (1 - eta)**3
    damped = powers(VIRIAL, t)[0] * math.exp(-GAMMA * rho**2)
    rest = sum(c * j * t**(i / 2) * rho**(j + 1) for i, row in REST.items() for j, c in row.items())
    return rho * t * (hard + rho * damped * (1 - 2 * GAMMA * rho**2)) + rest


def energy(t, rho):
    """The potential energy of an atom: U = -T^2 d(A/T)/dT."""
    d, slope = powers(DIAMETER, t)
    d, slope = d + DIAMETER_LOG * math.log(t), slope + DIAMETER_LOG
    eta = math.pi / 6 * rho * d**3
    hard = (1 + eta + eta**2 - 2 / 3 * eta**3 * (1 + eta)) / (1 - eta)**3
    damped = powers(VIRIAL, t)[1] * math.exp(-GAMMA * rho**2)
    rest = sum(c * (1 - i / 2) * t**(i / 2) * rho**j for i, row in REST.items() for j, c in row.items())
    return -t * (3 * (hard - 1) * slope / d + rho * damped) + rest


def chemical_potential(t, rho):
    """Up to a function of the temperature."""
    d = powers(DIAMETER, t)[0] + DIAMETER_LOG * math.log(t)
    eta = math.pi / 6 * rho * d**3
    hard = math.log(1 - eta) * 5 / 3 + eta * (34 - 33 * eta + 4 * eta**2) / (6 * (1 - eta)**2)
    damped = rho * powers(VIRIAL, t)[0] * math.exp(-GAMMA * rho**2)
    rest = sum(c * t**(i / 2) * rho**j for i, row in REST.items() for j, c in row.items())
    return t * (math.log(rho) + hard + damped) + rest + pressure(t, rho) / rho


def coexistence(t):
    """The densities of vapour and liquid, by Newton's method; None above the critical temperature."""
    if t >= 1.33:
        return None
    gas, liquid = math.exp(3.1 - 6.6 / t), 0.96 - 0.26 * t * t
    for _ in range(100):
        step = 1e-6
        f = [pressure(t, liquid) - pressure(t, gas), chemical_potential(t, liquid) - chemical_potential(t, gas)]
        slope = [[(p(t, x * (1 + step)) - p(t, x * (1 - step))) / (2 * step * x) for x in (liquid, gas)]
                 for p in (pressure, chemical_potential)]
        determinant = -slope[0][0] * slope[1][1] + slope[0][1] * slope[1][0]
        by_liquid = (-f[0] * slope[1][1] + f[1] * slope[0][1]) / determinant
        by_gas = (slope[0][0] * f[1] - slope[1][0] * f[0]) / determinant
        liquid, gas = liquid - max(min(by_liquid, 0.05), -0.05), gas * math.exp(-max(min(by_gas / gas, 0.5), -0.5))
        if abs(by_liquid) + abs(by_gas) < 1e-12:
            break
    return (gas, liquid) if liquid - gas > 1e-3 else None


def read(path):
    """Means and errors of pressure and potential energy of an atom, by (T, rho)."""
    states = {}
    for row in rows(path):
        if row["task"].startswith("produce.") and row["row"] in ("pressure", "potential_energy"):
            scale = 864 if row["row"] == "potential_energy" else 1
            states.setdefault((float(row["T"]), float(row["rho"])), {})[row["row"]] = tuple(
                number / scale for number in value_and_error(row))
    if not states:
        sys.exit(f"{path} has no states: no task `produce` is done")
    return states


def main():
    states = read(sys.argv[1] if len(sys.argv) > 1 else "results/phases/estimates.csv")
    print("   T   rho          pressure  equation     z         energy  equation     z  phases")
    worst, compared = 0.0, 0
    for (t, rho), state in sorted(states.items()):
        binodal = coexistence(t)
        two = binodal is not None and binodal[0] < rho < binodal[1]
        text = f"{t:4}  {rho:4}"
        for name, equation in (("pressure", pressure), ("potential_energy", energy)):
            (mean, error), exact = state[name], equation(t, rho)
            if two or math.isinf(error):       # an infinite error: the run is too short to know it
                text += f"  {mean:8.4f} ± {error:.4f}         –     –"
                continue
            text += f"  {mean:8.4f} ± {error:.4f}  {exact:8.4f}  {(mean - exact) / error:+4.1f}"
            worst = max(worst, abs(mean - exact) / (4 * error + max(0.01 * abs(exact), 0.005)))
            compared += 1
        print(text + ("  liquid and vapour" if two else ""))
    for t in sorted({t for t, _ in states}):
        if binodal := coexistence(t):
            print(f"at T = {t} vapour of density {binodal[0]:.4f} and liquid of density {binodal[1]:.4f} coexist")
    print(f"the largest of {compared} deviations in one phase is {worst:.2f} of four standard errors and the equation's own uncertainty")
    sys.exit(compared == 0 or worst > 1)


if __name__ == "__main__":
    main()
