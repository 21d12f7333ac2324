#include "src/modules/md/trajectories/trajectory_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view formats[] = {"h5md", "xyz", "dump"};
constexpr std::string_view precisions[] = {"float32", "float64"};

void read_quantities(Section& s, TrajectoryConfig& c) {
  std::vector<std::string> names = {"position", "image"};
  s.optional("quantities", names,
             {.doc = "of each atom and frame: position (always), image (crossings of the periodic "
                     "boundaries), velocity, force",
              .min_size = 1});
  if (s.describing()) return;
  c.velocity = c.image = c.force = false;
  bool has_position = false;
  for (const std::string& name : names) {
    bool* const wanted = name == "position"   ? &has_position
                         : name == "image"    ? &c.image
                         : name == "velocity" ? &c.velocity
                         : name == "force"    ? &c.force
                                              : nullptr;
    if (wanted == nullptr) {
      const std::vector<std::string> known = {"position", "image", "velocity", "force"};
      const std::string near = did_you_mean(name, known);
      s.fail("quantities", fmt::format("there is no quantity `{}`", excerpt(name)),
             near.empty() ? "choose from position, image, velocity, force"
                          : fmt::format("did you mean `{}`?", near));
    }
    if (*wanted) s.fail("quantities", fmt::format("`{}` stands twice", name), "name it once");
    *wanted = true;
  }
  if (!has_position) s.fail("quantities", "a trajectory without positions", "add \"position\"");
}

void describe_trajectory(Section& s, const std::vector<std::string>& types, TrajectoryConfig& c) {
  s.optional(
      "format", c.format, formats,
      {.doc = "h5md: H5MD 1.1, for MDAnalysis and h5py; xyz: extended XYZ for ASE and OVITO, "
              "energy, forces and momenta in ASE's units; dump: LAMMPS dump text"});
  s.required("every", c.steps.every, {.doc = "steps between frames", .minimum = 1});
  s.optional("from", c.steps.from, {.doc = "first step that may be a frame", .minimum = 0});
  s.optional("file", c.file,
             {.doc = "name of the file; by default that of the result file with .h5md, .xyz or "
                     ".dump in place of .h5"});
  read_quantities(s, c);
  s.optional("precision", c.precision, precisions,
             {.doc = "of positions, velocities and forces in the file; a run that is to start from "
                     "a frame needs float64 and velocities"});
  s.optional("types", c.types, {.doc = "only atoms of these types; by default all atoms"});
  s.optional("thermo", c.thermo,
             {.doc = "h5md: also temperature, energies, pressure and volume of each frame, as "
                     "observables"});
  s.optional("author", c.author, {.doc = "h5md: name of the person who ran it"});
  if (s.describing()) return;
  c.where = s.location("file");
  c.types_at = s.location("types");
  c.from_at = s.location("from");
  check_types(s, c.types, types);
  if (c.thermo && c.format != TrajectoryFormat::h5md)
    s.fail("thermo", "only format = \"h5md\" has a place for it", "leave it out");
}

}  // namespace

std::string TrajectoryConfig::path(const std::string& output) const {
  return file.empty() ? fmt::format("{}.{}", output, formats[static_cast<std::size_t>(format)])
                      : file;
}

void describe_trajectories(Section& top, const std::vector<std::string>& types,
                           std::vector<TrajectoryConfig>& list) {
  std::vector<std::string> paths;
  top.tables(
      "trajectory", [&](Index n) { list.assign(static_cast<std::size_t>(n), {}); },
      [&](Section& s, Index i) {
        TrajectoryConfig& c = list[static_cast<std::size_t>(i)];
        describe_trajectory(s, types, c);
        if (s.describing()) return;
        const std::string path = c.path("");
        if (std::find(paths.begin(), paths.end(), path) != paths.end())
          s.fail(c.file.empty() ? "format" : "file", "two trajectories write the same file",
                 "give one of them another `file`");
        paths.push_back(path);
      },
      "files that snapshots of the atoms are written to");
}

}  // namespace gsim::md
