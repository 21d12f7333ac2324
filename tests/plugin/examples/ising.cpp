// Compares the Ising model with a plain loop over single spins and with exact results.

#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "blocking.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/random/stream.hpp"
#include "ising_module.hpp"
#include "support/folder_contents.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::test;
using ising::IsingModule;

namespace {

std::string config(const std::string& sites, double temperature, Index sweeps, Index discard,
                   const std::string& more = "") {
  return fmt::format("[ising]\nsites = {}\ntemperature = {:.17g}\nsweeps = {}\ndiscard = {}\n{}\n",
                     sites, temperature, sweeps, discard, more);
}

/// The reference: a lattice of single spins, updated one by one.
class PlainLattice {
 public:
  PlainLattice(const std::array<Index, 3>& sites, int dimensions, double temperature)
      : n_(sites), dimensions_(dimensions), up_(static_cast<std::size_t>(n_[0] * n_[1] * n_[2])) {
    for (int m = 1; m <= dimensions; ++m)
      probability_[m] =
          static_cast<std::uint64_t>(std::floor(std::exp(-4.0 * m / temperature) * 0x1p32));
    for (Index site = 0; site < static_cast<Index>(up_.size()); ++site) {
      const Index x = site % n_[0], y = site / n_[0] % n_[1], z = site / n_[0] / n_[1];
      const auto w = philox_block(stream_key({7, ising::start_purpose}), word(x, y, z), 0, 0);
      const bool is_colour_0 = (x + y + z) % 2 == 0;
      up_[static_cast<std::size_t>(site)] =
          bit(is_colour_0 ? w.x0 : w.x2, is_colour_0 ? w.x1 : w.x3, x);
    }
  }
  void update(int colour, std::uint64_t step) {
    for (Index z = 0; z < n_[2]; ++z)
      for (Index y = 0; y < n_[1]; ++y)
        for (Index x = 0; x < n_[0]; ++x)
          if ((x + y + z) % 2 == colour) update(x, y, z, step);
  }
  /// Number of nearest neighbours of a site with the same spin.
  int aligned(Index x, Index y, Index z) const {
    const bool s = at(x, y, z);
    int count = (at(x - 1, y, z) == s) + (at(x + 1, y, z) == s) + (at(x, y - 1, z) == s) +
                (at(x, y + 1, z) == s);
    if (dimensions_ == 3) count += (at(x, y, z - 1) == s) + (at(x, y, z + 1) == s);
    return count;
  }
  bool at(Index x, Index y, Index z) const {
    const auto wrap = [](Index i, Index n) { return (i + n) % n; };
    return up_[static_cast<std::size_t>(wrap(x, n_[0]) +
                                        n_[0] * (wrap(y, n_[1]) + n_[1] * wrap(z, n_[2])))];
  }

 private:
  /// Number of the word of 128 sites, 64 of either colour, that holds site (x, y, z).
  std::uint64_t word(Index x, Index y, Index z) const {
    return static_cast<std::uint64_t>((z * n_[1] + y) * (n_[0] / 128) + x / 128);
  }
  /// The bit of site x in the word of 64 sites of its colour, given as two halves of 32 bits.
  static bool bit(std::uint64_t high, std::uint64_t low, Index x) {
    const Index b = x % 128 / 2;
    return (b < 32 ? low >> b : high >> (b - 32)) & 1u;
  }
  void update(Index x, Index y, Index z, std::uint64_t step) {
    // the energy that a flip costs, in units of 4 J
    const int energy_cost = aligned(x, y, z) - dimensions_;
    bool flips = energy_cost <= 0;
    if (!flips) {
      std::uint64_t u = 0;  // 32 binary digits
      for (std::uint32_t block = 0; block < 16; ++block) {
        const auto w =
            philox_block(stream_key({7, ising::update_purpose}), word(x, y, z), step, block);
        u = u << 1 | (bit(w.x0, w.x1, x) ? 1u : 0u);
        u = u << 1 | (bit(w.x2, w.x3, x) ? 1u : 0u);
      }
      flips = u < probability_[energy_cost];
    }
    if (flips) {
      const auto i = static_cast<std::size_t>(x + n_[0] * (y + n_[1] * z));
      up_[i] = !up_[i];
    }
  }

  std::array<Index, 3> n_;
  int dimensions_;
  std::vector<bool> up_;
  std::uint64_t probability_[4] = {};
};

/// Energy per site of the infinite square lattice (Onsager 1944), in J, at inverse temperature b.
double onsager_energy(double b) {
  const double pi = 3.14159265358979323846;
  const double k = 2 * std::sinh(2 * b) / (std::cosh(2 * b) * std::cosh(2 * b));
  const double t = std::tanh(2 * b);
  return -(1 + 2 / pi * (2 * t * t - 1) * std::comp_ellint_1(k)) / t;
}
/// Spontaneous magnetisation of the infinite square lattice (Yang 1952).
double yang_magnetisation(double b) { return std::pow(1 - std::pow(std::sinh(2 * b), -4), 0.125); }

struct MeanAndError {
  double mean, error;
};
/// Estimate k of a run: 0 is the energy per site, 1 the absolute magnetisation per site.
MeanAndError estimate(const Outcome& o, std::size_t k) {
  return {o.numbers("estimates/mean")[k], o.numbers("estimates/standard_error")[k]};
}

}  // namespace

