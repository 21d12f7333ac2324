#include "src/modules/md/trajectories/trajectory_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/output_keys.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view formats[] = {"h5md", "xyz", "dump"};
constexpr std::string_view precisions[] = {"float32", "float64"};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void validate_quantities(const TrajectoryConfig& c) {
  const std::vector<std::string> known = {"position", "image", "velocity", "force"};
  for (std::size_t i = 0; i < c.quantities.size(); ++i) {
    const std::string& name = c.quantities[i];
    if (!contains(known, name)) {
      const std::string suggestion = did_you_mean(name, known);
      c.keys.fail("quantities", fmt::format("there is no quantity `{}`", excerpt(name)),
                  suggestion.empty() ? "choose from position, image, velocity, force"
                                     : fmt::format("did you mean `{}`?", suggestion));
    }
    if (std::find(c.quantities.begin(), c.quantities.begin() + static_cast<Index>(i), name) !=
        c.quantities.begin() + static_cast<Index>(i))
      c.keys.fail("quantities", fmt::format("`{}` is given twice", name), "name it once");
  }
  if (!contains(c.quantities, "position"))
    c.keys.fail("quantities", "a trajectory without positions", "add \"position\"");
}

void describe_trajectory(Section& s, TrajectoryConfig& c) {
  s.optional(
      "format", c.format, formats,
      {.doc = "h5md: H5MD 1.1, for MDAnalysis and h5py; xyz: extended XYZ for ASE and OVITO, "
              "energy, forces and momenta in ASE's units; dump: LAMMPS dump text"});
  s.required("every", c.steps.every, {.doc = "steps between frames", .minimum = 1});
  s.optional("from", c.steps.from, {.doc = "first step that is written", .minimum = 0});
  optional_output(s, "file", c.file,
                  "name of the file; by default that of the result file with .h5md, .xyz or .dump "
                  "in place of .h5");
  s.optional("quantities", c.quantities,
             {.doc = "quantities of each atom: position (required), image (image flags of periodic "
                     "boundaries), velocity, force",
              .min_size = 1});
  s.optional("precision", c.precision, precisions,
             {.doc = "precision of positions, velocities and forces in the file; continuing from a "
                     "frame needs float64 and velocities"});
  s.optional("types", c.types,
             {.doc = "types of the atoms that are written; by default all atoms"});
  s.optional("thermo", c.thermo,
             {.doc = "h5md: write temperature, energies, pressure and volume of each frame as "
                     "observables"});
  s.optional("author", c.author, {.doc = "h5md: name of the author"});
  c.image = contains(c.quantities, "image");
  c.velocity = contains(c.quantities, "velocity");
  c.force = contains(c.quantities, "force");
  c.keys = s.locations();
}

}  // namespace

std::string TrajectoryConfig::path(const std::string& output) const {
  return file.empty() ? fmt::format("{}.{}", output, formats[static_cast<std::size_t>(format)])
                      : file;
}

void describe_trajectories(Section& top, std::vector<TrajectoryConfig>& list) {
  top.tables<TrajectoryConfig>("trajectory", list, describe_trajectory,
                               "trajectory files, to which snapshots of the atoms are written");
}

void validate_trajectories(std::span<const TrajectoryConfig> list,
                           const std::vector<std::string>& types) {
  std::vector<std::string> paths;
  for (const TrajectoryConfig& c : list) {
    validate_quantities(c);
    check_types(c.keys, c.types, types);
    if (c.thermo && c.format != TrajectoryFormat::h5md)
      c.keys.fail("thermo", "only format = \"h5md\" can store it", "leave it out");
    const std::string path = c.path("");
    if (contains(paths, path))
      c.keys.fail(c.file.empty() ? "format" : "file", "two trajectories write the same file",
                  "give one of them another `file`");
    paths.push_back(path);
  }
}

}  // namespace gsim::md
