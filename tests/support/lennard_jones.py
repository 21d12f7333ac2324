"""Parts of configurations of a Lennard-Jones fluid in reduced units, shared by tests."""

ATOMS = """
[[type]]
name = "Ar"
mass = 1.0
"""

PAIR = """
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
"""


def lattice(cells, temperature):
    """The table [start] of a face-centred cubic lattice of cells^3 cells at density 0.8."""
    return f"""
[start]
kind = "lattice"
density = 0.8
cells = [{cells}, {cells}, {cells}]
temperature = {float(temperature)}
"""
