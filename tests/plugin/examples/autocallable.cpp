// Compares the kernels of the autocallable note with a plain loop over the dates of each path.

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/pricing/payoff_kind.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "terms.hpp"

GSIM_DECLARE_PAYOFF(autocallable)

using namespace gsim;
using namespace gsim::pricing;

namespace {

constexpr Index dates = 5, underlyings = 3, paths = 256, records = 2 * dates;
constexpr double initial[underlyings] = {100, 40, 2500};

struct Note {
  double coupon_barrier = 0.7;
  bool memory = false;
  int missed = 0;  // coupons missed before the first date
  double knock_in = 0.6, strike = 1;

  static constexpr double notional = 10, coupon = 0.04;
  // Call levels by date, relative to the initial spots.
  static constexpr double call[dates] = {1.1, 1, 1, 0.95, 0.9};
  // Factors that compound a payment from its date to the last one.
  static constexpr double growth[dates] = {1.08, 1.06, 1.04, 1.02, 1};

  std::vector<double> numbers() const {
    std::vector<double> n(autocallable::shared_numbers);
    n[autocallable::notional] = notional;
    n[autocallable::coupon] = coupon;
    n[autocallable::coupon_barrier] = coupon_barrier;
    n[autocallable::memory] = memory ? 1 : 0;
    n[autocallable::missed] = missed;
    n[autocallable::knock_in] = knock_in;
    n[autocallable::inverse_strike] = 1 / strike;
    for (const double level : initial) n.push_back(1 / level);
    n.insert(n.end(), std::begin(call), std::end(call));
    return n;
  }

  /// The payments on a path of spots [date][underlying], compounded to the last payment date.
  double payment(const double (&spot)[dates][underlyings]) const {
    double sum = 0, level = 0;
    int missed_coupons = missed;
    for (Index i = 0; i < dates; ++i) {
      level = INFINITY;
      for (Index a = 0; a < underlyings; ++a) level = std::min(level, spot[i][a] / initial[a]);
      if (level >= coupon_barrier) {
        sum += growth[i] * notional * coupon * (1 + missed_coupons);
        missed_coupons = 0;
      } else if (memory) {
        ++missed_coupons;
      }
      if (level >= call[i]) return sum + growth[i] * notional;
    }
    return sum + notional * (level >= knock_in ? 1.0 : std::min(level / strike, 1.0));
  }
};

/// Random walks of all underlyings, volatile enough that paths cross every barrier.
struct Paths {
  double spot[paths][dates][underlyings];

  Paths() {
    for (Index p = 0; p < paths; ++p)
      for (Index a = 0; a < underlyings; ++a) {
        double spot_now = initial[a];
        for (Index i = 0; i < dates; ++i) {
          const auto u = uniforms<double>(
              philox_block(stream_key({3, Purpose::test}), static_cast<std::uint64_t>(p),
                           static_cast<std::uint64_t>(a), static_cast<std::uint32_t>(i)));
          spot_now *= 0.72 + 0.6 * u[0];
          spot[p][i][a] = spot_now;
        }
      }
  }
};

/// The samples that the kernel launcher computes at one CPU level. The note's dates are every
/// second record of the tile. If `antithetic`, path `s` of the second half of the paths is averaged
/// with path `s` of the first half.
template <class T>
std::vector<double> samples(const Note& note, const Paths& walks, Target level, bool antithetic,
                            bool fast) {
  std::vector<T> data(static_cast<std::size_t>(records * underlyings * paths), T(NAN));
  std::vector<std::int32_t> record, asset = {0, 1, 2};
  std::vector<AssetRows> rows(3);
  for (std::int32_t a = 0; a < 3; ++a) rows[static_cast<std::size_t>(a)].spot = a;
  for (Index i = 0; i < dates; ++i) {
    record.push_back(static_cast<std::int32_t>(2 * i + 1));
    for (Index a = 0; a < underlyings; ++a)
      for (Index p = 0; p < paths; ++p)
        data[static_cast<std::size_t>((record.back() * underlyings + a) * paths + p)] =
            static_cast<T>(walks.spot[p][i][a]);
  }
  const std::vector<double> exact = note.numbers();
  const std::vector<T> number(exact.begin(), exact.end());
  const std::vector<T> growth(std::begin(Note::growth), std::end(Note::growth));
  std::vector<T> values(paths);
  const Index count = antithetic ? paths / 2 : paths;
  std::vector<double> sample(static_cast<std::size_t>(count));
  PayoffJob<T> job{};
  job.terms = {number.data(), asset.data(), growth.data(), underlyings, dates};
  job.record = record.data();
  job.discount = 0.9;
  job.tile = {data.data(), paths, underlyings, rows.data()};
  job.samples = count;
  job.antithetic_offset = antithetic ? count : 0;
  job.values = values.data();
  job.sample = sample.data();
  const Executor executor = Executor::host(1, level);
  const PayoffLaunchers launch = GSIM_PAYOFF(autocallable);
  if constexpr (sizeof(T) == 8)
    (fast ? launch.f64_fast : launch.f64_strict)(executor, job);
  else
    (fast ? launch.f32_fast : launch.f32_strict)(executor, job);
  return sample;
}

template <class T>
void compare(const Note& note, double tolerance) {
  static const Paths walks;
  for (const Target level : available_cpu_targets())
    for (const bool antithetic : {false, true})
      for (const bool fast : {false, true}) {
        const auto computed = samples<T>(note, walks, level, antithetic, fast);
        const auto count = static_cast<Index>(computed.size());
        for (Index s = 0; s < count; ++s) {
          double expected = note.payment(walks.spot[s]);
          if (antithetic) expected = 0.5 * (expected + note.payment(walks.spot[s + count]));
          CHECK(computed[static_cast<std::size_t>(s)] ==
                doctest::Approx(0.9 * expected).epsilon(tolerance));
        }
      }
}

}  // namespace

TEST_CASE("autocallable: the payments of each path equal those of a plain loop over the dates") {
  for (const Note& note : {Note{}, Note{.memory = true}, Note{.memory = true, .missed = 2},
                           Note{.coupon_barrier = 0}, Note{.knock_in = 0.8, .strike = 0.7}}) {
    compare<double>(note, 1e-14);
    compare<float>(note, 1e-6);
  }
}

TEST_CASE("autocallable: the test's paths include early calls and losses") {
  const Paths walks;
  Index early_calls = 0, losses = 0;
  for (Index p = 0; p < paths; ++p) {
    const double payment = Note{}.payment(walks.spot[p]);
    losses += payment < Note::notional * 0.6;
    double worst = INFINITY;
    for (Index a = 0; a < underlyings; ++a)
      worst = std::min(worst, walks.spot[p][0][a] / initial[a]);
    early_calls += worst >= Note::call[0];
  }
  CHECK(early_calls > 5);
  CHECK(losses > 20);
  CHECK(losses < paths - 20);
}
