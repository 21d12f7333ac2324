// Runs whose state becomes invalid, or whose box becomes too narrow for its lists.

#include <string>

#include <fmt/format.h>

#include "support/messages.hpp"
#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;

namespace {

std::string liquid(const std::string& start, const std::string& keys) {
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

std::string squeezed(const std::string& pressure) {
  return "[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\ntime = 0.1\n[barostat]\n"
         "kind = \"stochastic_cell_rescaling\"\ntime = 0.4\ncompressibility = 0.01\npressure = " +
         pressure + "\n";
}

/// Runs until the end or a fault; returns the messages of the ranks, one line each.
std::string fault_of(const std::string& text, int ranks, Index slice) {
  std::string words;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    MdModule module;
    configure(module, file);
    Context context{comm, Executor::host(1)};
    context.seed = 7;
    const Index steps = module.plan(context).total_units;
    module.prepare();
    for (Index n = 0; n < steps && !comm.any(!module.health().empty()); n += slice)
      module.advance(n, std::min(slice, steps - n));
    const std::lock_guard guard(lock);
    if (!module.health().empty()) words += module.health() + "\n";
  });
  return words;
}

}  // namespace

TEST_CASE("failing runs: a box too narrow for the skin continues with a smaller skin, same bits") {
  // Cutoff and skin need a box at least 5.6 wide; with 256 atoms it is 6.68 wide at the start.
  const std::string text = liquid(lattice(0.86, 4), squeezed("{ start = 20.0, end = 150.0 }"));
  const Outcome whole = run(text, 1, 0, 400, 400);
  const double volume = whole.thermo("volume").back();
  CHECK(volume < 5.6 * 5.6 * 5.6);
  CHECK(volume > 5.0 * 5.0 * 5.0);
  for (const int ranks : {2, 3}) check_same(text, whole, ranks, 400, 90, 350);
}

TEST_CASE("failing runs: a box too narrow for the cutoff ends the run with step and suggestion") {
  const std::string text = liquid(lattice(0.86, 4), squeezed("{ start = 20.0, end = 700.0 }"));
  const std::string words = fault_of(text, 1, 400);
  CHECK(contains(words, "step "));
  CHECK(contains(words, ": the box has shrunk to a width of 4.9"));
  CHECK(contains(words, "start with more atoms"));
  CHECK(fault_of(text, 2, 17) == words + words);
}

TEST_CASE("failing runs: an unstable barostat ends the run at its step") {
  std::string text = liquid(lattice(0.5, 5), squeezed("{ start = 1.0, end = 1000.0 }"));
  const std::string soft = "compressibility = 0.01\n";
  text.replace(text.find(soft), soft.size(), "compressibility = 1.0\n");
  const std::string words = fault_of(text, 1, 400);
  CAPTURE(words);
  CHECK(contains(words, "step "));
  CHECK(contains(words, ": the box would change by more than a tenth in one step"));
  CHECK(fault_of(text, 3, 50) == words + words + words);
  text = liquid(lattice(0.86, 4),
                "[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\ntime = 0.1\n"
                "[barostat]\nkind = \"mtk\"\ntime = 0.05\npressure = -5000.0\n");
  const std::string of_mtk = fault_of(text, 2, 400);
  CAPTURE(of_mtk);
  CHECK(contains(of_mtk, ": the barostat would make the box"));
}

TEST_CASE("failing runs: a lost atom is reported with the step at which it left") {
  const std::string text = liquid(
      "kind = \"random\"\natoms = [60]\nlengths = [9.0, 9.0, 9.0]\ndistance = 0.9\n"
      "boundaries = [\"open\", \"open\", \"open\"]\ntemperature = 5.0\n",
      "");
  const std::string words = fault_of(text, 1, 1);
  REQUIRE(contains(words, " has left through an open face"));
  for (const int ranks : {1, 2, 3})
    for (const Index slice : {7, 400}) {
      const std::string others = fault_of(text, ranks, slice);
      CHECK(others.substr(0, others.find(':')) == words.substr(0, words.find(':')));
    }
}

