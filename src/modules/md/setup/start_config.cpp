#include "src/modules/md/setup/start_config.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/setup/start_files.hpp"
#include "src/modules/md/setup/start_keys.hpp"
#include "src/modules/md/structures/droplet.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

void describe_type(Section& s, TypeConfig& t) {
  s.required("name", t.name, {.doc = "what other tables call it, and trajectories"});
  s.optional("mass", t.mass,
             {.doc = "in mass units; required unless a file gives it", .minimum = 0});
  s.optional("charge", t.charge,
             {.doc = "of each atom of this type, in charge units, unless a file gives charges"});
  s.optional(
      "element", t.element,
      {.doc = "chemical symbol, for readers of extended XYZ that know no others, such as "
              "ASE (default: the name where it is one, or else by the mass in metal and real "
              "units)"});
  s.optional("in_file", t.in_file,
             {.doc = "what the start's file calls it, such as the number of a LAMMPS data file's "
                     "type (default: the name)"});
  t.where = s.location("name");
  if (s.describing()) return;
  if (!t.element.empty() && element_named(t.element) == nullptr)
    s.fail("element", fmt::format("`{}` is no chemical symbol", excerpt(t.element)),
           "write one such as \"C\" or \"Cu\", or leave it out");
  if (t.name.empty()) s.fail("name", "a type needs a name");
  const bool has_blank = std::any_of(t.name.begin(), t.name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
  });
  if (has_blank)
    s.fail("name", fmt::format("`{}` holds a blank", excerpt(t.name)),
           "files of atoms are read word by word: use letters, digits, _ and -");
}

std::int32_t type_named(const Section& s, const char* key, const StartConfig& config,
                        const std::string& name) {
  return static_cast<std::int32_t>(place_of_type(s.locations(), key, name, config.type_names()));
}

void require_types(const Section& s, const StartConfig& config) {
  if (config.types.empty())
    s.fail("kind", "no kind of atom is given",
           "add a [[type]] with a name and a mass for each kind of atom");
}

void describe_basis(Section& s, const StartConfig& config, LatticeOptions& o) {
  std::vector<std::vector<double>> basis;
  std::vector<double> ratios(o.ratios.begin(), o.ratios.end());
  std::vector<std::string> types;
  s.optional("basis", basis,
             {.doc = "custom: the atoms of a cell, each [x, y, z] in fractions of its edges"});
  s.optional(
      "ratios", ratios,
      {.doc = "custom: the edges of the cell over the one along x", .min_size = 3, .max_size = 3});
  s.optional("types", types,
             {.doc = "the type of each atom of the conventional cell (sc 1, bcc 2, fcc 4, diamond "
                     "8 atoms), or one for all; default: the first [[type]]"});
  if (s.describing()) return;
  for (const auto& row : basis) {
    if (row.size() != 3) s.fail("basis", "an atom of the basis has not three coordinates");
    o.basis.push_back({row[0], row[1], row[2]});
  }
  std::copy(ratios.begin(), ratios.end(), o.ratios.begin());
  const std::size_t atoms =
      o.kind == LatticeKind::custom ? o.basis.size() : basis_of(o.kind).size();
  if (types.size() == 1) types.assign(atoms, types.front());
  if (!types.empty() && types.size() != atoms)
    s.fail("types", fmt::format("{} types for the {} atoms of a cell", types.size(), atoms),
           "give one for each atom of the cell, or one for all");
  for (const std::string& name : types)
    o.basis_types.push_back(type_named(s, "types", config, name));
}

void describe_orientation(Section& s, LatticeOptions& o) {
  std::vector<std::vector<double>> rows;
  for (const auto& d : o.orientation) rows.push_back({double(d[0]), double(d[1]), double(d[2])});
  s.optional("orientation", rows,
             {.doc = "crystal directions along x, y and z: three of three whole numbers",
              .min_size = 3,
              .max_size = 3});
  if (s.describing()) return;
  for (std::size_t a = 0; a < 3; ++a) {
    if (rows[a].size() != 3) s.fail("orientation", "a direction has not three numbers");
    for (std::size_t c = 0; c < 3; ++c) {
      if (rows[a][c] != std::floor(rows[a][c]) || std::abs(rows[a][c]) > 100)
        s.fail("orientation", "a direction is made of whole numbers up to 100");
      o.orientation[a][c] = static_cast<int>(rows[a][c]);
    }
  }
  at_key(s, "orientation", [&] { check_orientation(o.orientation); });
}

