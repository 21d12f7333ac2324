#include "src/modules/md/setup/start_config.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/vector_keys.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/setup/start_files.hpp"
#include "src/modules/md/setup/start_keys.hpp"
#include "src/modules/md/structures/droplet.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

void describe_type(Section& s, TypeConfig& t) {
  s.required("name", t.name, {.doc = "name of the type in other tables and in trajectories"});
  s.optional("mass", t.mass,
             {.doc = "mass in mass units; required unless a file gives it", .minimum = 0});
  s.optional(
      "charge", t.charge,
      {.doc = "charge of each atom of this type in charge units, unless a file gives charges"});
  s.optional(
      "element", t.element,
      {.doc = "chemical symbol in extended XYZ files, as ASE requires it (default: the name where "
              "it is a symbol, else the element of the mass in metal and real units)"});
  s.optional("in_file", t.in_file,
             {.doc = "name of the type in the file of [start], such as its number in a LAMMPS data "
                     "file (default: the name)"});
  t.where = s.location("name");
}

void validate_type(const Section& s, const TypeConfig& t) {
  if (!t.element.empty() && element_named(t.element) == nullptr)
    s.fail("element", fmt::format("`{}` is no chemical symbol", excerpt(t.element)),
           "write one such as \"C\" or \"Cu\", or leave it out");
  if (t.name.empty()) s.fail("name", "a type needs a name");
  const bool has_blank = std::any_of(t.name.begin(), t.name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
  });
  if (has_blank)
    s.fail("name", fmt::format("`{}` holds a blank", excerpt(t.name)),
           "blanks separate the words in files of atoms: use letters, digits, _ and -");
}

std::int32_t type_named(const Section& s, const char* key, const StartConfig& config,
                        const std::string& name) {
  return static_cast<std::int32_t>(index_of_type(s.locations(), key, name, config.type_names()));
}

void require_types(const Section& s, const StartConfig& config) {
  if (config.types.empty())
    s.fail("kind", "no kind of atom is given",
           "add a [[type]] with a name and a mass for each kind of atom");
}

struct LatticeKeys {
  LatticeOptions options;  // all but the members below, which are validated first
  std::vector<std::vector<double>> basis, orientation;
  std::vector<std::string> types;
  BoundaryNames boundaries;
};

void describe_basis(Section& s, LatticeKeys& k) {
  s.optional(
      "basis", k.basis,
      {.doc = "custom: positions of the atoms of a cell, [x, y, z] in fractions of its edges"});
  optional_vector(s, "ratios", k.options.ratios,
                  {.doc = "custom: ratios of the edges of the cell to the one along x"});
  s.optional("types", k.types,
             {.doc = "type of each atom of the conventional cell (sc 1, bcc 2, fcc 4, diamond 8 "
                     "atoms), or one type for all; default: the first [[type]]"});
}

void set_basis(const Section& s, const LatticeKeys& k, const StartConfig& config,
               LatticeOptions& o) {
  for (const auto& row : k.basis) {
    if (row.size() != 3) s.fail("basis", "an atom of the basis has not three coordinates");
    o.basis.push_back({row[0], row[1], row[2]});
  }
  const std::size_t atoms =
      o.kind == LatticeKind::custom ? o.basis.size() : basis_of(o.kind).size();
  std::vector<std::string> types = k.types;
  if (types.size() == 1) types.assign(atoms, types.front());
  if (!types.empty() && types.size() != atoms)
    s.fail("types", fmt::format("{} types for the {} atoms of a cell", types.size(), atoms),
           "give one for each atom of the cell, or one for all");
  for (const std::string& name : types)
    o.basis_types.push_back(type_named(s, "types", config, name));
}

void describe_orientation(Section& s, LatticeKeys& k) {
  k.orientation.clear();
  for (const auto& d : k.options.orientation)
    k.orientation.push_back({double(d[0]), double(d[1]), double(d[2])});
  s.optional("orientation", k.orientation,
             {.doc = "crystal directions along x, y and z, three integers each",
              .min_size = 3,
              .max_size = 3});
}