TEST_CASE("failing runs: a minimiser that has not converged is reported") {
  const std::string keys =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n";
  const auto remarks = [&](Index steps) {
    const Outcome out =
        run(liquid(lattice(0.9, 4) + "shift = [0.1, 0.0, 0.0]\n", keys), 2, 0, steps, steps);
    return out.report.footer;
  };
  // A perfect lattice is at a minimum.
  for (const std::string& line : remarks(400)) CHECK_FALSE(contains(line, "has not converged"));
  const std::string start = "kind = \"random\"\natoms = [256]\ndensity = 0.8\ndistance = 0.85\n";
  const Outcome out = run(liquid(start, keys), 2, 0, 50, 50);
  const auto& footer = out.report.footer;
  CHECK(std::any_of(footer.begin(), footer.end(), [](const std::string& line) {
    return contains(line, "the minimiser has not converged in 50 steps");
  }));
}

TEST_CASE("failing runs: a minimiser reports its final state at any interval of rows") {
  const std::string keys =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 0.5\nmax_displacement = 0.1\n";
  std::string text =
      liquid("kind = \"random\"\natoms = [256]\ndensity = 0.8\ndistance = 0.85\n", keys);
  const Outcome often = run(text, 1, 0, 400, 50);
  const std::string every = "every = 10\n";
  text.replace(text.find(every), every.size(), "every = 100000\n");
  for (const int ranks : {1, 2, 3}) {
    const Outcome seldom = run(text, ranks, 0, 400, 50);
    for (const char* column : {"potential_energy", "max_force", "pressure"}) {
      CAPTURE(column);
      REQUIRE(seldom.thermo(column).size() == 2);  // the initial and the final state
      CHECK(seldom.thermo(column).front() == often.thermo(column).front());
      CHECK(seldom.thermo(column).back() == often.thermo(column).back());
    }
    CHECK(seldom.thermo("max_force").back() <= 0.5);
    const auto& footer = seldom.report.footer;
    CHECK(std::any_of(footer.begin(), footer.end(), [](const std::string& line) {
      return contains(
          line, "the minimiser has converged by step 400: the force on every atom is at most 0.5");
    }));
  }
}

TEST_CASE("failing runs: overlaps are pushed apart") {
  const std::string random = "kind = \"random\"\natoms = [256]\ndensity = 0.8\n";
  const std::string minimise =
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-4\nmax_displacement = 0.1\n";
  SUBCASE("by a minimiser") {
    for (const char* distance : {"", "distance = 0.3\n"}) {
      const std::string text = liquid(random + distance, minimise);
      const Outcome whole = run(text, 1, 0, 400, 400);
      CHECK(whole.thermo("potential_energy").back() < -5 * 256);
      for (const int ranks : {2, 3}) CHECK(run(text, ranks, 0, 400, 90).digest == whole.digest);
    }
  }
  SUBCASE("of chains that cross each other") {
    const std::string text =
        "[md]\nsteps = 400\ntime_step = 0.005\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n"
        "kind = \"chains\"\nlayout = \"random_walk\"\nchains = 12\nlength = 40\n"
        "density = 0.85\n[bonded]\nexclude = [\"1-2\"]\n[[bonded.bonds]]\nname = \"1\"\n"
        "kind = \"fene\"\nk = 30.0\nr0 = 1.5\nepsilon = 1.0\nsigma = 1.0\n"
        "[pair]\n[[pair.potential]]\nkind = \"wca\"\nepsilon = 1.0\nsigma = 1.0\n"
        "[thermo]\nevery = 10\n" +
        minimise;
    const Outcome whole = run(text, 1, 0, 400, 400);
    CHECK(whole.thermo("max_force").back() < 20);
    // A FENE bond has an energy of about 20 epsilon at its minimum. The pair energy is less than
    // one epsilon per atom (480 atoms).
    CHECK(whole.thermo("pair_energy").back() < 480);
    for (const int ranks : {2, 3}) CHECK(run(text, ranks, 0, 400, 90).digest == whole.digest);
  }
  SUBCASE("before dynamics") {
    const std::string text = liquid(random + "temperature = 1.0\n", "[push_off]\n");
    const Outcome whole = run(text, 1, 0, 100, 100);
    CHECK(whole.thermo("potential_energy").front() < 0);
    check_same(text, whole, 3, 100, 30, 50);
    CHECK(contains(fault_of(liquid(random + "temperature = 1.0\n", ""), 1, 10), "overlap"));
  }
}