void describe_lattice(Section& s, StartConfig& config) {
  LatticeOptions o;
  o.cells = {1, 1, 1};
  std::vector<Index> cells(o.cells.begin(), o.cells.end());
  std::vector<double> origin(3, 0.0), shift(3, 0.0);
  s.optional("lattice", o.kind, lattice_words(), {.doc = "the crystal"});
  s.optional("constant", o.constant,
             {.doc = "edge of the conventional cell; or give density", .minimum = 0});
  s.optional("density", o.density, {.doc = "atoms per volume; or give constant", .minimum = 0});
  s.required("cells", cells,
             {.doc = "repetitions along x, y and z", .minimum = 1, .min_size = 3, .max_size = 3});
  s.optional("origin", origin, {.doc = "corner of the box", .min_size = 3, .max_size = 3});
  s.optional(
      "shift", shift,
      {.doc = "of all atoms, in edges of the conventional cell", .min_size = 3, .max_size = 3});
  describe_orientation(s, o);
  describe_basis(s, config, o);
  o.boundaries = describe_boundaries(s);
  if (s.describing()) return;
  require_types(s, config);
  std::copy(cells.begin(), cells.end(), o.cells.begin());
  std::copy(origin.begin(), origin.end(), o.origin.begin());
  std::copy(shift.begin(), shift.end(), o.shift.begin());
  at_key(s, s.has("density") ? "density" : "constant", [&] { return Lattice(o).atoms(); });
  set_box(s, "cells", config);
  config.summary =
      fmt::format("{} lattice, {} x {} x {} cells",
                  lattice_words()[static_cast<std::size_t>(o.kind)], cells[0], cells[1], cells[2]);
  config.make_system = [o](std::uint64_t) { return start_from(o); };
}

void describe_chains(Section& s, StartConfig& config) {
  static constexpr std::string_view layouts[] = {"lattice", "random_walk"};
  ChainOptions o;
  o.layout = ChainLayout::lattice;
  std::string type;
  s.required("chains", o.chains, {.doc = "number of chains", .minimum = 1});
  s.required("length", o.length, {.doc = "atoms of a chain", .minimum = 1});
  s.required("density", o.density,
             {.doc = "atoms per volume of the cubic box", .minimum = 0, .exclusive_minimum = true});
  s.optional("layout", o.layout, layouts,
             {.doc = "lattice: along a path that fills the box evenly; random_walk: the statistics "
                     "of a melt, but chains cross each other, and [push_off] parts them"});
  s.optional("bond_length", o.bond_length,
             {.doc = "of random walks", .unit = "length", .minimum = 0, .exclusive_minimum = true});
  s.optional("least_1_3", o.least_1_3,
             {.doc = "random walks: least distance of atoms two bonds apart",
              .unit = "length",
              .minimum = 0});
  s.optional("angles", o.with_angles, {.doc = "an angle at every inner atom"});
  s.optional("dihedrals", o.with_dihedrals, {.doc = "a dihedral about every inner bond"});
  s.optional("type", type, {.doc = "of the atoms; default: the first [[type]]"});
  if (s.describing()) return;
  require_types(s, config);
  const std::int32_t t = type.empty() ? 0 : type_named(s, "type", config, type);
  at_key(s, "chains", [&] { return Chains(o).atoms(); });
  set_box(s, "density", config);
  config.summary = fmt::format("{} chains of {} atoms, {}", o.chains, o.length,
                               o.layout == ChainLayout::lattice ? "on a lattice" : "random walks");
  config.make_system = [o, t](std::uint64_t seed) {
    ChainOptions seeded = o;
    seeded.seed = seed;
    return start_from(seeded, t);
  };
}

void describe_random(Section& s, StartConfig& config) {
  std::vector<Index> counts;
  std::vector<double> lengths, origin(3, 0.0), tilts(3, 0.0);
  double distance = 0, density = 0;
  s.required(
      "atoms", counts,
      {.doc = "number of atoms of each [[type]], in their order", .minimum = 0, .min_size = 1});
  s.optional("density", density,
             {.doc = "atoms per volume of a cubic box; or give lengths", .minimum = 0});
  s.optional("lengths", lengths, {.doc = "of the box along x, y and z; or give density"});
  s.optional("origin", origin, {.doc = "corner of the box", .min_size = 3, .max_size = 3});
  s.optional("tilts", tilts, {.doc = "xy, xz, yz of the box", .min_size = 3, .max_size = 3});
  s.optional(
      "distance", distance,
      {.doc = "least distance of any two atoms (0: they may overlap, and [push_off] parts them)",
       .minimum = 0});
  const auto boundaries = describe_boundaries(s);
  if (s.describing()) return;
  require_types(s, config);
  if (counts.size() != config.types.size())
    s.fail("atoms",
           fmt::format("{} numbers of atoms for {} types", counts.size(), config.types.size()),
           "give one number for each [[type]], 0 for none");
  const Index total = std::accumulate(counts.begin(), counts.end(), Index{0});
  if (total < 1) s.fail("atoms", "there are no atoms");
  if ((density > 0) == !lengths.empty())
    s.fail("density", "a box has a density or lengths, and not both");
  if (!lengths.empty() && lengths.size() != 3) s.fail("lengths", "a box has three lengths");
  const bool is_cube = lengths.empty();
  if (is_cube) lengths.assign(3, cube_root(static_cast<double>(total) / density));
  const Box box = at_key(s, is_cube ? "density" : "lengths", [&] {
    return Box({origin[0], origin[1], origin[2]}, {lengths[0], lengths[1], lengths[2]},
               {tilts[0], tilts[1], tilts[2]}, boundaries);
  });
  set_box(s, is_cube ? "density" : "lengths", config);
  config.where = s.location("distance");
  config.summary = fmt::format("{} atoms at random places", total);
  config.make_system = [box, counts, distance](std::uint64_t seed) {
    return start_at_random(seed, box, counts, distance);
  };
}

