#!/usr/bin/env python3
"""Checks the messages of transport runs that must fail or warn. usage: transport_faults.py GSIM MPIEXEC"""
import pathlib
import subprocess
import sys
import tempfile

gsim, mpiexec = sys.argv[1:]
MATERIALS = """module = "transport"
seed = 3
[transport]
mode = "{mode}"
particles = 200
batches = 4
{more}
[[material]]
name = "fuel"
fission = [0.1]
capture = [0.1]
nu = [2.0]
chi = [1.0]
scatter = [[0.2]]
[[material]]
name = "water"
capture = [0.1]
scatter = [[0.2]]
"""
POINT = '[[source]]\nspace = {kind = "point", position = [0.0, 0.0, 0.0]}\n'
BALL = """[[surface]]
name = "in"
kind = "sphere"
radius = 2.0
[[surface]]
name = "out"
kind = "sphere"
radius = 4.0
boundary = "vacuum"
[[cell]]
name = "ball"
region = "-in"
fill = "water"
[[cell]]
name = "shell"
region = "+in -out"
fill = "water"
"""


def configuration(body, mode="fixed_source", more=""):
    return MATERIALS.format(mode=mode, more=more) + body


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)

    def run_gsim(command_name, text, ranks=1):
        (folder / "run.toml").write_text(text)
        command = [gsim, command_name, "run.toml"]
        if ranks > 1:
            command = [mpiexec, "-n", str(ranks)] + command
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)

    def check_refused(text, *words):
        """Checks that check and run print the same message once, on one or several ranks, and write no files."""
        for name, ranks in (("check", 1), ("run", 3)):
            done = run_gsim(name, text, ranks)
            assert done.returncode == 2, (name, ranks, done.returncode, done.stdout, done.stderr)
            assert done.stderr.count("error: ") == 1, done.stderr
            for word in words:
                assert word in done.stderr, (name, ranks, word, done.stderr)
            assert not (folder / "results").exists()

    def check_no_results():
        """Checks that a run that ended with an error left no results."""
        for path in (folder / "results").glob("*"):
            assert path.suffix != ".h5", path
            path.unlink()
        if (folder / "results").exists():
            (folder / "results").rmdir()

    def check_warned(text, *words):
        """Checks that `gsim check` succeeds and prints all `words`."""
        done = run_gsim("check", text)
        assert done.returncode == 0, done.stderr
        for word in words:
            assert word in done.stderr + done.stdout, (word, done.stderr, done.stdout)

    # A hexagonal prism, which is infinite along z and so has no bounding box, and cylinders that overlap it or leave a
    # gap: the message refers to the line of a cell's region.
    normals = ((1, 0), (0.5, 0.75**0.5), (-0.5, 0.75**0.5),
               (-1, 0), (-0.5, -0.75**0.5), (0.5, -0.75**0.5))
    prism = "".join(f'[[surface]]\nname = "h{i}"\nkind = "plane"\nnormal = [{x}, {y}, 0.0]\n'
                    f'offset = 11.8\nboundary = "reflective"\n' for i, (x, y) in enumerate(normals))
    prism += '[[surface]]\nname = "pin"\nkind = "cylinder"\naxis = [0.0, 0.0, 1.0]\n' \
             'center = [6.0, 0.0, 0.0]\nradius = 1.0\n'
    inside = " ".join(f"-h{i}" for i in range(6))
    assembly = f'[[cell]]\nname = "assembly"\nregion = "{inside}"\nfill = "water"\n'
    rod = '[[cell]]\nname = "rod"\nregion = "-pin"\nfill = "fuel"\n'
    overlap = configuration(prism + assembly + rod + POINT)
    line = overlap[:overlap.index('region = "-pin"')].count("\n") + 1
    check_refused(overlap, "cells `assembly` and `rod` of universe `root` overlap at (",
            f"run.toml:{line}:", "gsim plot")
    gap = configuration(prism + assembly.replace("-h5", "-h5 +pin") + POINT)
    line = gap[:gap.index("region = ")].count("\n") + 1
    check_refused(gap, "is undefined at (", "no cell contains this position; cell `assembly` is near",
            f"run.toml:{line}:")
    valid = configuration(prism + assembly.replace("-h5", "-h5 +pin") + rod + POINT)
    check_warned(valid, "within (-11.8, -13.6255", "along z no surfaces bound the geometry")

    # The overlap of two spheres is too thin to contain a sampled point of the check: the first collision in it reports the
    # overlap.
    thin_overlap = configuration(
        '[[surface]]\nname = "left"\nkind = "sphere"\ncenter = [-5.0, 0.0, 0.0]\nradius = 5.0001\n'
        '[[surface]]\nname = "right"\nkind = "sphere"\ncenter = [5.0, 0.0, 0.0]\nradius = 5.0001\n'
        '[[surface]]\nname = "end"\nkind = "sphere"\nradius = 20.0\nboundary = "vacuum"\n'
        '[[cell]]\nname = "a"\nregion = "-left"\nfill = "lead"\n'
        '[[cell]]\nname = "b"\nregion = "-right"\nfill = "lead"\n'
        '[[cell]]\nname = "c"\nregion = "+left +right -end"\nfill = "water"\n'
        '[[material]]\nname = "lead"\ncapture = [1e5]\n' + POINT)
    messages = set()
    for ranks in (1, 3):
        for tracking in ("surface", "delta"):
            done = run_gsim("run", thin_overlap.replace("batches = 4",
                                                 f'batches = 4\ntracking = "{tracking}"'), ranks)
            assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
            assert "cells `a` and `b` overlap there" in done.stderr, done.stderr
            # The number of lost particles depends on the number of batches; the first one does not.
            first_lost = done.stderr[done.stderr.index("the first one"):done.stderr.index(" (rank")]
            messages.add((tracking, first_lost))
    assert len(messages) == 2, messages
    check_no_results()

    # Sources without particles, or outside of the geometry.
    outside = POINT.replace("[0.0, 0.0, 0.0]", "[0.0, 9.0, 0.0]")
    check_refused(configuration(BALL + outside), "200 of the first 200 particles of source 1 start in no cell",
            "(0, 9, 0)", 'space = {kind = "point"')
    box = '[[source]]\nspace = {kind = "box", lower = [0.0, 0.0, 0.0], upper = [8.0, 0.1, 0.1]}\n'
    check_refused(configuration(BALL + box), "start in no cell")
    check_warned(configuration(BALL + box, more="max_lost = 1000"), "start in no cell", "are lost")
    zero_importance = BALL.replace('region = "-in"', 'importance = 0.0\nregion = "-in"')
    check_refused(configuration(zero_importance + POINT), "start in cell `ball`, whose importance is 0")
    check_warned(configuration(zero_importance + box.replace("8.0", "4.0").replace("[0.0, 0.0, 0.0]", "[1.8, 0.0, 0.0]")
                .replace("upper = [4.0, 0.1", "upper = [3.9, 0.1")),
           "whose importance is 0")
    check_refused(configuration(BALL + POINT + 'materials = ["fuel"]\n'), "the cells and materials that it")

    # A cell without boundaries.
    done = run_gsim("run", configuration('[[cell]]\nname = "all"\nfill = "void"\n' + POINT))
    assert done.returncode == 1 and "no surface is ahead of it" in done.stderr, done.stderr
    check_no_results()

    # Eigenvalue problems without fissile material, or with fissile material that the source cannot reach.
    check_refused(configuration(BALL, "k_eigenvalue"), "without fissile material", "run.toml:3:")
    fuel = BALL.replace('fill = "water"', 'fill = "fuel"')
    check_refused(configuration(fuel + outside, "k_eigenvalue"), "start in no cell")

    # Meshes and tallies in which no particle can score.
    mesh = '[[mesh]]\nname = "m"\nlower_left = [{0}]\nupper_right = [{1}]\nshape = [2, 2]\n' \
           '[[tally]]\nname = "t"\nscores = ["flux"]\nmesh = "m"\n'
    check_refused(configuration(BALL + POINT + mesh.format("5.0, 0.0", "9.0, 4.0")),
            "mesh `m`, of tally `t`, does not overlap the geometry", "(-4, -4, -4) to (4, 4, 4)")
    # In a corner of the bounding box of the geometry, outside of the sphere.
    check_refused(configuration(BALL + POINT + mesh.format("3.5, 3.5", "4.0, 4.0")), "does not overlap the geometry")
    check_warned(configuration(BALL + POINT + mesh.format("3.0, 0.0", "9.0, 4.0")), "valid")
    entropy = "[transport.entropy]\nlower_left = [9.0, 0.0, 0.0]\nupper_right = [10.0, 1.0, 1.0]\n" \
              "shape = [2, 2, 2]\n"
    check_refused(configuration(entropy + fuel, "k_eigenvalue"), "the mesh of the entropy does not overlap the",
            "lower_left = [9.0")
    tally = '[[tally]]\nname = "t"\nscores = ["flux"]\ncells = ["ball"]\n'
    check_refused(configuration(zero_importance + box.replace("[0.0, 0.0, 0.0]", "[2.5, 0.0, 0.0]").replace("8.0", "3.0") +
                 tally), "tally `t` scores where no particles are: cell `ball` has the importance 0")

    # A total cross section that differs from the sum of its parts.
    check_refused(configuration(BALL + POINT).replace('name = "water"\ncapture = [0.1]',
                                       'name = "water"\ntotal = [0.9]\nabsorption = [0.1]'),
            "in group 1 total is 0.9, but the sum of absorption 0.1 and scattering 0.2 is 0.3")
    # No absorption and no vacuum boundary.
    reflective = BALL.replace('"vacuum"', '"reflective"').replace("[0.1]", "[0.0]")
    scatters = MATERIALS.replace("capture = [0.1]\nscatter", "capture = [0.0]\nscatter")
    trapped = scatters.format(mode="fixed_source", more="") + reflective + POINT
    check_refused(trapped, "particles are never absorbed in `water` (total = scattering in all groups) and "
            "no boundary lets them leave: their histories would never end", "run.toml:3:")
    check_warned(trapped.replace("reflective", "vacuum"), "valid")
    check_warned(trapped.replace("capture = [0.0]", "capture = [0.05]"), "valid")
    # Very little absorption: the first long histories are reported with their position.
    weak_absorption = trapped.replace("capture = [0.0]", "capture = [1e-7]").replace(
        "particles = 200", 'capture = "analog"\nparticles = 200')
    check_warned(weak_absorption, "had not ended after 100000 flights, at (", " of material `water`: histories take "
           "very long there")

    # Weight windows far below and above the weights of the source.
    windows = '[weight_windows]\nx = [-4.0, 0.5, 4.0]\nlower = [[{}], [{}]]\n'
    check_refused(configuration(BALL + POINT + windows.format(1e-9, 1e-9)),
            "a source particle at (0, 0, 0) cm, in cell `ball` of material `water`, group 1, "
            "has the weight 1 where the window begins at 1e-09: it would be split into about 2.0e+08 "
            "particles", "multiply all bounds by about 3.3e+08", "run.toml:")
    check_refused(configuration(BALL + POINT + windows.format(1e9, 1e9)),
            "the weights of source particles are far below their windows", "one in 3.0e+09 survive")
    check_warned(configuration(BALL + POINT + windows.format(0.3, 1e-6)), "two adjacent boxes along x (box 1, 1, 1 "
           "and the next, group 1) differ by a factor of 3.0e+05")
    check_warned(configuration(BALL + POINT + windows.format(0.3, 0.1)), "valid")
    # A supercritical system: the number of descendants of a source particle grows without limit.
    critical = MATERIALS.replace("nu = [2.0]", "nu = [8.0]").format(mode="fixed_source", more="")
    check_warned(critical + BALL.replace('"water"', '"fuel"').replace("= 4.0", "= 40.0").replace(
        "= 2.0", "= 20.0") + POINT, "produced more than 20000 particles", "the system is critical")
print("all messages of transport runs are as expected")