TEST_CASE("ising: multi-spin updates equal a loop over single spins") {
  struct Lattice {
    std::array<Index, 3> sites;
    int dimensions;
    double temperature;
  };
  for (const Lattice& l : {Lattice{{128, 4, 1}, 2, 2.2}, Lattice{{1152, 6, 1}, 2, 3.5},
                           Lattice{{128, 4, 6}, 3, 4.4}, Lattice{{640, 2, 2}, 3, 9.0}}) {
    const Index sweeps = 5;
    std::string sites = fmt::format("[{}, {}", l.sites[0], l.sites[1]);
    sites += l.dimensions == 3 ? fmt::format(", {}]", l.sites[2]) : "]";
    const Outcome o = run<IsingModule>(
        config(sites, l.temperature, sweeps, 0, "start = \"random\""), 1, 0, sweeps, sweeps);
    PlainLattice plain(l.sites, l.dimensions, l.temperature);
    const auto energy = o.numbers("series/energy"), magnet = o.numbers("series/magnetisation");
    const auto n = static_cast<double>(l.sites[0] * l.sites[1] * l.sites[2]);
    for (Index sweep = 0; sweep < sweeps; ++sweep) {
      for (int colour = 0; colour < 2; ++colour)
        plain.update(colour, static_cast<std::uint64_t>(2 * sweep + colour));
      // The energy of a site in J is half of the number of its opposite neighbours minus half of
      // the number of its aligned ones, since the sum over sites counts each pair twice.
      double e = 0, m = 0;
      for (Index z = 0; z < l.sites[2]; ++z)
        for (Index y = 0; y < l.sites[1]; ++y)
          for (Index x = 0; x < l.sites[0]; ++x) {
            e -= plain.aligned(x, y, z) - l.dimensions;
            m += plain.at(x, y, z) ? 1 : -1;
          }
      CHECK(energy[static_cast<std::size_t>(sweep)] == doctest::Approx(e / n).epsilon(1e-13));
      CHECK(magnet[static_cast<std::size_t>(sweep)] == doctest::Approx(m / n).epsilon(1e-13));
    }
    // Compare every spin, not only the sums.
    int differing = 0;
    for (int colour = 0; colour < 2; ++colour) {
      const auto& words = o.state.datasets.at(colour == 0 ? "ising/colour_0" : "ising/colour_1");
      for (Index z = 0; z < l.sites[2]; ++z)
        for (Index y = 0; y < l.sites[1]; ++y)
          for (Index x = 0; x < l.sites[0]; ++x) {
            if ((x + y + z) % 2 != colour) continue;
            std::uint64_t word = 0;
            const Index row = (z * l.sites[1] + y) * (l.sites[0] / 128) + x / 128;
            std::memcpy(&word, words.bytes.data() + 8 * row, 8);
            differing += ((word >> (x % 128 / 2) & 1u) != 0) != plain.at(x, y, z);
          }
    }
    CHECK(differing == 0);
  }
}

TEST_CASE("ising: energy and magnetisation of the square lattice are Onsager's and Yang's") {
  // Correlation lengths are a few sites, so that finite-size effects of the lattice of 256 x 256
  // are negligible.
  for (const double t : {1.8, 2.1, 3.0}) {
    const Outcome o = run<IsingModule>(config("[256, 256]", t, 12000, 2000, "measure_every = 4"), 1,
                                       0, 12000, 12000, nullptr, 2);
    const MeanAndError energy = estimate(o, 0), magnet = estimate(o, 1);
    INFO("T = " << t << ": energy " << energy.mean << " +- " << energy.error << ", |m| "
                << magnet.mean << " +- " << magnet.error);
    CHECK(energy.error < 4e-4);
    CHECK(std::abs(energy.mean - onsager_energy(1 / t)) < 4 * energy.error);
    if (t < 2.269)  // below the critical temperature
      CHECK(std::abs(magnet.mean - yang_magnetisation(1 / t)) < 4 * magnet.error);
  }
}

TEST_CASE("ising: magnetisation of the cubic lattice equals its low-temperature series") {
  // Guttmann and Enting, J. Phys. A 26 (1993) 807, table 1: powers of u = exp(-4 / T).
  constexpr double series[] = {1, 0, 0, -2, 0, -12, 14, -90, 192, -792, 2148, -7716, 23262, -79512};
  for (const double t : {2.0, 2.2}) {
    double expected = 0;
    for (std::size_t k = std::size(series); k-- > 0;)
      expected = expected * std::exp(-4 / t) + series[k];
    const Outcome o =
        run<IsingModule>(config("[128, 32, 32]", t, 2000, 200), 1, 0, 2000, 2000, nullptr, 2);
    const MeanAndError magnet = estimate(o, 1);
    INFO("T = " << t << ": |m| " << magnet.mean << " +- " << magnet.error << ", series "
                << expected);
    CHECK(magnet.error < 2e-5);
    CHECK(std::abs(magnet.mean - expected) < 4 * magnet.error);
  }
}