void set_orientation(const Section& s, const LatticeKeys& k, LatticeOptions& o) {
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& row = k.orientation[a];
    if (row.size() != 3) s.fail("orientation", "a direction has not three numbers");
    for (std::size_t c = 0; c < 3; ++c) {
      if (row[c] != std::floor(row[c]) || std::abs(row[c]) > 100)
        s.fail("orientation", "a direction is made of whole numbers up to 100");
      o.orientation[a][c] = static_cast<int>(row[c]);
    }
  }
  locate_errors_at_key(s, "orientation", [&] { check_orientation(o.orientation); });
}

void describe_lattice(Section& s, LatticeKeys& k) {
  LatticeOptions& o = k.options;
  s.optional("lattice", o.kind, lattice_names(), {.doc = "type of the crystal"});
  s.optional("constant", o.constant,
             {.doc = "edge of the conventional cell; or give density", .minimum = 0});
  s.optional("density", o.density, {.doc = "atoms per volume; or give constant", .minimum = 0});
  s.required("cells", o.cells, {.doc = "number of cells along x, y and z", .minimum = 1});
  optional_vector(s, "origin", o.origin, {.doc = "lower corner of the box"});
  optional_vector(s, "shift", o.shift,
                  {.doc = "displacement of all atoms in edges of the conventional cell"});
  describe_orientation(s, k);
  describe_basis(s, k);
  describe_boundaries(s, k.boundaries);
}

void make_lattice(const Section& s, const LatticeKeys& k, StartConfig& config) {
  LatticeOptions o = k.options;
  set_orientation(s, k, o);
  set_basis(s, k, config, o);
  o.boundaries = boundaries_of(s, k.boundaries);
  require_types(s, config);
  locate_errors_at_key(s, s.has("density") ? "density" : "constant",
                       [&] { return Lattice(o).atoms(); });
  set_box_key(s, "cells", config);
  config.summary = fmt::format("{} lattice, {} x {} x {} cells",
                               lattice_names()[static_cast<std::size_t>(o.kind)], o.cells[0],
                               o.cells[1], o.cells[2]);
  config.make_system = [o](std::uint64_t) { return start_from(o); };
}

struct ChainKeys {
  ChainOptions options{.layout = ChainLayout::lattice};
  std::string type;
};

