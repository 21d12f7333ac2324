"""Inputs of the particle transport benchmarks: one gsim configuration each, which is also converted to OpenMC's files,
so that both programs run the same system.

It converts materials with isotropic scattering, planes, spheres, cylinders along z, boxes, cells by intersections of
half-spaces, and rectangular lattices with a legend."""
import math
import pathlib
import tomllib
from xml.etree import ElementTree

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "transport"

PIN_CELL = """
[[surface]]
name = "pin"
kind = "z_cylinder"
radius = 0.54
[[box]]
name = "edge"
lower = [-0.63, -0.63, -inf]
upper = [0.63, 0.63, inf]
boundaries = ["reflective", "reflective", "reflective", "reflective", "transmission", "transmission"]
[[cell]]
name = "fuel"
region = "-pin -edge"
fill = "uo2"
[[cell]]
name = "water"
region = "+pin -edge"
fill = "moderator"
"""

ASSEMBLY_EDGE = """
[[box]]
name = "edge"
lower = [-10.71, -10.71, -inf]
upper = [10.71, 10.71, inf]
boundaries = ["reflective", "reflective", "reflective", "reflective", "transmission", "transmission"]
[[cell]]
name = "assembly"
region = "-edge"
fill = "uo2_lattice"
"""


class Deck:
    """A critical system. `tables` are those of gsim's configuration; the first neutrons start uniformly in `box`."""

    def __init__(self, name, title, tables, box, particles):
        self.name, self.title, self.tables, self.box = name, title, tables, box
        self.particles, self.inactive, self.active = particles, 10, 20

    @property
    def batches(self):
        return self.inactive + self.active


def c5g7_tables():
    tables = tomllib.loads((CONFIGS / "c5g7_2d.toml").read_text())
    tables["material"] = [with_cross_sections(m) for m in tables["material"]]
    return tables


def with_cross_sections(material):
    """The material with the data of its library in place of the library's name."""
    library = tomllib.loads((CONFIGS / material["library"]).read_text())
    entry = tables_named(library, "material", (material.get("entry", material["name"]),))[0]
    return {**entry, "name": material["name"]}


def geometry(tables):
    return {k: tables[k] for k in ("material", "surface", "box", "cell", "lattice") if k in tables}


def tables_named(tables, kind, names):
    return [t for t in tables[kind] if t["name"] in names]


def pin_cell(tables):
    made = tomllib.loads(PIN_CELL)
    return {"material": tables_named(tables, "material", ("uo2", "moderator")), **made}


def assembly(tables):
    made = tomllib.loads(ASSEMBLY_EDGE)
    lattice = tables_named(tables, "lattice", ("uo2_lattice",))
    universes = [entry.split(" = ")[1] for entry in lattice[0]["legend"]]
    cells = [c for c in tables["cell"] if c.get("universe") in universes]
    fills = {c["fill"] for c in cells}
    return {"material": tables_named(tables, "material", fills), "surface": tables["surface"],
            "lattice": lattice, "box": made["box"], "cell": cells + made["cell"]}


def sphere():
    return tomllib.loads((CONFIGS / "pu_sphere.toml").read_text())


def decks(scale=1.0):
    """The four systems; `scale` multiplies the neutrons per generation. With 1 a run takes a second or two."""
    c5g7 = c5g7_tables()

    def count(n):
        return max(100, int(n * scale))

    return [
        Deck("pin_cell", "C5G7 UO2 pin cell, reflected", pin_cell(c5g7),
             ((-0.6, -0.6, -1), (0.6, 0.6, 1)), count(5000)),
        Deck("assembly", "C5G7 UO2 assembly of 17 x 17, reflected", assembly(c5g7),
             ((-10.7, -10.7, -1), (10.7, 10.7, 1)), count(5000)),
        Deck("c5g7", "C5G7 2-D", geometry(c5g7), ((0.1, 21.5, -1), (42.8, 64.2, 1)), count(5000)),
        Deck("sphere", "bare Pu sphere (problem 8 of Sood et al.)", geometry(sphere()), ((-2, -2, -2), (2, 2, 2)),
             count(100000)),
    ]