void describe_droplet(Section& s, StartConfig& config) {
  DropletOptions o;
  std::vector<double> lengths;
  s.required("radius", o.radius, {.doc = "of the drop", .minimum = 0, .exclusive_minimum = true});
  s.required("liquid_density", o.liquid_density,
             {.doc = "atoms per volume in the drop", .minimum = 0, .exclusive_minimum = true});
  s.optional("vapour_density", o.vapour_density,
             {.doc = "atoms per volume around it", .minimum = 0});
  s.required("lengths", lengths,
             {.doc = "of the periodic box along x, y and z", .min_size = 3, .max_size = 3});
  std::vector<double> centre(o.centre.begin(), o.centre.end());
  s.optional("centre", centre,
             {.doc = "of the drop, in fractions of the lengths", .min_size = 3, .max_size = 3});
  if (s.describing()) return;
  require_types(s, config);
  std::copy(lengths.begin(), lengths.end(), o.lengths.begin());
  std::copy(centre.begin(), centre.end(), o.centre.begin());
  AtomSystem system = at_key(s, "radius", [&] { return make_droplet(o); });
  set_box(s, "lengths", config);
  config.summary =
      fmt::format("a drop of radius {} in vapour, {} atoms", o.radius, system.atoms.size());
  std::vector<std::int32_t> types = {0};
  const auto shared = std::make_shared<const AtomSystem>(std::move(system));
  config.make_system = [shared, types](std::uint64_t) { return start_from(*shared, types); };
}

}  // namespace

std::vector<std::string> StartConfig::type_elements() const {
  constexpr double tolerance = 0.0125;
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

void describe_start(Section& top, StartConfig& config) {
  top.tables<TypeConfig>("type", config.types, describe_type, "a kind of atom");
  if (!top.describing())
    for (std::size_t t = 0; t < config.types.size(); ++t)
      if (config.type_index(config.types[t].name) != static_cast<Index>(t))
        throw ConfigError(
            config.types[t].where,
            fmt::format("two types have the name `{}`", excerpt(config.types[t].name)),
            "give each its own");
  const auto start = [&config](Section& s) {
    config.where = s.location("kind");
    s.alternatives(
        "kind",
        {{"lattice", "a crystal", [&](Section& t) { describe_lattice(t, config); }},
         {"random", "atoms at random places", [&](Section& t) { describe_random(t, config); }},
         {"droplet", "a drop of liquid in its vapour",
          [&](Section& t) { describe_droplet(t, config); }},
         {"chains", "linear chains, with bonds of type \"1\"",
          [&](Section& t) { describe_chains(t, config); }},
         {"lammps_data", "a LAMMPS data file", [&](Section& t) { describe_data_file(t, config); }},
         {"xyz", "a frame of an extended XYZ file", [&](Section& t) { describe_xyz(t, config); }},
         {"h5md", "a frame of an H5MD file", [&](Section& t) { describe_h5md(t, config); }}},
        -1, {.doc = "where the atoms come from"});
    s.optional("temperature", config.temperature,
               {.doc = "of the first velocities, Maxwell's distribution, scaled to it exactly; "
                       "left out: those of the file, or none",
                .minimum = 0});
    s.optional("zero_momentum", config.zero_momentum,
               {.doc = "with temperature: the centre of mass rests"});
    config.temperature_at = s.location("temperature");
  };
  top.required_table("start", start, "the system that the run begins with");
  if (top.describing()) return;
  for (std::size_t t = 0; t < config.types.size(); ++t) {
    const TypeConfig& type = config.types[t];
    if (!type.in_file.empty() && config.file.empty())
      throw ConfigError(type.where, "the type has in_file, but the start reads no file",
                        "leave in_file out");
    for (std::size_t u = 0; u < t; ++u)
      if (config.types[u].label() == type.label())
        throw ConfigError(
            type.where,
            fmt::format("the types `{}` and `{}` are one type of the file, `{}`",
                        excerpt(config.types[u].name), excerpt(type.name), excerpt(type.label())),
            "give each its own in_file");
  }
  for (const TypeConfig& t : config.types)
    if (!(t.mass > 0) && !top.has("eam"))  // whose files give masses
      fail_without_mass(t);
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
