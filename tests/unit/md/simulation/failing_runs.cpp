// Runs whose state becomes invalid, whose box becomes too narrow, or whose atoms overlap at the
// start.

#include <string>

#include <fmt/format.h>

#include "support/messages.hpp"
#include "support/test_executor.hpp"
#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;

namespace {

/// Configuration of a Lennard-Jones liquid: `start` are the keys of [start], `keys` further tables.
std::string liquid_config(const std::string& start, const std::string& keys) {
  return "[md]\nsteps = 400\ntime_step = 0.004\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n" +
         start +
         "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
         "sigma = 1.0\n[thermo]\nevery = 10\n" +
         keys;
}

std::string lattice(double density, int cells) {
  return fmt::format(
      "kind = \"lattice\"\nlattice = \"fcc\"\ndensity = {}\ncells = [{}, {}, {}]\ntemperature = "
      "1.0\n",
      density, cells, cells, cells);
}

/// Tables of a thermostat and a barostat; `pressure` is a number or a table of a ramp.
std::string compression(const std::string& pressure) {
  return "[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\ntime = 0.1\n[barostat]\n"
         "kind = \"stochastic_cell_rescaling\"\ntime = 0.4\ncompressibility = 0.01\npressure = " +
         pressure + "\n";
}

/// Runs until the end or a fault; returns the messages of the ranks, one line each.
std::string fault_messages(const std::string& text, int ranks, Index slice) {
  std::string messages;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    MdModule module;
    configure(module, file);
    Context context{comm, gsim::test::test_executor(1)};
    context.seed = 7;
    const Index steps = module.plan(context).total_units;
    module.prepare();
    for (Index n = 0; n < steps && !comm.any(!module.health().empty()); n += slice)
      module.advance(n, std::min(slice, steps - n));
    const std::lock_guard guard(lock);
    if (!module.health().empty()) messages += module.health() + "\n";
  });
  return messages;
}

}  // namespace

TEST_CASE(
    "failing runs: a box too narrow for the skin continues with a smaller skin and the same bits") {
  // Cutoff and skin need a box at least 5.6 wide; with 256 atoms it is 6.68 wide at the start.
  const std::string text =
      liquid_config(lattice(0.86, 4), compression("{ start = 20.0, end = 150.0 }"));
  const Outcome uninterrupted = run(text, 1, 0, 400, 400);
  const double volume = uninterrupted.thermo("volume").back();
  CHECK(volume < 5.6 * 5.6 * 5.6);
  CHECK(volume > 5.0 * 5.0 * 5.0);
  for (const int ranks : {2, 3})
    check_outcome_is_reproduced(text, uninterrupted, ranks, 400, 90, 350);
}

TEST_CASE(
    "failing runs: a box too narrow for the cutoff ends the run with the step and a suggestion") {
  const std::string text =
      liquid_config(lattice(0.86, 4), compression("{ start = 20.0, end = 700.0 }"));
  const std::string messages = fault_messages(text, 1, 400);
  CHECK(contains(messages, "step "));
  CHECK(contains(messages, ": the box has shrunk to a width of 4.9"));
  CHECK(contains(messages, "start with more atoms"));
  CHECK(fault_messages(text, 2, 17) == messages + messages);
}

TEST_CASE("failing runs: an unstable barostat ends the run with the step and the reason") {
  std::string text = liquid_config(lattice(0.5, 5), compression("{ start = 1.0, end = 1000.0 }"));
  const std::string original_key = "compressibility = 0.01\n";
  text.replace(text.find(original_key), original_key.size(), "compressibility = 1.0\n");
  const std::string messages = fault_messages(text, 1, 400);
  CAPTURE(messages);
  CHECK(contains(messages, "step "));
  CHECK(contains(messages, ": the box would change by more than a tenth in one step"));
  CHECK(fault_messages(text, 3, 50) == messages + messages + messages);
  text = liquid_config(lattice(0.86, 4),
                       "[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\ntime = 0.1\n"
                       "[barostat]\nkind = \"mtk\"\ntime = 0.05\npressure = -5000.0\n");
  const std::string mtk_message = fault_messages(text, 2, 400);
  CAPTURE(mtk_message);
  CHECK(contains(mtk_message, ": the barostat would make the box"));
}

TEST_CASE("failing runs: a lost atom is reported with the step at which it left") {
  const std::string text = liquid_config(
      "kind = \"random\"\natoms = [60]\nlengths = [9.0, 9.0, 9.0]\ndistance = 0.9\n"
      "boundaries = [\"open\", \"open\", \"open\"]\ntemperature = 5.0\n",
      "");
  const std::string messages = fault_messages(text, 1, 1);
  REQUIRE(contains(messages, " has left through an open face"));
  for (const int ranks : {1, 2, 3})
    for (const Index slice : {7, 400}) {
      const std::string other_messages = fault_messages(text, ranks, slice);
      CHECK(other_messages.substr(0, other_messages.find(':')) ==
            messages.substr(0, messages.find(':')));
    }
}