TEST_CASE("ising: the same bits on any number of ranks and threads, and when resumed") {
  for (const char* sites : {"[256, 6]", "[1152, 10]", "[128, 4, 6]", "[384, 2, 4]"}) {
    const std::string text = config(sites, 3.0, 9, 2, "start = \"random\"");
    const Outcome whole = run<IsingModule>(text, 1, 0, 9, 9);
    for (const int ranks : {2, 7})
      check_outcome_is_reproduced<IsingModule>(text, whole, ranks, 9, 2, 4);
  }
}

TEST_CASE("ising: VTKHDF files contain every spin, on any number of ranks, and when resumed") {
  const ScratchFolder folder;
  for (const std::array<Index, 3>& n : {std::array<Index, 3>{384, 6, 1}, {128, 4, 6}}) {
    const int dimensions = n[2] > 1 ? 3 : 2;
    std::string sites = fmt::format("[{}, {}", n[0], n[1]);
    sites += dimensions == 3 ? fmt::format(", {}]", n[2]) : "]";
    const auto config_for = [&](const std::string& name) {
      return config(sites, 3.0, 6, 0, "start = \"random\"") +
             fmt::format("[pictures]\nevery = 2\nfile = \"{}\"\n", folder / name);
    };
    const std::string name = fmt::format("whole{}.vtkhdf", dimensions);
    run<IsingModule>(config_for(name), 1, 0, 6, 6);
    ResultReader file(Communicator::self(), folder / name);
    const std::string array = "VTKHDF/CellData/spin";
    CHECK(file.extents(array) == std::vector<Index>{4, n[2], n[1], n[0]});
    CHECK(file.read<double>("VTKHDF/Steps/Values") == std::vector<double>{0, 2, 4, 6});
    const auto spins = file.read<std::int32_t>(array);
    PlainLattice plain(n, dimensions, 3.0);
    int differing = 0;
    std::size_t next = 0;
    for (std::uint64_t half_sweep = 0; half_sweep < 14; ++half_sweep) {
      if (half_sweep % 4 == 0)  // every second sweep
        for (Index z = 0; z < n[2]; ++z)
          for (Index y = 0; y < n[1]; ++y)
            for (Index x = 0; x < n[0]; ++x)
              differing += spins[next++] != (plain.at(x, y, z) ? 1 : -1);
      if (half_sweep < 12) plain.update(static_cast<int>(half_sweep % 2), half_sweep);
    }
    CHECK(next == spins.size());
    CHECK(differing == 0);
    const std::string whole = bytes_of(folder / name);
    for (const int ranks : {2, 3, 7}) {
      const std::string other = fmt::format("{}of{}.vtkhdf", dimensions, ranks);
      const Outcome half = run<IsingModule>(config_for(other), ranks, 0, 3, 2);
      run<IsingModule>(config_for(other), ranks % 3 + 1, 3, 6, 3, &half.state);
      CHECK(bytes_of(folder / other) == whole);
    }
  }
}

TEST_CASE("ising: the standard error of a first-order autoregressive series is correct") {
  // x_(i+1) = r x_i + noise has the variance 1 / (1 - r^2), and the mean of n values the error
  // sqrt((1 + r) / (1 - r) / (1 - r^2) / n).
  const double r = 0.9;
  const Index n = 1 << 16;
  double x = 0;
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) {
    const auto w =
        philox_block(stream_key({3, Purpose::test}), static_cast<std::uint64_t>(i), 0, 0);
    double noise = 0;  // the sum of 4 uniforms; times sqrt(3) its variance is 1
    for (const std::uint64_t word : {w.x0, w.x1, w.x2, w.x3})
      noise += static_cast<double>(static_cast<std::uint32_t>(word)) * 0x1p-32 - 0.5;
    x = r * x + std::sqrt(3.0) * noise;
    values.push_back(x);
  }
  const ising::BlockedMean blocked = ising::blocked_mean(values);
  const double expected = std::sqrt((1 + r) / (1 - r) / (1 - r * r) / static_cast<double>(n));
  CHECK(blocked.standard_error > 0.9 * expected);
  CHECK(blocked.standard_error <
        1.4 * expected);  // the module reports the largest of the errors at several block sizes
  CHECK(std::abs(blocked.mean) < 4 * expected);
  CHECK(ising::blocked_mean(std::vector<double>{1.0}).standard_error ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("ising: invalid parameters are errors") {
  CHECK(config_error_message<IsingModule>(config("[128, 4]", 2, 10, 0)) == "");
  CHECK(config_error_message<IsingModule>(config("[100, 4]", 2, 10, 0)).find("multiple of 128") !=
        std::string::npos);
  CHECK(config_error_message<IsingModule>(config("[128, 5]", 2, 10, 0)).find("even number") !=
        std::string::npos);
  CHECK(config_error_message<IsingModule>(config("[128, 4]", 2, 10, 10))
            .find("nothing is measured") != std::string::npos);
}
