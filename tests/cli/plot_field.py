#!/usr/bin/env python3
"""Checks the pictures that `gsim plot FILE.vtkhdf` draws of fields. usage: plot_field.py GSIM MPIEXEC"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

gsim, mpiexec = sys.argv[1:]
DARK, BRIGHT, GREY = (68, 1, 84), (253, 231, 37), (160, 160, 160)


def write(path, steps):
    """Writes a file of 4 x 3 x 2 cells, with 2 steps if `steps`: field `rising` is x + 10 y + 100 z + 1000 step, `flow` has
    three components."""
    z, y, x = np.meshgrid(range(2), range(3), range(4), indexing="ij")
    rising = np.stack([x + 10.0 * y + 100.0 * z + 1000.0 * s for s in range(2)])
    flow = np.stack([3 * rising, np.zeros_like(rising), -4 * rising], axis=-1).astype("f4")
    with h5py.File(path, "w") as f:
        group = f.create_group("VTKHDF")
        group.attrs["WholeExtent"] = np.array([0, 4, 0, 3, 0, 2])
        group.attrs["Origin"] = np.array([1.0, 0.0, 0.0])
        group.attrs["Spacing"] = np.array([0.5, 0.5, 1.0])
        for name, values in {"rising": rising, "flow": flow}.items():
            group.create_dataset(f"CellData/{name}", data=values if steps else values[0])
        if steps:
            group.create_dataset("Steps/Values", data=np.array([0.0, 2.5]))


def plot(folder, *words, ranks=1, frame=False):
    """Runs `gsim plot`, by default without axes and colour bar (`--no-frame`)."""
    launcher = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    words = [*words, *([] if frame or words[0].endswith(".toml") else ["--no-frame"])]
    return subprocess.run([*launcher, gsim, "plot", *words], cwd=folder, capture_output=True, text=True)


def decoded(kind, line, above):
    """A row of bytes without the filter `kind` (RFC 2083, section 6)."""
    if kind in (0, 2):  # none, and the difference from the row above
        return bytes((v + b) % 256 for v, b in zip(line, above)) if kind else line
    line = list(line)
    for i in range(len(line)):
        a, b, c = (line[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
        paeth = min((a, b, c), key=lambda v, p=a + b - c: abs(p - v))
        line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) % 256
    return bytes(line)


def pixels(png):
    """Decodes a PNG file of 8 bits a channel (RFC 2083): rows of (r, g, b) from top to bottom."""
    data = png.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            columns, rows, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, width = zlib.decompress(packed), 3 * columns
    above, picture, known = bytes(width), [], {}  # most rows repeat the one above
    for r in range(rows):
        filtered = raw[r * (width + 1):(r + 1) * (width + 1)]
        if (filtered, above) not in known:
            line = decoded(filtered[0], filtered[1:], above)
            known[filtered, above] = line, [tuple(line[i:i + 3]) for i in range(0, width, 3)]
        above, row = known[filtered, above]
        picture.append(row)
    return picture


def refused(folder, words, *command):
    run = plot(folder, *command)
    assert run.returncode == 2 and words in run.stderr, (command, run.stderr)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    write(folder / "run.vtkhdf", steps=True)

    # The picture is upright: the smallest value of the plane z = 0 is below on the left, the largest above
    # on the right.
    run = plot(folder, "run.vtkhdf", "--field", "rising", "--slice", "z=0.4", "--step", "0")
    assert run.returncode == 0, run.stderr
    picture = pixels(folder / "run.rising.z.png")
    assert (len(picture[0]), len(picture)) == (800, 600)
    assert picture[599][0] == DARK and picture[0][799] == BRIGHT
    assert picture[599][199] == DARK != picture[599][200]  # a cell is 200 pixels wide
    assert picture[400][0] == DARK != picture[399][0]
    assert "rising at z = 0.5" in run.stdout and "step 0 of 0 to 1, time 0" in run.stdout, run.stdout
    assert "#440154  0\n" in run.stdout and "#fde725  23\n" in run.stdout, run.stdout

    # By default the last step; the magnitude of a vector field; --range; the plane x = 3; --picture; several ranks.
    run = plot(folder, "run.vtkhdf", "--field", "flow", "--slice", "x=3", "--range", "0", "6615",
               "--picture", "a/b.png", ranks=3)
    assert run.returncode == 0, run.stderr
    picture = pixels(folder / "a/b.png")
    assert (len(picture[0]), len(picture)) == (600, 800)
    assert picture[0][599] not in (DARK, BRIGHT) and "time 2.5" in run.stdout, run.stdout
    assert run.stdout.count("flow at x = 2.75") == 1 and "#fde725  6615\n" in run.stdout, run.stdout
    # The magnitude 5 * 1123 is at 0.849 of the range 0 to 6615: between the colours at 6/8 and 7/8.
    assert all(low <= got <= high for low, got, high in zip((92, 200, 50), picture[0][599], (170, 220, 100)))

    # By default the middle plane normal to z. A file without steps. NaN is drawn grey.
    write(folder / "one.vtkhdf", steps=False)
    with h5py.File(folder / "one.vtkhdf", "a") as f:
        f["VTKHDF/CellData/rising"][1, 0, 0] = np.nan
    run = plot(folder, "one.vtkhdf", "--field", "rising")
    assert run.returncode == 0 and "rising at z = 1.5" in run.stdout and "step" not in run.stdout, run.stdout
    picture = pixels(folder / "one.rising.z.png")
    assert picture[599][0] == GREY and picture[599][200] == DARK and picture[0][799] == BRIGHT

    # Of a field that is larger than the memory only the plane is read.
    with h5py.File(folder / "large.vtkhdf", "w") as f:
        group = f.create_group("VTKHDF")
        group.attrs["WholeExtent"] = np.array([0, 500, 0, 500, 0, 10**6])
        group.attrs["Origin"] = np.zeros(3)
        group.attrs["Spacing"] = np.ones(3)
        field = group.create_dataset("CellData/empty", (10**6, 500, 500), dtype="f8", chunks=(1, 500, 500))
        field[7, 499, 0] = 3.0
    run = plot(folder, "large.vtkhdf", "--slice", "z=7.5")
    assert run.returncode == 0 and "empty at z = 7.5" in run.stdout, (run.stdout, run.stderr)
    picture = pixels(folder / "large.empty.z.png")
    assert picture[0][0] == BRIGHT and picture[799][0] == DARK == picture[0][799]

    # With frame: the same pixels within axes, beside a colour bar with the colours of the scale.
    run = plot(folder, "run.vtkhdf", "--field", "rising", "--slice", "z=0.4", "--step", "0")
    plane = pixels(folder / "run.rising.z.png")
    run = plot(folder, "run.vtkhdf", "--field", "rising", "--slice", "z=0.4", "--step", "0", frame=True)
    assert run.returncode == 0, run.stderr
    framed = pixels(folder / "run.rising.z.png")
    width, height = len(framed[0]), len(framed)
    assert 900 < width < 1200 and 650 < height < 850, (width, height)
    positions = [(x, y) for y in range(height - 600) for x in range(200)
             if framed[y][x:x + 800] == plane[0] and framed[y + 599][x:x + 800] == plane[599]]
    assert len(positions) == 1, positions
    x, y = positions[0]
    assert [line[x:x + 800] for line in framed[y:y + 600]] == plane
    ink = (30, 30, 30)
    assert all(framed[y - 1][i] == ink == framed[y + 600][i] for i in range(x - 1, x + 801))
    assert all(framed[j][x - 1] == ink == framed[j][x + 800] for j in range(y - 1, y + 601))
    ticks = [i - x for i in range(x, x + 800) if framed[y + 602][i] == ink]
    assert ticks == [0, 200, 400, 599, 799] or len(ticks) in (5, 6, 11), ticks
    bar = next(i for i in range(x + 802, width) if framed[y + 1][i] == ink) + 5
    assert framed[y][bar] == BRIGHT and framed[y + 599][bar] == DARK, (framed[y][bar], framed[y + 599][bar])

    # Units of the field, of lengths and of times, where a file has them.
    write(folder / "units.vtkhdf", steps=True)
    with h5py.File(folder / "units.vtkhdf", "a") as f:
        f["VTKHDF"].attrs["length_unit"] = np.bytes_("cm")
        f["VTKHDF/CellData/rising"].attrs["unit"] = np.bytes_("K")
        f["VTKHDF/Steps/Values"].attrs["unit"] = np.bytes_("ms")
    run = plot(folder, "units.vtkhdf", "--field", "rising", "--slice", "z=0.4", frame=True)
    assert run.returncode == 0, run.stderr
    assert "rising (K) at z = 0.5 cm" in run.stdout and "time 2.5 ms" in run.stdout, run.stdout
    with_units = pixels(folder / "units.rising.z.png")
    run = plot(folder, "run.vtkhdf", "--field", "rising", "--slice", "z=0.4", frame=True)
    assert with_units != pixels(folder / "run.rising.z.png")  # axes, title and colour bar contain the units

    # An animation: one scale for all steps, numbered pictures, and an animated PNG that contains the same pictures.
    run = plot(folder, "run.vtkhdf", "--field", "rising", "--film")
    assert run.returncode == 0 and "#fde725  1123\n" in run.stdout, (run.stdout, run.stderr)
    frames = [pixels(folder / f"run.rising.z.000{k}.png") for k in range(2)]
    assert frames[0][599][0] == DARK and frames[1][0][799] == BRIGHT and frames[0][0][799] != BRIGHT
    data, at, kinds = (folder / "run.rising.z.apng").read_bytes(), 8, []
    sequence, second_frame = [], b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        check = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        assert check == zlib.crc32(kind + body)
        kinds.append(kind)
        if kind == b"acTL":
            assert struct.unpack(">II", body) == (2, 0)  # two frames, repeated without end
        if kind in (b"fcTL", b"fdAT"):
            sequence.append(struct.unpack(">I", body[:4])[0])
        if kind == b"fcTL":
            # Size, offsets, 100/1000 s, and how the frame replaces the one before it.
            assert struct.unpack(">IIIIIHHBB", body)[1:] == (800, 600, 0, 0, 100, 1000, 0, 0)
        second_frame += body[4:] if kind == b"fdAT" else b""
        at += 12 + length
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and kinds.count(b"fcTL") == 2, kinds
    assert kinds.index(b"acTL") < kinds.index(b"fcTL") < kinds.index(b"IDAT") < kinds.index(b"fdAT"), kinds
    assert sequence == list(range(len(sequence))), sequence
    assert pixels(folder / "run.rising.z.apng") == frames[0]
    assert len(zlib.decompress(second_frame)) == 600 * (3 * 800 + 1)
    assert not list(folder.glob("*.partial"))

    # Names of fields may contain blanks and parentheses, which names of files do not.
    with h5py.File(folder / "one.vtkhdf", "a") as f:
        f["VTKHDF/CellData/flux (group 1)"] = f["VTKHDF/CellData/rising"][...]
    run = plot(folder, "one.vtkhdf", "--field", "flux (group 1)")
    assert run.returncode == 0 and (folder / "one.flux_group_1.z.png").exists(), (run.stdout, run.stderr)

    refused(folder, "does not contain a series of steps", "one.vtkhdf", "--film")
    refused(folder, "leave --step out", "run.vtkhdf", "--film", "--step", "1")
    refused(folder, "contains no field `risin`; did you mean `rising`?", "run.vtkhdf", "--field", "risin")
    refused(folder, "outside of the grid, which extends from 1 to 3", "run.vtkhdf", "--slice", "x=0.5")
    refused(folder, "write an axis and a coordinate", "run.vtkhdf", "--slice", "w=1")
    refused(folder, "write an axis and a coordinate", "run.vtkhdf", "--slice", "z=1cm")
    refused(folder, "has steps 0 to 1, not 2", "run.vtkhdf", "--step", "2")
    refused(folder, "in ascending order", "run.vtkhdf", "--range", "2", "1")
    refused(folder, "two finite values", "run.vtkhdf", "--range", "0", "inf")
    refused(folder, "does not contain a series of steps", "one.vtkhdf", "--step", "1")
    (folder / "run.toml").write_text('module = "transport"\n')
    refused(folder, "are for files of fields", "run.toml", "--field", "rising")
    refused(folder, "--set is for configurations, but run.vtkhdf is a file of fields", "run.vtkhdf", "--set", "a=1")
    refused(folder, "--plugin is for configurations", "run.vtkhdf", "--plugin", "libnone.so")
    with h5py.File(folder / "other.vtkhdf", "w") as f:
        f.create_group("VTKHDF")
    refused(folder, "does not contain fields on a regular grid", "other.vtkhdf")
    missing = plot(folder, "none.vtkhdf")
    assert missing.returncode != 0 and "none.vtkhdf" in missing.stderr, missing.stderr
print("all pictures of fields are as expected")