TEST_CASE("failing runs: a minimiser that has not converged is reported") {
  const std::string keys =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n";
  const auto footer_after = [&](Index steps) {
    const Outcome out =
        run(liquid_config(lattice(0.9, 4) + "shift = [0.1, 0.0, 0.0]\n", keys), 2, 0, steps, steps);
    return out.report.footer;
  };
  // A perfect lattice is at a minimum.
  for (const std::string& line : footer_after(400))
    CHECK_FALSE(contains(line, "has not converged"));
  const std::string start = "kind = \"random\"\natoms = [256]\ndensity = 0.8\ndistance = 0.85\n";
  const Outcome out = run(liquid_config(start, keys), 2, 0, 50, 50);
  const auto& footer = out.report.footer;
  CHECK(std::any_of(footer.begin(), footer.end(), [](const std::string& line) {
    return contains(line, "the minimiser has not converged in 50 steps");
  }));
}

TEST_CASE("failing runs: a minimiser reports its final state for any interval of thermo rows") {
  const std::string keys =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 0.5\nmax_displacement = 0.1\n";
  std::string text =
      liquid_config("kind = \"random\"\natoms = [256]\ndensity = 0.8\ndistance = 0.85\n", keys);
  const Outcome every_10_steps = run(text, 1, 0, 400, 50);
  const std::string every = "every = 10\n";
  text.replace(text.find(every), every.size(), "every = 100000\n");
  for (const int ranks : {1, 2, 3}) {
    const Outcome only_ends = run(text, ranks, 0, 400, 50);
    for (const char* column : {"potential_energy", "max_force", "pressure"}) {
      CAPTURE(column);
      REQUIRE(only_ends.thermo(column).size() == 2);  // the initial and the final state
      CHECK(only_ends.thermo(column).front() == every_10_steps.thermo(column).front());
      CHECK(only_ends.thermo(column).back() == every_10_steps.thermo(column).back());
    }
    CHECK(only_ends.thermo("max_force").back() <= 0.5);
    const auto& footer = only_ends.report.footer;
    CHECK(std::any_of(footer.begin(), footer.end(), [](const std::string& line) {
      return contains(
          line, "the minimiser has converged by step 400: the force on every atom is at most 0.5");
    }));
  }
}

TEST_CASE("failing runs: overlapping atoms are pushed apart") {
  const std::string random = "kind = \"random\"\natoms = [256]\ndensity = 0.8\n";
  const std::string minimise =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-4\nmax_displacement = 0.1\n";
  SUBCASE("by the minimiser") {
    for (const char* distance : {"", "distance = 0.3\n"}) {
      const std::string text = liquid_config(random + distance, minimise);
      const Outcome uninterrupted = run(text, 1, 0, 400, 400);
      CHECK(uninterrupted.thermo("potential_energy").back() < -5 * 256);
      for (const int ranks : {2, 3})
        CHECK(run(text, ranks, 0, 400, 90).digest == uninterrupted.digest);
    }
  }
  SUBCASE("between chains that cross each other") {
    const std::string text =
        "[md]\nsteps = 400\ntime_step = 0.005\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n"
        "kind = \"chains\"\nlayout = \"random_walk\"\nchains = 12\nlength = 40\n"
        "density = 0.85\n[bonded]\nexclude = [\"1-2\"]\n[[bonded.bonds]]\nname = \"1\"\n"
        "kind = \"fene\"\nk = 30.0\nr0 = 1.5\nepsilon = 1.0\nsigma = 1.0\n"
        "[pair]\n[[pair.potential]]\nkind = \"wca\"\nepsilon = 1.0\nsigma = 1.0\n"
        "[thermo]\nevery = 10\n" +
        minimise;
    const Outcome uninterrupted = run(text, 1, 0, 400, 400);
    CHECK(uninterrupted.thermo("max_force").back() < 20);
    // A FENE bond has an energy of about 20 epsilon at its minimum. The pair energy is less than
    // one epsilon per atom (480 atoms).
    CHECK(uninterrupted.thermo("pair_energy").back() < 480);
    for (const int ranks : {2, 3})
      CHECK(run(text, ranks, 0, 400, 90).digest == uninterrupted.digest);
  }
  SUBCASE("before dynamics, with [push_off]") {
    const std::string text = liquid_config(random + "temperature = 1.0\n", "[push_off]\n");
    const Outcome uninterrupted = run(text, 1, 0, 100, 100);
    CHECK(uninterrupted.thermo("potential_energy").front() < 0);
    check_outcome_is_reproduced(text, uninterrupted, 3, 100, 30, 50);
    CHECK(contains(fault_messages(liquid_config(random + "temperature = 1.0\n", ""), 1, 10),
                   "overlap"));
  }
}
