// The embedded-atom method with full neighbour lists, which GPUs use and which run on the host
// here, gives the same integer forces and energies as with cluster pair lists, for every file
// format.

#include <string>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/eam_file.hpp"
#include "support/messages.hpp"
#include "support/test_executor.hpp"
#include "unit/md/many_body/eam_system.hpp"

using namespace gsim;
using namespace gsim::test;

namespace {

std::string lines(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += fmt::format("{:.17g}\n", x);
  return text;
}
std::string grid_line(const EamFile& f) {
  return fmt::format("{} {:.17g} {} {:.17g} {:.17g}\n", f.elements[0].embedding.size(), f.rho_step,
                     f.r_phi[0].size(), f.r_step, f.cutoff);
}

/// Both elements as a setfl or eam.fs file.
std::string setfl(const EamFile& file) {
  std::string text = "made\nup\n\n2 A B\n" + grid_line(file);
  for (const EamElement& e : file.elements) {
    text += "29 63.5 3.6 fcc\n" + lines(e.embedding);
    for (const auto& density : e.density) text += lines(density);
  }
  for (const auto& r_phi : file.r_phi) text += lines(r_phi);
  return text;
}
/// One element as a funcfl file. The effective charges Z follow from r phi = 27.2 x 0.529 Z^2.
std::string funcfl(const EamFile& file, std::size_t element) {
  std::vector<double> charge;
  for (const double z : file.pair(element, element)) charge.push_back(std::sqrt(z / 27.2 / 0.529));
  return "made up\n29 63.5 3.6 fcc\n" + grid_line(file) + lines(file.elements[element].embedding) +
         lines(charge) + lines(file.density(element, element));
}

EamTables tables_of_two_types(const EamFile& file) {
  return make_eam_tables(file, std::array<std::size_t, 2>{0, 1});
}
EamTables from_funcfl(bool has_two_types) {
  const EamFile file = alloy_file(false);
  const EamFile first = read_eam(EamFormat::funcfl, funcfl(file, 0), "first.eam");
  const EamFile second = read_eam(EamFormat::funcfl, funcfl(file, 1), "second.eam");
  if (has_two_types)
    return tables_of_two_types(merge_funcfl(std::array<EamFile, 2>{first, second}));
  return make_eam_tables(first, std::array<std::size_t, 2>{0, 0});
}

struct Potential {
  const char* name;
  EamTables tables;
};
std::vector<Potential> potentials() {
  const auto read = [](EamFormat format, bool fs) {
    return tables_of_two_types(read_eam(format, setfl(alloy_file(fs)), "both.eam"));
  };
  return {{"Sutton-Chen", copper()},
          {"funcfl", from_funcfl(false)},
          {"two funcfl", from_funcfl(true)},
          {"setfl", read(EamFormat::alloy, false)},
          {"eam.fs", read(EamFormat::fs, true)}};
}

constexpr std::array precisions = {PairPrecision::mixed, PairPrecision::float64};

}  // namespace

TEST_CASE(
    "full list eam: forces and energies equal those of cluster lists on every CPU level and any "
    "ranks") {
  for (const Potential& potential : potentials())
    for (const PairPrecision precision : precisions) {
      CAPTURE(potential.name);
      const Atoms atoms = crystal(tilted, 4, 0.25, 3);
      Options o;
      o.precision = precision;
      const Result expected = compute(atoms, potential.tables, on_host(o));
      CHECK(expected.sums.energy[0] != ExactSum());
      CHECK(expected.sums.energy[1] != ExactSum());
      o.full_lists = true;
      for (const Executor& executor : test_executors({1, 3})) {
        CAPTURE(executor.describe());
        Options other = o;
        other.executor = executor;
        CHECK(compute(atoms, potential.tables, other) == expected);
      }
      for (const int ranks : {1, 2, 3, 5}) {
        CAPTURE(ranks);
        Options other = o;
        other.ranks = ranks;
        other.shuffled = ranks % 2 == 0;
        CHECK(compute(atoms, potential.tables, other) == expected);
      }
    }
}

TEST_CASE(
    "full list eam: forces and energies equal those of cluster lists in open boxes and for any "
    "skin") {
  for (const PairPrecision precision : precisions)
    for (const Box* box : {&cube, &open_box}) {
      const Atoms atoms = crystal(*box, 4, 0.2, 3);
      Options o;
      o.precision = precision;
      const Result expected = compute(atoms, alloy(true), on_host(o));
      o.full_lists = true;
      for (const double skin : {0.0, 0.5, 1.0}) {
        o.skin = skin;
        CHECK(compute(atoms, alloy(true), o) == expected);
      }
    }
}

TEST_CASE("full list eam: an overlap is reported once, with the id of an atom") {
  for (const PairPrecision precision : precisions)
    for (const double distance : {0.9, 0.3, 0.0}) {
      Atoms atoms = crystal(cube, 4, 0.1);
      atoms.positions[100] = atoms.positions[7];
      atoms.positions[100].x[2] += static_cast<std::uint64_t>(distance / 14.44 * 0x1p64);
      run_in_process(1, [&](Communicator comm) {
        Options o;
        o.precision = precision;
        o.full_lists = true;
        Rank rank(comm, atoms, copper(), o);
        ShortRange& eam = rank.eam();
        eam.check();
        const auto step = [&] {
          eam.compute_locals(rank.context(true));
          eam.compute_ghosts(rank.context(true));
        };
        step();
        const std::string message = message_of<NumericalError>([&] { eam.check(); });
        CHECK(contains(message, "embedded atom 7 and another one are so near to each other"));
        eam.check();
        step();
        CHECK_THROWS_AS(eam.load_locals(rank.context(true)), NumericalError);
        CHECK(eam.load_locals(rank.context(true)));
      });
    }
}

TEST_CASE("full list eam: error messages use the atom ids of the input") {
  Atoms atoms = crystal(cube, 4, 0.1);
  atoms.positions[100] = atoms.positions[7];
  const Executor executor = test_executor();
  Particles particles(executor, {});
  const EamOptions options{.skin = 0.5, .id_of = [](Index id) { return 1000 + id; }};
  const auto eam = make_full_list_eam(executor, cube, copper(), options, particles);
  particles.store.make_locals({0, 256});
  particles.store.assign(particles.store.position(), atoms.positions);
  const Communicator comm = Communicator::self();
  const HaloPlan plan(comm);
  const ForceContext context{particles, cube, plan, comm, false};
  eam->rebuild(context);
  CHECK(eam->load_locals(context));
  eam->compute_locals(context);
  const std::string message = message_of<NumericalError>([&] { eam->check(); });
  CHECK(contains(message, "embedded atom 1007 and"));
}
