// Whole runs of a polymer melt on several ranks, with and without restarts.

#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "src/modules/md/md_module.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr const char* melt_config = R"(
[md]
steps = 200
time_step = 0.005
skin = 0.4
[[type]]
name = "bead"
mass = 1.0
[start]
kind = "chains"
chains = 50
length = 20
density = 0.85
angles = true
temperature = 1.0
[bonded]
[[bonded.bonds]]
name = "1"
kind = "fene"
k = 30.0
r0 = 1.5
)";
constexpr const char* fene_with_wca = R"(epsilon = 1.0
sigma = 1.0
[[bonded.angles]]
name = "1"
kind = "cosine"
k = 1.0
)";
constexpr const char* fene_without_wca = R"(
[[bonded.angles]]
name = "1"
kind = "cosine"
k = 1.0
)";

std::string polymer_config(const std::string& exclude, const char* bond) {
  std::string text = std::string(melt_config) + bond;
  text.replace(text.find("[bonded]\n"), 9, "[bonded]\nexclude = [" + exclude + "]\n");
  return text +
         "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
         "sigma = 1.0\n[thermo]\nevery = 20\n";
}

struct Outcome {
  MemoryDatasets::Contents state, results;
  std::uint64_t digest = 0;
};

/// Runs steps `first` to `last` from the state `initial_state`, or from the configured start if it
/// is null.
Outcome run(const std::string& text, int ranks, Index first, Index last,
            const MemoryDatasets::Contents* initial_state = nullptr, int threads = 1) {
  Outcome outcome;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    MdModule module;
    configure(module, file);
    Context context{comm, gsim::test::test_executor(threads)};
    context.seed = 7;
    (void)module.plan(context);
    if (initial_state == nullptr) {
      module.prepare();
    } else {
      MemoryDatasets reader(comm, *initial_state);
      module.restore(reader);
    }
    module.advance(first, last - first);
    CHECK(module.health() == "");
    MemoryDatasets state(comm), results(comm);
    module.save(state);
    module.write_results(results);
    const std::uint64_t digest = module.digest();
    const std::lock_guard guard(lock);
    if (comm.is_root()) outcome = {state.contents(), results.contents(), digest};
  });
  return outcome;
}

}  // namespace

TEST_CASE("polymer module: the same state and results on any ranks, threads and after a restart") {
  const std::string text = polymer_config("\"1-2\"", fene_with_wca);
  const Outcome uninterrupted = run(text, 1, 0, 200);
  REQUIRE(uninterrupted.results.datasets.at("thermo/step").shape.rows == 11);
  for (const int ranks : {1, 2, 3, 4, 5, 8}) {
    CAPTURE(ranks);
    const Outcome result = run(text, ranks, 0, 200, nullptr, ranks == 2 ? 3 : 1);
    CHECK(result.digest == uninterrupted.digest);
    CHECK(result.state == uninterrupted.state);
    CHECK(result.results == uninterrupted.results);
  }
  const Outcome first_part = run(text, 3, 0, 90);
  const Outcome second_part = run(text, 2, 90, 200, &first_part.state);
  CHECK(second_part.state == uninterrupted.state);
}

TEST_CASE("polymer module: a topology without [bonded], and bonds of unknown type, are refused") {
  const std::string text = polymer_config("\"1-2\"", fene_with_wca);
  CHECK_THROWS_AS(run(text.substr(0, text.find("[bonded]")), 1, 0, 1), InputError);
  std::string wrong_type = text;
  wrong_type.replace(wrong_type.find("name = \"1\""), 10, "name = \"2\"");
  CHECK_THROWS_AS(run(wrong_type, 1, 0, 1), InputError);
}

TEST_CASE("polymer module: repulsive cores of bonds replace the pair forces of excluded pairs") {
  // Bonds with a core and excluded pairs are compared with bonds without a core and with pair
  // forces. Within 2^(1/6), where all bonds are at the start, the core's energy is that of the pair
  // plus epsilon.
  const auto energy = [](const std::string& text, const char* name) {
    const Outcome o = run(text, 1, 0, 0);
    const auto& d = o.results.datasets.at(std::string("thermo/") + name + "_energy");
    double value = 0;
    std::memcpy(&value, d.bytes.data(), sizeof value);
    return value;
  };
  const std::string with_core_and_exclusions = polymer_config("\"1-2\"", fene_with_wca),
                    with_pair_forces = polymer_config("", fene_without_wca);
  const double pair_energy =
      energy(with_pair_forces, "pair") - energy(with_core_and_exclusions, "pair");
  const double core_energy =
      energy(with_core_and_exclusions, "bond") - energy(with_pair_forces, "bond");
  CHECK(energy(with_core_and_exclusions, "angle") == energy(with_pair_forces, "angle"));
  CHECK(core_energy > 0);
  CHECK(core_energy - pair_energy == doctest::Approx(950.0).epsilon(1e-5));  // 950 bonds
}
