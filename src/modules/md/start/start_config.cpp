#include "src/modules/md/start/start_config.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/log.hpp"
#include "gsim/core/plural.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/files/data_file.hpp"
#include "src/modules/md/files/extended_xyz.hpp"
#include "src/modules/md/files/h5md_file.hpp"
#include "src/modules/md/start/droplet.hpp"
#include "src/modules/md/start/replicate.hpp"
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
    s.fail("element", fmt::format("`{}` is no chemical symbol", shown(t.element)),
           "write one such as \"C\" or \"Cu\", or leave it out");
  if (t.name.empty()) s.fail("name", "a type needs a name");
  const bool has_blank = std::any_of(t.name.begin(), t.name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
  });
  if (has_blank)
    s.fail("name", fmt::format("`{}` holds a blank", shown(t.name)),
           "files of atoms are read word by word: use letters, digits, _ and -");
}

/// Notes that `key` sets the box.
void set_box(const Section& s, const char* key, StartConfig& config) {
  config.box_key = key;
  config.box_at = s.location(key);
}

/// Fails at `key` with what `body` refuses.
template <class Body>
auto at_key(const Section& s, const char* key, const Body& body) {
  return at_place(s.location(key), body);
}

std::array<Boundary, 3> describe_boundaries(Section& s) {
  std::vector<std::string> words{"periodic", "periodic", "periodic"};
  s.optional("boundaries", words,
             {.doc = "along x, y and z: \"periodic\", or \"open\": atoms may leave, up to half a "
                     "box beyond either face",
              .min_size = 3,
              .max_size = 3});
  std::array<Boundary, 3> boundaries{};
  if (s.describing()) return boundaries;
  for (std::size_t a = 0; a < 3; ++a) {
    if (words[a] != "periodic" && words[a] != "open")
      s.fail("boundaries", fmt::format("`{}` is no boundary", shown(words[a])),
             "write \"periodic\" or \"open\"");
    boundaries[a] = words[a] == "open" ? Boundary::open : Boundary::periodic;
  }
  return boundaries;
}

std::int32_t type_named(const Section& s, const char* key, const StartConfig& config,
                        const std::string& name) {
  return static_cast<std::int32_t>(place_of_type(s, key, name, config.type_names()));
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

/// The run's index of each type of a file; types of the file that the configuration does not name
/// are added, unless no atom is of them (-1), and masses that it does not give are taken over.
std::vector<std::int32_t> match_types(const AtomSystem& system, StartConfig& config) {
  std::vector<std::string> labels;
  for (const AtomType& t : system.types) labels.push_back(t.label);
  for (const TypeConfig& t : config.types)
    if (std::find(labels.begin(), labels.end(), t.label()) == labels.end())
      throw ConfigError(
          t.where, fmt::format("{} has no type `{}`", system.file, shown(t.label())),
          fmt::format("{} (in_file = \"…\" in a [[type]] says which of them has another name here)",
                      suggest_known(t.label(), labels, "the types of the file are")));
  std::vector<std::int32_t> index;
  for (const AtomType& t : system.types) {
    const auto named = std::find_if(config.types.begin(), config.types.end(),
                                    [&](const TypeConfig& c) { return c.label() == t.label; });
    auto found = static_cast<Index>(named - config.types.begin());
    if (named == config.types.end()) {
      if (t.is_unused) {
        index.push_back(-1);
        continue;
      }
      found = static_cast<Index>(config.types.size());
      config.types.push_back({t.label, t.mass, 0, config.box_at});
      config.types.back().origin =
          t.line > 0 ? fmt::format("{}:{}", system.file, t.line) : system.file;
    }
    TypeConfig& type = config.types[static_cast<std::size_t>(found)];
    if (!(type.mass > 0)) type.mass = t.mass;
    index.push_back(static_cast<std::int32_t>(found));
  }
  return index;
}

/// A file's coefficients by the types of the run; those of bonds are by types of bonds.
std::vector<CoefficientSection> coefficients_of(const AtomSystem& system,
                                                const std::vector<std::int32_t>& types) {
  std::vector<CoefficientSection> sections = system.coefficients;
  for (CoefficientSection& section : sections) {
    if (!section.name.starts_with("Pair")) continue;
    for (CoefficientLine& line : section.lines)
      for (std::int32_t& type : line.types) type = types[static_cast<std::size_t>(type)];
    std::erase_if(section.lines, [](const CoefficientLine& line) {
      return std::any_of(line.types.begin(), line.types.end(), [](auto t) { return t < 0; });
    });
  }
  return sections;
}

/// "1000 atoms of run.h5md, with 950 bonds".
std::string summary_of(const AtomSystem& system) {
  const Topology& t = system.topology;
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* name) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, count == 1 ? name : plural(name)));
  };
  add(t.bonds.size(), "bond"), add(t.angles.size(), "angle"), add(t.dihedrals.size(), "dihedral");
  const std::string atoms = fmt::format("{} atoms of {}", system.atoms.size(), system.file);
  return parts.empty() ? atoms : fmt::format("{}, with {}", atoms, fmt::join(parts, ", "));
}