void describe_chains(Section& s, ChainKeys& k) {
  static constexpr std::string_view layouts[] = {"lattice", "random_walk"};
  ChainOptions& o = k.options;
  s.required("chains", o.chains, {.doc = "number of chains", .minimum = 1});
  s.required("length", o.length, {.doc = "number of atoms of a chain", .minimum = 1});
  s.required("density", o.density,
             {.doc = "atoms per volume of the cubic box", .minimum = 0, .exclusive_minimum = true});
  s.optional(
      "layout", o.layout, layouts,
      {.doc = "lattice: chains along a path that fills the box evenly; random_walk: random walks "
              "with the chain statistics of a melt, which overlap and need [push_off]"});
  s.optional("bond_length", o.bond_length,
             {.doc = "bond length of random walks",
              .unit = "length",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("least_1_3", o.min_1_3_distance,
             {.doc = "random walks: minimum distance of atoms two bonds apart",
              .unit = "length",
              .minimum = 0});
  s.optional("angles", o.with_angles,
             {.doc = "whether every inner atom is the centre of an angle"});
  s.optional("dihedrals", o.with_dihedrals, {.doc = "whether every inner bond has a dihedral"});
  s.optional("type", k.type, {.doc = "type of the atoms; default: the first [[type]]"});
}

void make_chains(const Section& s, const ChainKeys& k, StartConfig& config) {
  const ChainOptions& o = k.options;
  require_types(s, config);
  const std::int32_t t = k.type.empty() ? 0 : type_named(s, "type", config, k.type);
  locate_errors_at_key(s, "chains", [&] { return Chains(o).atoms(); });
  set_box_key(s, "density", config);
  config.summary = fmt::format("{} chains of {} atoms, {}", o.chains, o.length,
                               o.layout == ChainLayout::lattice ? "on a lattice" : "random walks");
  config.make_system = [o, t](std::uint64_t seed) {
    ChainOptions seeded = o;
    seeded.seed = seed;
    return start_from(seeded, t);
  };
}

struct RandomKeys {
  std::vector<Index> counts;
  std::vector<double> lengths;
  Vector3 origin{}, tilts{};
  double distance = 0, density = 0;
  BoundaryNames boundaries;
};

void describe_random(Section& s, RandomKeys& k) {
  s.required(
      "atoms", k.counts,
      {.doc = "number of atoms of each [[type]], in their order", .minimum = 0, .min_size = 1});
  s.optional("density", k.density,
             {.doc = "atoms per volume of a cubic box; or give lengths", .minimum = 0});
  s.optional("lengths", k.lengths, {.doc = "box lengths along x, y and z; or give density"});
  optional_vector(s, "origin", k.origin, {.doc = "lower corner of the box"});
  optional_vector(s, "tilts", k.tilts, {.doc = "tilt factors xy, xz, yz of the box"});
  s.optional("distance", k.distance,
             {.doc = "minimum distance of any two atoms (0: atoms may overlap; [push_off] then "
                     "separates them)",
              .minimum = 0});
  describe_boundaries(s, k.boundaries);
}

void make_random(const Section& s, const RandomKeys& k, StartConfig& config) {
  const auto boundaries = boundaries_of(s, k.boundaries);
  require_types(s, config);
  if (k.counts.size() != config.types.size())
    s.fail("atoms",
           fmt::format("{} numbers of atoms for {} types", k.counts.size(), config.types.size()),
           "give one number for each [[type]], 0 for none");
  const Index total = std::accumulate(k.counts.begin(), k.counts.end(), Index{0});
  if (total < 1) s.fail("atoms", "there are no atoms");
  if ((k.density > 0) == !k.lengths.empty())
    s.fail("density", "a box has a density or lengths, and not both");
  if (!k.lengths.empty() && k.lengths.size() != 3) s.fail("lengths", "a box has three lengths");
  const bool is_cube = k.lengths.empty();
  const double edge = is_cube ? cube_root(static_cast<double>(total) / k.density) : 0;
  const Vector3 lengths =
      is_cube ? Vector3{edge, edge, edge} : Vector3{k.lengths[0], k.lengths[1], k.lengths[2]};
  const Box box = locate_errors_at_key(s, is_cube ? "density" : "lengths",
                                       [&] { return Box(k.origin, lengths, k.tilts, boundaries); });
  set_box_key(s, is_cube ? "density" : "lengths", config);
  config.where = s.location("distance");
  config.summary = fmt::format("{} atoms at random places", total);
  config.make_system = [box, counts = k.counts, distance = k.distance](std::uint64_t seed) {
    return start_at_random(seed, box, counts, distance);
  };
}

void describe_droplet(Section& s, DropletOptions& o) {
  s.required("radius", o.radius,
             {.doc = "radius of the drop", .minimum = 0, .exclusive_minimum = true});
  s.required("liquid_density", o.liquid_density,
             {.doc = "number density of the drop", .minimum = 0, .exclusive_minimum = true});
  s.optional("vapour_density", o.vapour_density,
             {.doc = "number density of the vapour", .minimum = 0});
  required_vector(s, "lengths", o.lengths, {.doc = "lengths of the periodic box along x, y and z"});
  optional_vector(s, "centre", o.centre, {.doc = "centre of the drop in fractions of the lengths"});
}

void make_droplet_start(const Section& s, const DropletOptions& o, StartConfig& config) {
  require_types(s, config);
  AtomSystem system = locate_errors_at_key(s, "radius", [&] { return make_droplet(o); });
  set_box_key(s, "lengths", config);
  config.summary =
      fmt::format("a drop of radius {} in vapour, {} atoms", o.radius, system.atoms.size());
  std::vector<std::int32_t> types = {0};
  const auto shared = std::make_shared<const AtomSystem>(std::move(system));
  config.make_system = [shared, types](std::uint64_t) { return start_from(*shared, types); };
}

}  // namespace

std::vector<std::string> StartConfig::type_elements() const {
  constexpr double tolerance = 0.0125;  // difference to the mass of an element, g/mol
  const bool has_real_masses = units != nullptr && units->system != UnitSystem::lj;
  std::vector<std::string> symbols;
  for (const TypeConfig& t : types) {
    const ChemicalElement* element = element_named(t.element.empty() ? t.name : t.element);
    if (element == nullptr && has_real_masses) element = element_of_mass(t.mass, tolerance);
    symbols.emplace_back(element == nullptr ? "" : element->symbol);
  }
  return symbols;
}

std::vector<std::string> StartConfig::type_names() const {
  std::vector<std::string> names;
  for (const TypeConfig& t : types) names.push_back(t.name);
  return names;
}

Index StartConfig::type_index(const std::string& name) const {
  for (std::size_t t = 0; t < types.size(); ++t)
    if (types[t].name == name) return static_cast<Index>(t);
  return -1;
}

namespace {

void describe_start_table(Section& s, StartConfig& config) {
  config.where = s.location("kind");
  s.alternatives(
      "kind",
      {start_kind("lattice", "a crystal", describe_lattice, make_lattice, config),
       start_kind("random", "atoms at random positions", describe_random, make_random, config),
       start_kind("droplet", "a liquid drop in its vapour", describe_droplet, make_droplet_start,
                  config),
       start_kind("chains", "linear chains, with bonds of type \"1\"", describe_chains, make_chains,
                  config),
       data_file_start(config), xyz_start(config), h5md_start(config)},
      -1, {.doc = "source of the atoms"});
  s.optional("temperature", config.temperature,
             {.doc = "temperature of the initial velocities, which are drawn from a "
                     "Maxwell-Boltzmann distribution and scaled to exactly this temperature; left "
                     "out: velocities of the file, else 0",
              .minimum = 0});
  s.optional("zero_momentum", config.zero_momentum,
             {.doc = "whether the total momentum of the initial velocities is removed"});
  config.temperature_location = s.location("temperature");
}

/// Throws ConfigError if two types have the same name, or stand for the same type of the file.
void validate_start_table(const Section&, const StartConfig& config) {
  for (std::size_t t = 0; t < config.types.size(); ++t) {
    const TypeConfig& type = config.types[t];
    if (config.type_index(type.name) != static_cast<Index>(t))
      throw ConfigError(type.where, fmt::format("two types have the name `{}`", excerpt(type.name)),
                        "give each its own");
    if (!type.in_file.empty() && config.file.empty())
      throw ConfigError(type.where, "the type has in_file, but the start reads no file",
                        "leave in_file out");
    for (std::size_t u = 0; u < t; ++u)
      if (config.types[u].name_in_file() == type.name_in_file())
        throw ConfigError(
            type.where,
            fmt::format("the types `{}` and `{}` both stand for type `{}` of the file",
                        excerpt(config.types[u].name), excerpt(type.name),
                        excerpt(type.name_in_file())),
            "give each its own in_file");
  }
}

}  // namespace

void describe_start(Section& top, StartConfig& config) {
  top.tables("type", config.types, validated(describe_type, validate_type), "a type of atom");
  top.required_table("start",
                     validated([&config](Section& s) { describe_start_table(s, config); },
                               [&config](const Section& s) { validate_start_table(s, config); }),
                     "initial system");
}

void fail_without_mass(const TypeConfig& t) {
  if (!t.origin.empty())
    throw ConfigError(t.where,
                      fmt::format("{}: the type `{}` has no mass", t.origin, excerpt(t.name)),
                      fmt::format("add a [[type]] with name = \"{}\" and its mass, or correct the "
                                  "file",
                                  excerpt(t.name)));
  throw ConfigError(
      t.where, fmt::format("type `{}` has no mass", excerpt(t.name)),
      fmt::format("add to its [[type]], the one with name = \"{}\": mass = …", excerpt(t.name)));
}

}  // namespace gsim::md
