#include "src/modules/md/setup/start_files.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/files/data_file.hpp"
#include "src/modules/md/files/extended_xyz.hpp"
#include "src/modules/md/files/h5md_file.hpp"
#include "src/modules/md/setup/replicate.hpp"
#include "src/modules/md/setup/start_keys.hpp"

namespace gsim::md {
namespace {

/// The run's index of each type of a file; types of the file that the configuration does not name
/// are added, or have index -1 if no atom has them, and masses that it does not give are copied.
std::vector<std::int32_t> match_types(const AtomSystem& system, StartConfig& config) {
  std::vector<std::string> labels;
  for (const AtomType& t : system.types) labels.push_back(t.label);
  for (const TypeConfig& t : config.types)
    if (std::find(labels.begin(), labels.end(), t.name_in_file()) == labels.end())
      throw ConfigError(
          t.where, fmt::format("{} has no type `{}`", system.file, excerpt(t.name_in_file())),
          fmt::format(
              "{} (if the file has another name for this type, set in_file in its [[type]])",
              suggest_known(t.name_in_file(), labels, "the types of the file are")));
  std::vector<std::int32_t> index;
  for (const AtomType& t : system.types) {
    const auto named =
        std::find_if(config.types.begin(), config.types.end(),
                     [&](const TypeConfig& c) { return c.name_in_file() == t.label; });
    auto found = static_cast<Index>(named - config.types.begin());
    if (named == config.types.end()) {
      if (t.is_unused) {
        index.push_back(-1);
        continue;
      }
      found = static_cast<Index>(config.types.size());
      config.types.push_back({t.label, t.mass, 0, config.box_location});
      config.types.back().origin =
          t.line > 0 ? fmt::format("{}:{}", system.file, t.line) : system.file;
    }
    TypeConfig& type = config.types[static_cast<std::size_t>(found)];
    if (!(type.mass > 0)) type.mass = t.mass;
    index.push_back(static_cast<std::int32_t>(found));
  }
  return index;
}

/// The coefficients of a file. The atom types of pair coefficients are converted to those of the
/// run; the type indices of bonded interactions are the same in both.
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

/// Sets all members of `config` that depend on the system in a file.
void take_system(const Section& s, AtomSystem system, StartConfig& config) {
  set_box_key(s, s.has("replicate") ? "replicate" : "file", config);
  config.summary = summary_of(system);
  config.file = system.file;
  config.bonded = system.bonded;
  const auto types = match_types(system, config);
  config.coefficients = coefficients_of(system, types);
  const auto shared = std::make_shared<const AtomSystem>(std::move(system));
  config.make_system = [shared, types](std::uint64_t) { return start_from(*shared, types); };
}

void describe_frame(Section& s, Index& frame) {
  s.optional("frame", frame,
             {.doc = "index of the frame, from 0; -1: the last one", .minimum = -1});
}

struct DataFileKeys {
  std::string file;
  DataStyle style = DataStyle::from_file;
  std::array<Index, 3> copies{1, 1, 1};
  BoundaryNames boundaries;
};

void describe_data_file(Section& s, DataFileKeys& k) {
  s.required("file", k.file, {.doc = "a LAMMPS data file"});
  s.optional("style", k.style, data_style_names(),
             {.doc = "atom style, which determines the columns of section Atoms; from_file: the "
                     "style in the section's comment, otherwise the style that has as many columns "
                     "as the section"});
  s.optional("replicate", k.copies,
             {.doc = "number of copies of the system along each of its box vectors", .minimum = 1});
  describe_boundaries(s, k.boundaries);
}

void read_data_file_start(const Section& s, const DataFileKeys& k, StartConfig& config) {
  const DataFileOptions options{k.style, boundaries_of(s, k.boundaries)};
  const InputFile& input = s.input_file("file", k.file);
  config.input_path = input.path;
  AtomSystem system =
      locate_errors_at_key(s, "file", [&] { return read_data_file(input.text, k.file, options); });
  if (k.copies != std::array<Index, 3>{1, 1, 1})
    system = locate_errors_at_key(s, "replicate", [&] { return replicate(system, k.copies); });
  take_system(s, std::move(system), config);
}

struct XyzKeys {
  std::string file;
  Index frame = -1;
};

void describe_xyz(Section& s, XyzKeys& k) {
  s.required("file", k.file, {.doc = "an extended XYZ file, with Lattice"});
  describe_frame(s, k.frame);
}

void read_xyz_start(const Section& s, const XyzKeys& k, StartConfig& config) {
  const InputFile& input = s.input_file("file", k.file);
  config.input_path = input.path;
  const XyzOptions options{k.frame, config.units};
  take_system(s,
              locate_errors_at_key(s, "file",
                                   [&] { return read_extended_xyz(input.text, k.file, options); }),
              config);
}

struct H5mdKeys {
  std::string file, group;
  bool connectivity = true;
  Index frame = -1;
};

void describe_h5md(Section& s, H5mdKeys& k) {
  s.required("file", k.file, {.doc = "H5MD file, which all ranks must be able to open"});
  s.optional("group", k.group,
             {.doc = "name of the particles group; by default the one that has positions"});
  s.optional("connectivity", k.connectivity,
             {.doc = "whether bonds, angles and dihedrals of the file are read; files of gsim "
                     "contain their parameters, files of other programs need [bonded]"});
  describe_frame(s, k.frame);
}

void read_h5md_start(const Section& s, const H5mdKeys& k, StartConfig& config) {
  const std::string path = s.input_hdf5("file", k.file);
  config.input_path = path;
  config.is_h5md = true;
  AtomSystem system = locate_errors_at_key(s, "file", [&] {
    return read_h5md(path, {k.frame, k.group, config.units, k.connectivity});
  });
  config.input_digest = digest_of(system);
  take_system(s, std::move(system), config);
}

}  // namespace

Section::Alternative data_file_start(StartConfig& config) {
  return start_kind("lammps_data", "a LAMMPS data file", describe_data_file, read_data_file_start,
                    config);
}
Section::Alternative xyz_start(StartConfig& config) {
  return start_kind("xyz", "a frame of an extended XYZ file", describe_xyz, read_xyz_start, config);
}
Section::Alternative h5md_start(StartConfig& config) {
  return start_kind("h5md", "a frame of an H5MD file", describe_h5md, read_h5md_start, config);
}

}  // namespace gsim::md
