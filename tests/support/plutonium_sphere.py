"""Configuration of a bare sphere of plutonium in one energy group with a flux tally on a mesh, shared by the tests of faults."""


def sphere(mode, particles, batches, radius, further_keys=""):
    """The configuration; `further_keys` is text for the table [transport]."""
    return f"""
module = "transport"
seed = 5
[transport]
mode = "{mode}"
particles = {particles}
batches = {batches}
{further_keys}
[[material]]
name = "plutonium"
fission = [0.0816]
capture = [0.019584]
nu = [2.84]
chi = [1.0]
scatter = [[0.225216]]
[[surface]]
name = "edge"
kind = "sphere"
radius = {radius}
boundary = "vacuum"
[[cell]]
name = "ball"
region = "-edge"
fill = "plutonium"
[[mesh]]
name = "grid"
lower_left = [-2.0, -2.0, -2.0]
upper_right = [2.0, 2.0, 2.0]
shape = [3, 3, 3]
[[tally]]
name = "flux"
mesh = "grid"
scores = ["flux"]
"""
