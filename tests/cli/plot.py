#!/usr/bin/env python3
"""Checks the pictures that `gsim plot` draws of geometries and tallies. usage: plot.py GSIM MPIEXEC"""
import csv
import io
import pathlib
import struct
import subprocess
import sys
import tempfile

gsim, mpiexec = sys.argv[1:]
GEOMETRY = """module = "transport"
[transport]
mode = "k_eigenvalue"
particles = 10
batches = 10
[[material]]
name = "fuel"
fission = [0.1]
capture = [0.1]
nu = [2.0]
chi = [1.0]
[[box]]
name = "block"
lower = [0.0, 0.0, 0.0]
upper = [4.0, 2.0, 1.0]
boundary = "vacuum"
[[surface]]
name = "half"
kind = "x_plane"
x = 1.0
[[cell]]
name = "left"
region = "-block -half"
fill = "fuel"
[[cell]]
name = "right"
region = "-block +half"
fill = "void"
"""


def plot(folder, text):
    (folder / "run.toml").write_text(text)
    return subprocess.run([gsim, "plot", "run.toml"], cwd=folder, capture_output=True, text=True)


def size_of(png):
    head = png.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return struct.unpack(">II", head[16:24])


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    run = plot(folder, GEOMETRY)  # without [[plot]]: the middle planes of the geometry's box
    assert run.returncode == 0, run.stderr
    for plane, size in {"xy": (800, 400), "xz": (800, 200), "yz": (800, 400)}.items():
        width, height = size_of(folder / f"results/run.{plane}.png")  # with axes and legend
        assert size[0] + 100 < width < size[0] + 300 and size[1] + 60 < height < size[1] + 150, plane
    assert "25.0 %  fuel" in run.stdout and "75.0 %  void" in run.stdout, run.stdout

    # On several ranks only one rank draws and prints.
    ranks = subprocess.run([mpiexec, "-n", "3", gsim, "plot", "run.toml"], cwd=folder,
                           capture_output=True, text=True)
    assert ranks.returncode == 0 and ranks.stdout == run.stdout, (ranks.stdout, ranks.stderr)

    plot_table = '[[plot]]\nname = "cells"\nwidth = [8.0, 2.0]\npixels = [80, 20]\nframe = false\ncenter = [2.0, 1.0, 0.5]\n'
    run = plot(folder, GEOMETRY + plot_table + 'color_by = "cell"\n')
    assert run.returncode == 0, run.stderr
    assert size_of(folder / "results/run.cells.png") == (80, 20)
    assert "12.5 %  left" in run.stdout and "50.0 %  outside" in run.stdout, run.stdout

    # Names of files contain neither blanks nor parentheses; two plots have two files.
    named = plot_table.replace('"cells"', '"all cells (x, y)"')
    run = plot(folder, GEOMETRY + named)
    assert run.returncode == 0 and (folder / "results/run.all_cells_x_y.png").exists(), run.stdout
    run = plot(folder, GEOMETRY + named + plot_table.replace('"cells"', '"all cells x_y"'))
    assert run.returncode == 2 and "would be written to the same file" in run.stderr, run.stderr

    # The picture of a tally, from the results of a run.
    tally = """[[source]]
space = {kind = "point", position = [0.5, 1.0, 0.5]}
[[mesh]]
name = "m"
lower_left = [0.0, 0.0]
upper_right = [4.0, 2.0]
shape = [4, 2]
[[tally]]
name = "flux"
scores = ["flux"]
mesh = "m"
energy = "groups"
[[plot]]
name = "flux"
tally = "flux"
center = [2.0, 1.0, 0.5]
width = [5.0, 2.0]
pixels = [50, 20]
frame = false
"""
    fixed = GEOMETRY.replace("k_eigenvalue", "fixed_source") + tally
    run = plot(folder, fixed)
    assert run.returncode == 2 and "results/run.h5" in run.stderr and "run it first" in run.stderr, run.stderr
    done = subprocess.run([gsim, "run", "run.toml"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run = plot(folder, fixed)
    assert run.returncode == 0, run.stderr
    assert size_of(folder / "results/run.flux.png") == (50, 20)
    assert "20.0 %  outside of the mesh" in run.stdout, run.stdout
    assert "#440154" in run.stdout and "#fde725" in run.stdout, run.stdout
    run = plot(folder, fixed + 'show = "relative_error"\nbins = [1]\n')
    assert run.returncode == 0, run.stderr
    for line, words in {'bins = [2]': "has 1 group", 'bins = [1, 1]': "bins has 2 entries",
                        'score = "total"': "has no score `total`"}.items():
        run = plot(folder, fixed + line + "\n")
        assert run.returncode == 2 and words in run.stderr, run.stderr

    # Results of a tally with other bins, scores or responses are refused.
    other = (fixed.replace("upper_right = [4.0, 2.0]", "upper_right = [2.0, 2.0]"),
             fixed.replace('scores = ["flux"]', 'scores = ["flux", "total"]'),
             fixed.replace('mesh = "m"\nenergy', 'mesh = "m"\nresponse = [2.0]\nenergy'))
    for text in other:
        assert text != fixed
        run = plot(folder, text)
        assert run.returncode == 2 and "with other bins, scores or" in run.stderr, run.stderr
    run = plot(folder, fixed.replace('name = "flux"\nscores', 'name = "other"\nscores')
               .replace('tally = "flux"', 'tally = "other"'))
    assert run.returncode == 2 and "has no score `flux` of a tally `other`" in run.stderr, run.stderr
    # Result files whose names do not end in .h5.
    for name in ("own/results", "own/results.hdf5"):
        named = fixed + f'[output]\nfile = "{name}"\n'
        (folder / "run.toml").write_text(named)
        done = subprocess.run([gsim, "run", "run.toml"], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        run = plot(folder, named)
        assert run.returncode == 0, run.stderr
        assert size_of(folder / f"{name}.flux.png") == (50, 20)
    (folder / "own/results.h5").write_bytes((folder / "own/results").read_bytes())
    run = plot(folder, fixed + '[output]\nfile = "own/results"\n')
    assert run.returncode == 2 and "either may hold the results" in run.stderr, run.stderr

    # Tables give positions in cm; files for ParaView contain sums over groups.
    two = (fixed.replace("fission = [0.1]\ncapture = [0.1]\nnu = [2.0]\nchi = [1.0]",
                         "total = [0.4, 0.8]\nscatter = [[0.2, 0.15], [0.0, 0.6]]")
           .replace("[[source]]", "[[source]]\nenergy = {kind = \"group\", group = 1}")
           .replace("particles = 10\n", "particles = 500\n")
           .replace("boundary = \"vacuum\"", "boundary = \"reflective\"") +
           "[output]\nfile = \"two.h5\"\n")
    (folder / "run.toml").write_text(two)
    done = subprocess.run([gsim, "run", "run.toml"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and "/s of processor time" in done.stdout, (done.stdout, done.stderr)
    table = subprocess.run([gsim, "inspect", "two.h5", "--csv", "tallies/flux"], cwd=folder,
                           capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == 16
    sums = {}
    for row in rows:
        assert float(row["x_cm"]) == int(row["x"]) - 0.5 and float(row["y_cm"]) == int(row["y"]) - 0.5
        place = row["x"], row["y"]
        sums[place] = sums.get(place, 0) + float(row["flux"])
    run = subprocess.run([gsim, "plot", "two.flux.vtkhdf", "--field", "flux (sum over groups)"],
                         cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0 and "two.flux.flux_sum_over_groups.z.png\n" in run.stdout, (
        run.stdout, run.stderr)
    assert f"#fde725  {max(sums.values()):.4g}\n" in run.stdout, (run.stdout, sums)
    assert f"#440154  {min(sums.values()):.4g}\n" in run.stdout, (run.stdout, sums)

    # The error of a sum over groups comes from the sums of the batches: it equals bitwise that of
    # a tally without groups, on any number of ranks, and differs from that of independent groups.
    (folder / "run.toml").write_text(
        two + '[[tally]]\nname = "whole"\nscores = ["flux"]\nmesh = "m"\n'
        '[[plot]]\nname = "sum_error"\ntally = "flux"\nshow = "relative_error"\n'
        'center = [2.0, 1.0, 0.5]\nwidth = [4.0, 2.0]\n')
    columns = "x_cm", "y_cm", "flux", "flux_standard_error", "flux_relative_error"
    for ranks in (1, 2, 3):
        launcher = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
        done = subprocess.run([*launcher, gsim, "run", "run.toml"], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        sum_rows, whole, groups = (
            list(csv.DictReader(io.StringIO(subprocess.run(
                [gsim, "inspect", "two.h5", "--csv", "tallies/" + name], cwd=folder,
                capture_output=True, text=True, check=True).stdout)))
            for name in ("flux/sum_over_groups", "whole", "flux"))
        assert len(sum_rows) == len(whole) == 8
        assert [[r[c] for c in columns] for r in sum_rows] == [[r[c] for c in columns] for r in whole]
        squares = {}
        for row in groups:
            place = row["x"], row["y"]
            squares[place] = squares.get(place, 0) + float(row["flux_standard_error"])**2
        ratios = [float(r["flux_standard_error"])**2 / squares[r["x"], r["y"]] for r in sum_rows]
        assert max(abs(ratio - 1) for ratio in ratios) > 0.05, ratios
    errors = [float(r["flux_relative_error"]) for r in sum_rows]
    run = subprocess.run([gsim, "plot", "run.toml"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert f"#fde725  {max(errors):.3g}\n" in run.stdout and f"#440154  {min(errors):.3g}\n" in run.stdout, (
        run.stdout, errors)
    run = subprocess.run([gsim, "plot", "two.flux.vtkhdf", "--field", "flux relative error (sum over groups)"],
                         cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert f"#fde725  {max(errors):.4g}\n" in run.stdout, (run.stdout, errors)

    # A geometry that a run refuses can be plotted.
    overlap = GEOMETRY.replace('"-block +half"', '"-block"')
    run = plot(folder, overlap)
    assert run.returncode == 0, run.stderr
    assert "#ff00ff   25.0 %  OVERLAP of cells, such as `left` and `right`, 80000 pixels" in run.stdout
    gap = GEOMETRY.replace('"-block +half"', '"-block +half -far"').replace(
        "[[cell]]", '[[surface]]\nname = "far"\nkind = "x_plane"\nx = 3.0\n[[cell]]', 1)
    run = plot(folder, gap + plot_table)
    assert run.returncode == 0, run.stderr
    assert "#ff0000   12.5 %  undefined: a GAP between cells, 200 pixels, the first at" in run.stdout
    assert plot(folder, overlap).returncode == 0
    check = subprocess.run([gsim, "check", "run.toml"], cwd=folder, capture_output=True, text=True)
    assert check.returncode == 2 and "overlap" in check.stderr, check.stderr
print("all pictures are as expected")