def toml_value(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return repr(value)


def toml_tables(tables):
    """Arrays of tables without tables inside."""
    lines = []
    for kind, rows in tables.items():
        for row in rows:
            lines.append(f"[[{kind}]]")
            lines += [f"{key} = {toml_value(value)}" for key, value in row.items()]
    return "\n".join(lines) + "\n"


PIN_MESH = """[[mesh]]
name = "pins"
lower_left = [0.0, 0.0]
upper_right = [64.26, 64.26]
shape = [51, 51]
[[tally]]
name = "map"
scores = ["flux"]
mesh = "pins"
energy = "groups"
"""

# A surface that no cell uses: devices run such a geometry with the kernels for any surface, with the same results.
CONE = """[[surface]]
name = "unused"
kind = "z_cone"
tangent = 1.0
"""


def gsim(deck, tracking, extra_tables=""):
    """gsim's configuration with `extra_tables` at its end; capture is analog, as in OpenMC by default."""
    (x0, y0, z0), (x1, y1, z1) = deck.box
    head = f"""module = "transport"
seed = 1
[transport]
mode = "k_eigenvalue"
particles = {deck.particles}
batches = {deck.batches}
inactive = {deck.inactive}
tracking = "{tracking}"
capture = "analog"
[[source]]
only_fissile = true
space = {{ kind = "box", lower = [{x0}, {y0}, {z0}], upper = [{x1}, {y1}, {z1}] }}
energy = {{ kind = "group", group = 1 }}
"""
    return head + toml_tables(deck.tables) + extra_tables


def group_bounds(groups):
    """Group boundaries in eV, ascending; the configurations have none, but OpenMC requires them."""
    return [1e-5 * (2e7 / 1e-5) ** (g / groups) for g in range(groups + 1)]


class OpenMC:
    """OpenMC's files of a system: XML, and the library of cross sections."""

    def __init__(self, deck):
        self.deck, self.tables = deck, deck.tables
        self.root = ElementTree.Element("model")
        self.numbers = {}  # kind of object -> name in gsim's configuration -> id in OpenMC's files
        self.half_spaces = {}  # of boxes: name -> region inside

    def number(self, kind, name):
        """The id of an object in OpenMC's files: a new one when the name is first used."""
        names = self.numbers.setdefault(kind, {})
        return names.setdefault(name, len(names) + 1)

    def write(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.materials()
        self.geometry()
        self.settings()
        ElementTree.ElementTree(self.root).write(folder / "model.xml")
        self.library(folder / "mgxs.h5")

    def materials(self):
        part = ElementTree.SubElement(self.root, "materials")
        ElementTree.SubElement(part, "cross_sections").text = "mgxs.h5"
        for m in self.tables["material"]:
            made = ElementTree.SubElement(part, "material", name=m["name"],
                                          id=str(self.number("fill", m["name"])))
            ElementTree.SubElement(made, "density", units="macro", value="1.0")
            ElementTree.SubElement(made, "macroscopic", name=m["name"])

    def surface(self, part, name, kind, coefficients, boundary):
        ElementTree.SubElement(part, "surface", id=str(self.number("surface", name)), type=kind,
                               coeffs=" ".join(map(repr, coefficients)), boundary=boundary)

    def surfaces(self, part):
        for s in self.tables.get("surface", []):
            centre = s.get("center", [0.0, 0.0, 0.0])
            given = {"z_cylinder": ("z-cylinder", [*centre[:2], s.get("radius")]),
                     "sphere": ("sphere", [*centre, s.get("radius")])}
            for axis in "xyz":
                given[f"{axis}_plane"] = f"{axis}-plane", [s.get(axis)]
            self.surface(part, s["name"], *given[s["kind"]], s.get("boundary", "transmission"))
        for b in self.tables.get("box", []):
            conditions = b.get("boundaries", [b.get("boundary", "transmission")] * 6)
            inside = []
            for i in range(6):
                place, axis = (b["upper"] if i % 2 else b["lower"])[i // 2], "xyz"[i // 2]
                if math.isinf(place):
                    continue
                name = f"{b['name']}.{axis}_{'max' if i % 2 else 'min'}"
                self.surface(part, name, f"{axis}-plane", [float(place)], conditions[i])
                inside.append(f"{'-' if i % 2 else ''}{self.number('surface', name)}")
            self.half_spaces[b["name"]] = " ".join(inside)

    def region(self, text):
        words = []
        for word in text.split():
            sign, name = word[0], word[1:]
            if name in self.half_spaces:
                words.append(self.half_spaces[name])
            else:
                words.append(f"{'-' if sign == '-' else ''}{self.number('surface', name)}")
        return " ".join(words)

    def geometry(self):
        part = ElementTree.SubElement(self.root, "geometry")
        self.surfaces(part)
        materials = {m["name"] for m in self.tables["material"]}
        for number, c in enumerate(self.tables["cell"], 1):
            kind = "material" if c["fill"] in materials else "fill"
            fill = self.number("fill" if kind == "material" else "universe", c["fill"])
            ElementTree.SubElement(part, "cell", {
                "id": str(number), kind: str(fill), "region": self.region(c.get("region", "")),
                "universe": str(self.number("universe", c.get("universe", "root")))})
        for lattice in self.tables.get("lattice", []):
            self.lattice(part, lattice)

    def lattice(self, part, given):
        legend = dict(entry.split(" = ") for entry in given.get("legend", []))
        layers = [layer["universes"] for layer in given.get("layer", [given])
                  for _ in range(layer.get("repeat", 1))]
        # Letters where there is a legend, otherwise names of universes.
        rows = [list(row) if legend else row.split() for layer in layers for row in layer]
        pitch = given["pitch"]
        count = (len(rows[0]), len(rows) // len(layers), len(layers))[:len(pitch)]
        corner = given.get("lower_left") or [c - n * p / 2 for c, n, p in
                                             zip(given["center"], count, pitch)]
        made = ElementTree.SubElement(part, "lattice",
                                      id=str(self.number("universe", given["name"])))
        for key, values in (("pitch", pitch), ("dimension", count), ("lower_left", corner)):
            ElementTree.SubElement(made, key).text = " ".join(map(repr, values))
        ElementTree.SubElement(made, "universes").text = "\n".join(
            " ".join(str(self.number("universe", legend.get(word, word))) for word in row)
            for row in rows)

    def settings(self):
        deck, part = self.deck, ElementTree.SubElement(self.root, "settings")
        for key, value in (("run_mode", "eigenvalue"), ("energy_mode", "multi-group"),
                           ("particles", deck.particles), ("inactive", deck.inactive),
                           ("batches", deck.batches), ("seed", 1)):
            ElementTree.SubElement(part, key).text = str(value)
        source = ElementTree.SubElement(part, "source", type="independent", strength="1.0",
                                        particle="neutron")
        constraints = ElementTree.SubElement(source, "constraints")
        ElementTree.SubElement(constraints, "fissionable").text = "true"
        space = ElementTree.SubElement(source, "space", type="box")
        ElementTree.SubElement(space, "parameters").text = " ".join(
            repr(float(x)) for corner in deck.box for x in corner)
        output = ElementTree.SubElement(part, "output")
        for key in ("summary", "tallies"):
            ElementTree.SubElement(output, key).text = "false"

    def library(self, file):
        """Cross sections in OpenMC's format 1.0."""
        import h5py  # only where OpenMC runs
        import numpy as np
        with h5py.File(file, "w") as f:
            f.attrs["filetype"], f.attrs["version"] = np.bytes_("mgxs"), np.array([1, 0])
            groups = len(self.tables["material"][0]["scatter"])
            f.attrs["energy_groups"], f.attrs["delayed_groups"] = groups, 0
            f.attrs["group structure"] = np.array(group_bounds(groups))
            for m in self.tables["material"]:
                self.add_entry(f.create_group(m["name"]), m, np)

    @staticmethod
    def add_entry(group, m, np):
        scatter, fission = np.array(m["scatter"]), np.array(m.get("fission", 0.0))
        groups = len(scatter)
        absorption = np.array(m["capture"]) + fission
        is_fissile = "fission" in m
        group.attrs["atomic_weight_ratio"] = 1.0
        group.attrs["fissionable"], group.attrs["order"] = is_fissile, 0
        for key, value in (("representation", "isotropic"), ("scatter_format", "legendre"),
                           ("scatter_shape", "[G][G'][Order]")):
            group.attrs[key] = np.bytes_(value)
        group.create_group("kTs")["294K"] = 0.0253
        data = group.create_group("294K")
        data["total"], data["absorption"] = absorption + scatter.sum(axis=1), absorption
        if is_fissile:
            data["fission"], data["chi"] = fission, np.array(m["chi"])
            data["nu-fission"] = fission * np.array(m["nu"])
        # Each row contains only the groups from the first to the last one with a nonzero element.
        ends = [(min(to_groups), max(to_groups)) for to_groups in
                (np.flatnonzero(row) for row in scatter)]
        part = data.create_group("scatter_data")
        part["g_min"] = np.array([low + 1 for low, _ in ends])
        part["g_max"] = np.array([high + 1 for _, high in ends])
        part["scatter_matrix"] = np.concatenate([scatter[g, low:high + 1] for g, (low, high) in
                                                 zip(range(groups), ends)])
