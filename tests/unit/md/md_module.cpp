// The whole module: from a configuration to results, interrupted and not, on several ranks.

#include "src/modules/md/md_module.hpp"

#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/io/memory_datasets.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

std::string melt(int cells, int steps) {
  return "[md]\nsteps = " + std::to_string(steps) +
         "\ntime_step = 0.005\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\nkind = \"lattice\"\n"
         "lattice = \"fcc\"\ndensity = 0.8442\ntemperature = 1.44\ncells = [" +
         std::to_string(cells) + ", " + std::to_string(cells) + ", " + std::to_string(cells) +
         "]\n[thermo]\nevery = 10\n";
}

/// What a run leaves: its last state, its results and digest.
struct Outcome {
  MemoryDatasets::Contents state, results;
  std::uint64_t digest = 0;
  std::vector<std::string> notes;
};

/// The steps from the state `from` (or from the start) to `last`, in slices of `slice` steps.
Outcome run(const std::string& text, int ranks, Index first, Index last, Index slice,
            const MemoryDatasets::Contents* from = nullptr, int threads = 1) {
  Outcome outcome;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    MdModule module;
    file.read([&](Section& top) { module.configure(top); });
    Context context{comm, Executor::host(threads)};
    context.seed = 7;
    const WorkPlan plan = module.plan(context);
    if (from == nullptr) {
      module.prepare();
    } else {
      MemoryDatasets reader(comm, *from);
      module.restore(reader);
    }
    for (Index n = first; n < last; n += slice) module.advance(n, std::min(slice, last - n));
    REQUIRE(module.health() == "");
    module.evaluate(last);
    MemoryDatasets state(comm), results(comm);
    module.save(state);
    module.write_results(results);
    const std::uint64_t digest = module.digest();
    const std::lock_guard guard(lock);
    if (!comm.is_root()) return;
    outcome = {state.contents(), results.contents(), digest, plan.notes};
  });
  return outcome;
}

}  // namespace

TEST_CASE("module: any slices, ranks, threads and restarts leave the same state and results") {
  const std::string text = melt(5, 60);
  const Outcome whole = run(text, 1, 0, 60, 60);
  const auto& thermo = whole.results.datasets;
  REQUIRE(thermo.at("thermo/step").shape.rows == 7);
  for (const int ranks : {1, 2, 3, 5}) {
    CAPTURE(ranks);
    const Outcome other = run(text, ranks, 0, 60, 17, nullptr, ranks == 2 ? 3 : 1);
    CHECK(other.digest == whole.digest);
    CHECK(other.state == whole.state);
    CHECK(other.results == whole.results);
    const Outcome half = run(text, ranks, 0, 23, 23);
    const Outcome rest = run(text, ranks % 3 + 1, 23, 60, 100, &half.state);
    CHECK(rest.digest == whole.digest);
    CHECK(rest.state == whole.state);
    CHECK(rest.results == whole.results);
  }
}

TEST_CASE("module: the lattice's first row is the crystal's, and energy is kept") {
  const Outcome out = run(melt(6, 50), 2, 0, 50, 50);
  const auto column = [&](const char* name) {
    const auto& d = out.results.datasets.at(std::string("thermo/") + name);
    std::vector<double> values(static_cast<std::size_t>(d.shape.rows));
    std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
    return values;
  };
  const double n = 4 * 6 * 6 * 6;
  // LAMMPS's melt at step 0 (bench/log.lj): -6.7733681 an atom, exact sum of the lattice.
  CHECK(column("potential_energy").front() / n ==
        doctest::Approx(-6.773368053252957).epsilon(1e-6));
  CHECK(column("temperature").front() == doctest::Approx(1.44).epsilon(1e-9));
  // Pressure of the same step: -5.0197073 at N = 32,000; the kinetic part has (N - 1) / N.
  const double kinetic = 0.8442 * 1.44;
  CHECK(column("pressure").front() - kinetic * (n - 1) / n ==
        doctest::Approx(-5.0197073 - kinetic * 31999 / 32000).epsilon(1e-6));
  CHECK(column("total_energy").back() / n ==
        doctest::Approx(column("total_energy").front() / n).epsilon(2e-3));
}
