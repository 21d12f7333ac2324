"""Inputs of the molecular dynamics benchmarks, written for each program from the same parameters: the three benchmark
systems that LAMMPS's documentation describes, at any size."""
import math
import pathlib

# Argon's parameters convert reduced units to GROMACS's; they cancel in every rate.
SIGMA, EPSILON, MASS, GAS_CONSTANT = 0.34, 0.996, 39.948, 0.00831446261815324
FCC = ((0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5))

LENNARD_JONES = """[pair]
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
"""


class Deck:
    """A system: its name, its size, and the input files of each program."""

    units, time_step = "lj", 0.005
    skin = None  # gsim's default, unless a system sets one
    seed = 0  # of gsim's random numbers
    atom, mass = "1", 1.0  # name and mass of the only type of atoms

    def __init__(self, name, cells, steps):
        self.name, self.cells, self.steps = name, cells, steps

    @property
    def atoms(self):
        return 4 * math.prod(self.cells)

    def files(self):
        """Further files that the inputs name: name -> text."""
        return {}

    def start(self):
        """The lines of gsim's [start]."""
        raise NotImplementedError

    def forces(self):
        """gsim's tables of forces."""
        raise NotImplementedError

    def gsim(self, precision, extra_tables=""):
        """gsim's configuration, with `extra_tables` at its end."""
        skin = f"skin = {self.skin}\n" if self.skin else ""
        return f"""module = "md"
seed = {self.seed}
[md]
units = "{self.units}"
steps = {self.steps}
time_step = {self.time_step}
precision = "{precision}"
{skin}[[type]]
name = "{self.atom}"
mass = {self.mass}
[start]
{self.start()}{self.forces()}[thermo]
every = {self.steps}
{extra_tables}"""

    def lammps_run(self):
        """LAMMPS's last lines."""
        return f"""timestep {self.time_step}
thermo {self.steps}
run {self.steps}
"""


class Crystal(Deck):
    """Atoms that start on an fcc lattice. `lattice`: gsim's key that sets the lattice constant, and its
    value, which is also LAMMPS's."""

    def lammps_atoms(self):
        """LAMMPS's first lines."""
        x, y, z = self.cells
        return f"""units {self.units}
atom_style atomic
lattice fcc {self.lattice[1]}
region box block 0 {x} 0 {y} 0 {z}
create_box 1 box
create_atoms 1 box
"""

    def start(self):
        key, value = self.lattice
        return f"""kind = "lattice"
lattice = "fcc"
{key} = {value}
cells = {list(self.cells)}
temperature = {self.temperature}
"""


class Melt(Crystal):
    """Lennard-Jones at density 0.8442, T = 1.44 on a lattice, cutoff 2.5, list radius 2.8, dt 0.005."""

    title = "Lennard-Jones melt"
    seed, atom, lattice, temperature = 87287, "A", ("density", 0.8442), 1.44

    def lammps(self, options):
        return f"""{self.lammps_atoms()}mass 1 {self.mass}
velocity all create {self.temperature} {self.seed} loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify {options.get("neighbours", "delay 0 every 20 check no")}
fix 1 all nve
{self.lammps_run()}"""

    def forces(self):
        return LENNARD_JONES + "cutoff = 2.5\n"

    def gromacs(self, automatic_buffer):
        """run.mdp, start.gro, system.top. `automatic_buffer`: the list buffer that GROMACS chooses (by its
        default tolerance of energy drift); otherwise LAMMPS's list radius of 2.8 sigma."""
        tau = SIGMA * math.sqrt(MASS / EPSILON)
        lists = ("verlet-buffer-tolerance = 0.005" if automatic_buffer else
                 f"verlet-buffer-tolerance = -1\nrlist = {2.8 * SIGMA:.6f}")
        mdp = f"""integrator = md
dt = {0.005 * tau:.8f}
nsteps = {self.steps}
cutoff-scheme = Verlet
nstlist = 20
{lists}
vdwtype = Cut-off
vdw-modifier = None
rvdw = {2.5 * SIGMA:.6f}
coulombtype = Cut-off
rcoulomb = {2.5 * SIGMA:.6f}
DispCorr = no
tcoupl = no
gen-vel = yes
gen-temp = {1.44 * EPSILON / GAS_CONSTANT:.6f}
gen-seed = 87287
comm-mode = Linear
nstcomm = 100
nstcalcenergy = 100
nstenergy = {self.steps}
nstlog = {self.steps}
nstxout = 0
nstxout-compressed = 0
"""
        top = f"""[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
AR AR 18 {MASS} 0.0 A {SIGMA} {EPSILON}
[ moleculetype ]
AR 0
[ atoms ]
1 AR 1 AR AR 1 0.0 {MASS}
[ system ]
melt
[ molecules ]
AR {self.atoms}
"""
        return {"run.mdp": mdp, "start.gro": self.gro(), "system.top": top}

    def gro(self):
        edge = (4 / 0.8442) ** (1 / 3) * SIGMA
        lines = ["melt", f"{self.atoms}"]
        n = 0
        for z in range(self.cells[2]):
            for y in range(self.cells[1]):
                for x in range(self.cells[0]):
                    for b in FCC:
                        n += 1
                        r = [edge * (c + d) for c, d in zip((x, y, z), b)]
                        lines.append(f"{n % 100000:5d}{'AR':<5s}{'AR':>5s}{n % 100000:5d}"
                                     f"{r[0]:8.3f}{r[1]:8.3f}{r[2]:8.3f}")
        lines.append(" ".join(f"{edge * c:.6f}" for c in self.cells))
        return "\n".join(lines) + "\n"


