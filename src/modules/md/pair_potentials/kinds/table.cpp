// Tabulated potentials: energies and forces from a file.

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "src/modules/md/pair_potentials/potential_kind.hpp"
#include "src/modules/md/pair_potentials/radial_function.hpp"
#include "src/modules/md/pair_potentials/truncation.hpp"

namespace gsim::md {
namespace {

std::shared_ptr<const RadialSamples> load_samples(const Section& s, const std::string& file,
                                                  const std::string& section) {
  return locate_errors(s.location("file"), [&] {
    return std::make_shared<RadialSamples>(
        read_radial_samples(s.input_file("file", file).text, file, section));
  });
}

void validate_samples(const Section& s, const RadialSamples& samples, double cutoff) {
  const double end = samples.r.back();
  if (cutoff > end * (1 + 1e-12))
    s.fail(s.has("cutoff") ? "cutoff" : "file",
           fmt::format("the cutoff {} lies beyond the table, which ends at {}", cutoff, end),
           fmt::format("set cutoff = {} here, or continue the table", end));
  if (cutoff <= samples.r.front())
    s.fail("file",
           fmt::format("the table begins at {}, beyond the cutoff {}", samples.r.front(), cutoff));
}

MakePairPotential describe_table(Section& s, double default_cutoff) {
  std::string file, section;
  PairPotential potential;
  s.required("file", file,
             {.doc = "file with three columns r, u and -du/dr, or in the format of LAMMPS's "
                     "pair_style table"});
  s.optional("section", section,
             {.doc = "name of the section in a LAMMPS file with more than one table"});
  describe_truncation(s, default_cutoff, potential);
  potential.kind = &potential_kind("table");
  return [file, section, potential](const Section& values) {
    validate_truncation(values, potential);
    PairPotential loaded = potential;
    loaded.samples = load_samples(values, file, section);
    validate_samples(values, *loaded.samples, potential.cutoff);
    return loaded;
  };
}

}  // namespace

void register_table(Registry& registry) {
  PotentialKind kind;
  kind.name = "table";
  kind.doc = "energies and forces from a file";
  kind.describe = describe_table;
  registry.extend(kind);
}

}  // namespace gsim::md