void take_system(const Section& s, AtomSystem system, StartConfig& config) {
  set_box(s, s.has("replicate") ? "replicate" : "file", config);
  config.summary = summary_of(system);
  config.file = system.file;
  config.bonded = system.bonded;
  const auto types = match_types(system, config);
  config.coefficients = coefficients_of(system, types);
  const auto shared = std::make_shared<const AtomSystem>(std::move(system));
  config.make_system = [shared, types](std::uint64_t) { return start_from(*shared, types); };
}

void describe_data_file(Section& s, StartConfig& config) {
  std::string file;
  DataFileOptions options;
  s.required("file", file, {.doc = "a LAMMPS data file"});
  s.optional("style", options.style, data_style_words(),
             {.doc = "columns of its section Atoms; from_file: as its comment or their number "
                     "says"});
  std::vector<Index> copies{1, 1, 1};
  s.optional("replicate", copies,
             {.doc = "copies of the file's system beside each other along its box vectors",
              .minimum = 1,
              .min_size = 3,
              .max_size = 3});
  options.boundaries = describe_boundaries(s);
  if (s.describing()) return;
  const InputFile& input = s.input_file("file", file);
  config.input_path = input.path;
  AtomSystem system = at_key(s, "file", [&] { return read_data_file(input.text, file, options); });
  if (copies != std::vector<Index>{1, 1, 1})
    system = at_key(s, "replicate", [&] {
      return replicate(system, {copies[0], copies[1], copies[2]});
    });
  take_system(s, std::move(system), config);
}

Index describe_frame(Section& s) {
  Index frame = -1;
  s.optional("frame", frame, {.doc = "which frame, from 0 on; -1: the last one", .minimum = -1});
  return frame;
}

void describe_xyz(Section& s, StartConfig& config) {
  std::string file;
  s.required("file", file, {.doc = "an extended XYZ file, with Lattice"});
  const Index frame = describe_frame(s);
  if (s.describing()) return;
  const InputFile& input = s.input_file("file", file);
  config.input_path = input.path;
  const XyzOptions options{frame, config.units};
  take_system(s, at_key(s, "file", [&] { return read_extended_xyz(input.text, file, options); }),
              config);
}

void describe_h5md(Section& s, StartConfig& config) {
  std::string file, group;
  bool connectivity = true;
  s.required("file", file, {.doc = "an H5MD file; all ranks must see it"});
  s.optional("group", group, {.doc = "of particles; by default the one that has positions"});
  s.optional("connectivity", connectivity,
             {.doc = "whether to take the file's bonds, angles and dihedrals: files of gsim's have "
                     "their parameters, too, for those of other programs give [bonded]; false: "
                     "atoms without bonds"});
  const Index frame = describe_frame(s);
  if (s.describing()) return;
  const std::string path = s.input_hdf5("file", file);
  config.input_path = path;
  config.is_h5md = true;
  AtomSystem system = at_key(s, "file", [&] {
    return read_h5md(path, {frame, group, config.units, connectivity});
  });
  config.input_digest = digest_of(system);
  take_system(s, std::move(system), config);
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
        throw ConfigError(config.types[t].where,
                          fmt::format("two types have the name `{}`", shown(config.types[t].name)),
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
                        shown(config.types[u].name), shown(type.name), shown(type.label())),
            "give each its own in_file");
  }
  for (const TypeConfig& t : config.types)
    if (!(t.mass > 0) && !top.has("eam"))  // which knows masses
      fail_without_mass(t);
}

void fail_without_mass(const TypeConfig& t) {
  if (!t.origin.empty())
    throw ConfigError(t.where,
                      fmt::format("{}: the type `{}` has no mass", t.origin, shown(t.name)),
                      fmt::format("add a [[type]] with name = \"{}\" and its mass, or correct the "
                                  "file",
                                  shown(t.name)));
  throw ConfigError(
      t.where, fmt::format("type `{}` has no mass", shown(t.name)),
      fmt::format("add to its [[type]], the one with name = \"{}\": mass = …", shown(t.name)));
}

}  // namespace gsim::md
