// Forecasts of memory are compared with the memory that lists and particles allocate.

#include "src/modules/md/setup/forecast.hpp"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/exec/array.hpp"
#include "src/modules/md/neighbour_lists/full_list.hpp"
#include "support/test_executor.hpp"
#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

std::string lattice_config(double cutoff, const std::string& precision) {
  return "[md]\nsteps = 0\ntime_step = 0.005\nskin = 0.3\nprecision = \"" + precision +
         "\"\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\nkind = \"lattice\"\nlattice = "
         "\"fcc\"\ndensity = 0.8442\ncells = [10, 10, 10]\n[pair]\ncutoff = " +
         std::to_string(cutoff) +
         "\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\nsigma = 1.0\n";
}

struct System {
  std::unique_ptr<StartSystem> start;
  explicit System(const std::string& text) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    MdConfig config;
    file.read([&](Section& top) { describe_md(top, config); });
    start = config.start.make_system(1);
  }
};

/// The memory in bytes of particles and full lists of the whole system, whose atoms are displaced
/// from lattice points.
template <class Real>
double allocated_bytes(const StartSystem& system, double cutoff, double skin) {
  const Executor executor = gsim::test::test_executor();
  Particles particles(executor, {});
  particles.store.resize_locals(system.atoms());
  auto positions = system.atoms_in({0, system.atoms()}).position;
  std::mt19937_64 random(1);
  for (auto& p : positions)
    for (auto& x : p.x)
      x +=
          random() >> 7;  // displacements up to 0.13, so that lists differ in length as in a liquid
  std::vector<std::int32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  particles.store.assign(particles.store.position(), positions);
  const Array<std::int32_t> device_order(executor, order);
  particles.store.permute(device_order.view());
  FullList<Real> list(executor, system.box(), cutoff, skin);
  list.rebuild({particles.positions(), particles.locals()}, nullptr);
  return static_cast<double>(particles.store.memory() + list.memory());
}

}  // namespace

TEST_CASE("forecast: the forecast memory is that of full lists and particles") {
  for (const double cutoff : {2.5, 4.0}) {
    const System mixed(lattice_config(cutoff, "mixed"));
    PairMemory pairs{
        .list_radius = cutoff + 0.3, .cutoff = cutoff, .full_lists = true, .on_device = true};
    const auto forecast_bytes = [&] {
      return forecast_run(*mixed.start, 1, pairs.list_radius, pairs, false).bytes_per_rank;
    };
    const double floats = allocated_bytes<float>(*mixed.start, cutoff, 0.3);
    CHECK(forecast_bytes() == doctest::Approx(floats).epsilon(0.2));
    pairs.mixed = false;
    const double doubles = allocated_bytes<double>(*mixed.start, cutoff, 0.3);
    CHECK(doubles > floats);
    CHECK(forecast_bytes() == doctest::Approx(doubles).epsilon(0.2));
  }
}

TEST_CASE("forecast: embedded-atom potentials, threads and ghosts need more memory") {
  const System system(lattice_config(2.5, "mixed"));
  PairMemory pairs{.list_radius = 2.8, .cutoff = 2.5};
  const auto forecast_bytes = [&](int ranks) {
    return forecast_run(*system.start, ranks, 2.8, pairs, false).bytes_per_rank;
  };
  for (const bool full_lists : {false, true}) {
    pairs.full_lists = pairs.on_device = full_lists;
    pairs.densities = 0;
    const double on_one_rank = forecast_bytes(1), on_four_ranks = forecast_bytes(4);
    CHECK(on_four_ranks < on_one_rank);
    CHECK(on_four_ranks > on_one_rank / 4);
    pairs.densities = 1;
    CHECK(forecast_bytes(1) > on_one_rank);
    CHECK(forecast_bytes(4) > on_four_ranks);
  }
  pairs.full_lists = pairs.on_device = false;
  const double one_thread = forecast_bytes(1);
  pairs.threads = 4;
  CHECK(forecast_bytes(1) > one_thread);
  const double one_density = forecast_bytes(1);
  pairs.densities = 2;
  CHECK(forecast_bytes(1) > one_density);
}

TEST_CASE("forecast: a forecast for 32e9 atoms does not allocate memory for them") {
  std::string text = lattice_config(2.5, "mixed");
  text.replace(text.find("[10, 10, 10]"), 12, "[2000, 2000, 2000]");
  const System system(text);
  const PairMemory pairs{.list_radius = 2.8, .cutoff = 2.5};
  const RunForecast forecast = forecast_run(*system.start, 1000, 2.8, pairs, true);
  CHECK(forecast.bytes_per_rank > 32e6 * 100);  // 32e9 atoms on 1000 ranks
  CHECK(forecast.bytes_per_rank < 32e6 * 10000);
  REQUIRE(forecast.notes.size() == 1);
  CHECK(forecast.notes[0].find("if atoms fill the box evenly") != std::string::npos);
}