class Copper(Crystal):
    """Embedded atoms: fcc copper, a = 3.615 A, T = 1600 K, list radius cutoff + 1 A, dt 5 fs."""

    title = "copper, embedded atoms"
    units, skin, seed, atom, mass = "metal", 1.0, 376847, "Cu", 63.55
    lattice, temperature = ("constant", 3.615), 1600.0

    def __init__(self, name, cells, steps, potential):
        super().__init__(name, cells, steps)
        self.potential = potential

    def lammps(self, options):
        return f"""{self.lammps_atoms()}pair_style eam
pair_coeff 1 1 {self.potential}
velocity all create {self.temperature} {self.seed} loop geom
neighbor {self.skin} bin
neigh_modify {options.get("neighbours", "every 1 delay 5 check yes")}
fix 1 all nve
{self.lammps_run()}"""

    def forces(self):
        return f"""[eam]
format = "funcfl"
files = ["{self.potential}"]
"""


class Chains(Deck):
    """Bead-spring chains of 100 beads (Kremer and Grest 1990): WCA and FENE, density 0.85, Langevin at T = 1 and
    friction 0.1, dt 0.012, list radius cutoff + 0.4. The chains start as pieces of one path through all sites of a
    cubic lattice; this order is lost within the first thousands of steps."""

    title = "bead-spring chains, FENE"
    beads, density = 100, 0.85
    time_step, skin, seed = 0.012, 0.4, 904297

    def __init__(self, name, sites, steps):
        super().__init__(name, sites, steps)
        assert self.atoms % self.beads == 0

    @property
    def atoms(self):
        return math.prod(self.cells)

    def path(self):
        """All lattice sites, each a neighbour of the one before."""
        nx, ny, nz = self.cells
        forwards = True
        for z in range(nz):
            for y in range(ny) if z % 2 == 0 else reversed(range(ny)):
                yield from ((x, y, z) for x in (range(nx) if forwards else reversed(range(nx))))
                forwards = not forwards

    def files(self):
        edge = self.density ** (-1 / 3)
        chains = self.atoms // self.beads
        text = [f"chains\n\n{self.atoms} atoms\n{self.atoms - chains} bonds\n1 atom types\n"
                "1 bond types\n"]
        text += [f"0 {edge * n:.12f} {a}lo {a}hi" for a, n in zip("xyz", self.cells)]
        text.append("\nMasses\n\n1 1.0\n\nAtoms # bond\n")
        text += [f"{i + 1} {i // self.beads + 1} 1 " + " ".join(f"{edge * (c + 0.5):.9f}" for c in r)
                 for i, r in enumerate(self.path())]
        text.append("\nBonds\n")
        pairs = (i for i in range(1, self.atoms) if i % self.beads != 0)
        text += [f"{k + 1} 1 {i} {i + 1}" for k, i in enumerate(pairs)]
        return {"chains.data": "\n".join(text) + "\n"}

    def lammps(self, options):
        return f"""units lj
atom_style bond
special_bonds fene
read_data chains.data
velocity all create 1.0 12345
neighbor {self.skin} bin
neigh_modify {options.get("neighbours", "every 1 delay 1 check yes")}
bond_style fene
bond_coeff 1 30.0 1.5 1.0 1.0
pair_style lj/cut 1.12
pair_modify shift yes
pair_coeff 1 1 1.0 1.0 1.12
fix 1 all nve
fix 2 all langevin 1.0 1.0 10.0 {self.seed}
{self.lammps_run()}"""

    def start(self):
        return """kind = "lammps_data"
file = "chains.data"
temperature = 1.0
"""

    def forces(self):
        return LENNARD_JONES + """cutoff = 1.12
smoothing = "shift"
[bonded]
exclude = ["1-2"]
[[bonded.bonds]]
name = "1"
kind = "fene"
k = 30.0
r0 = 1.5
epsilon = 1.0
sigma = 1.0
[thermostat]
kind = "langevin"
temperature = 1.0
friction = 0.1
"""


def write(deck, folder, texts):
    """Writes the deck's own files, and `texts`, into `folder`."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**deck.files(), **texts}.items():
        (folder / name).write_text(text)
