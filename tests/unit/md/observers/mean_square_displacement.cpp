// Mean-square displacements and velocity autocorrelations of free flight, random walks and an
// Ornstein-Uhlenbeck process, compared with exact values and direct averages; several ranks and
// restarts.

#include "src/modules/md/observers/mean_square_displacement.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/md/observers/velocity_autocorrelation.hpp"
#include "tests/unit/md/observers/observed_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Frame = std::vector<ObservedAtom>;
using Part = MeanSquareDisplacement::Part;

/// Three standard normal numbers, selected by entity and step.
Vector3 normals_of(std::uint64_t entity, std::uint64_t step) {
  const auto z = normals<double, Strict>(
      philox_block(stream_key({771, Purpose::md_start_velocity}), entity, step, 0));
  return {z[0], z[1], z[2]};
}

const std::vector<double> masses = {1, 2.5};

/// Atoms of two types at `time` of a free flight that started at random positions with random
/// velocities. They cross the box several times.
Frame free_flight(const Box& box, Index atoms, double time, double speed) {
  Frame frame;
  for (Index i = 0; i < atoms; ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    const Vector3 start = normals_of(k, 1), v = normals_of(k, 2);
    ObservedAtom atom = atom_at(box,
                                {start[0] + speed * (v[0] + 0.5) * time,
                                 start[1] + speed * v[1] * time, start[2] + speed * v[2] * time},
                                static_cast<std::int32_t>(i % 3 == 0));
    atom.velocity = {speed * (v[0] + 0.5), speed * v[1], speed * v[2]};
    frame.push_back(atom);
  }
  return frame;
}

/// Mean of (a_i - A) (b_i - B) over the atoms of type `report`, or over all atoms if `report` is 2.
/// A and B are mass-weighted means over all atoms.
double covariance(const Frame& atoms, Index report, const std::function<double(std::size_t)>& a,
                  const std::function<double(std::size_t)>& b) {
  double mass = 0, mean_a = 0, mean_b = 0, sum = 0, n = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double m = masses[static_cast<std::size_t>(atoms[i].type)];
    mass += m;
    mean_a += m * a(i);
    mean_b += m * b(i);
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (report < 2 && atoms[i].type != report) continue;
    sum += (a(i) - mean_a / mass) * (b(i) - mean_b / mass);
    n += 1;
  }
  return sum / n;
}

template <class Observer>
std::uint64_t observe(int ranks, const Box& box, const std::vector<Frame>& frames, int threads,
                      const std::function<Observer(ObservedSystem&)>& make,
                      const std::function<void(const Observer&)>& check) {
  std::uint64_t digest = 0;
  run_in_process(ranks, [&](Communicator comm) {
    ObservedSystem system(comm, box, frames[0], masses, threads);
    Observer observer = make(system);
    system.start(frames[0]);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      system.update(frames[k]);
      observer.observe(system.snapshot(observer.next(static_cast<Index>(4 * k))));
    }
    if (comm.is_root()) {
      check(observer);
      digest = observer.digest();
    }
  });
  return digest;
}

/// The observers sample every 4 steps from step 0; a plan is {lags, levels, origins}.
MeanSquareDisplacement make_msd(ObservedSystem& system, OriginPlan plan) {
  return {"msd", {4, 0}, {plan, {}}, system.setup, system.particles};
}
VelocityAutocorrelation make_vacf(ObservedSystem& system, Index lags, Index origins) {
  return {"vacf", {4, 0}, {lags, origins, {}}, system.setup, system.particles};
}

}  // namespace

TEST_CASE(
    "mean square displacement: free flight is exact in boxes of any shape and on any number of "
    "ranks") {
  using B = Boundary;
  const std::array<Box, 3> boxes = {
      Box({-3, 1, 2}, {1, 1.5, 2}), Box({0, 0, 0}, {2, 1, 1.5}, {1, -0.5, 0.5}),
      Box({-1000, -1, -1}, {2000, 1.5, 2}, {}, {B::open, B::periodic, B::periodic})};
  for (const Box& box : boxes) {
    std::vector<Frame> frames;
    for (int k = 0; k < 40; ++k) frames.push_back(free_flight(box, 50, 2 * k, 1.0));
    std::uint64_t reference_digest = 0;
    for (const int ranks : {1, 2, 3, 5}) {
      CAPTURE(ranks);
      const auto digest = observe<MeanSquareDisplacement>(
          ranks, box, frames, ranks % 2 + 1,
          [](ObservedSystem& s) {
            return make_msd(s, {6, 2, 2});
          },
          [&](const MeanSquareDisplacement& msd) {
            REQUIRE(msd.reported_groups().size() == 3);
            for (Index r = 0; r < 3; ++r)
              for (Index level = 0; level < 2; ++level)
                for (Index lag = 1; lag <= 6; ++lag)
                  for (std::size_t a = 0; a < 3; ++a) {
                    const auto v = [&](std::size_t i) { return frames[0][i].velocity[a]; };
                    const double t = msd.time(level, lag);
                    CHECK(t ==
                          doctest::Approx(2.0 * static_cast<double>(lag) * (level == 0 ? 1 : 6)));
                    const BlockedMean value = msd.displacement(r, level, lag, static_cast<Part>(a));
                    CHECK(value.mean ==
                          doctest::Approx(covariance(frames[0], r, v, v) * t * t).epsilon(1e-9));
                    CHECK(value.count == (level == 0 ? 12 : 1));
                  }
          });
      if (reference_digest == 0) reference_digest = digest;
      CHECK(digest == reference_digest);
    }
  }
}

TEST_CASE("mean square displacement: averages over time origins agree with direct averages") {
  // With three lags and three time origins at once, every sample is a time origin.
  const Box box({0, 0, 0}, {3, 3, 3});
  std::vector<Frame> frames;
  std::vector<std::vector<Vector3>> points;
  for (int k = 0; k < 30; ++k) {
    Frame frame;
    points.emplace_back();
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Vector3 z = normals_of(i, static_cast<std::uint64_t>(k) + 50);
      const Vector3 p = {5 * z[0], 5 * z[1] + k, 5 * z[2]};
      points.back().push_back(p);
      frame.push_back(atom_at(box, p, static_cast<std::int32_t>(i % 2)));
    }
    frames.push_back(frame);
  }
  observe<MeanSquareDisplacement>(
      2, box, frames, 1,
      [](ObservedSystem& s) {
        return make_msd(s, {3, 1, 3});
      },
      [&](const MeanSquareDisplacement& msd) {
        for (Index r = 0; r < 3; ++r) {
          double slope_mean = 0;
          for (Index lag = 1; lag <= 3; ++lag) {
            double mean = 0;
            for (std::size_t t0 = 0; t0 < 27; ++t0)
              for (std::size_t a = 0; a < 3; ++a) {
                const auto displacement = [&](std::size_t i) {
                  return points[t0 + static_cast<std::size_t>(lag)][i][a] - points[t0][i][a];
                };
                mean += covariance(frames[0], r, displacement, displacement) / 27;
              }
            const BlockedMean value = msd.displacement(r, 0, lag);
            CHECK(value.count == 27);
            CHECK(value.mean == doctest::Approx(mean).epsilon(1e-12));
            // Least squares through lags 1, 2, 3 at times 2, 4, 6: (y3 - y1) / 4.
            slope_mean += (lag == 3 ? 1 : lag == 1 ? -1 : 0) * mean / 4;
          }
          CHECK(msd.diffusion(r, 0).mean == doctest::Approx(slope_mean / 6).epsilon(1e-12));
        }
      });
}

TEST_CASE(
    "mean square displacement: the diffusion coefficient of a random walk agrees within its "
    "standard error") {
  const Box box({0, 0, 0}, {3, 4, 5});
  constexpr Index atoms = 40;
  std::vector<Frame> frames;
  std::vector<Vector3> position(atoms);
  for (std::uint64_t k = 0; k < 1000; ++k) {
    Frame frame;
    for (std::size_t i = 0; i < atoms; ++i) {
      const Vector3 z = normals_of(i, k + 1000);
      for (std::size_t a = 0; a < 3; ++a) position[i][a] += (a == 2 ? 2.0 : 1.0) * z[a];
      frame.push_back(atom_at(box, position[i]));
    }
    frames.push_back(frame);
  }
  observe<MeanSquareDisplacement>(
      1, box, frames, 2,
      [](ObservedSystem& s) {
        return make_msd(s, {4, 2, 2});
      },
      [&](const MeanSquareDisplacement& msd) {
        // Displacements are relative to the centre of mass, which reduces their mean square by the
        // factor 1 - 1 / atoms. Samples are 2 time units apart.
        const double centre_of_mass_factor = 1 - 1.0 / atoms;
        const auto check_near = [](const BlockedMean& value, double exact, double relative) {
          REQUIRE(value.has_error());
          CHECK(std::abs(value.mean - exact) < 4 * value.standard_error);
          CHECK(value.standard_error < relative * exact);
        };
        for (Index level = 0; level < 2; ++level) {
          check_near(msd.diffusion(0, level), centre_of_mass_factor * (1 + 1 + 4) / 6 / 2, 0.1);
          check_near(msd.diffusion(0, level, Part::z), centre_of_mass_factor * 4 / 2 / 2, 0.15);
          for (Index lag = 1; lag <= 4; ++lag)
            check_near(msd.displacement(0, level, lag, Part::x),
                       centre_of_mass_factor * static_cast<double>(lag) * (level == 0 ? 1 : 4),
                       0.1);
        }
        const auto estimates = msd.estimates();
        REQUIRE(estimates.size() == 1);
        CHECK(estimates[0].name == "msd.diffusion.A");
        CHECK(estimates[0].mean == msd.diffusion(0, 1).mean);
        CHECK(estimates[0].remark == "slope from t = 16 to 32");
      });
}

TEST_CASE(
    "velocity autocorrelation: an Ornstein-Uhlenbeck process has its exact correlation and "
    "diffusion coefficient") {
  const Box box({0, 0, 0}, {3, 4, 5});
  constexpr Index atoms = 40;
  constexpr double phi = 0.6;
  std::vector<Frame> frames;
  Frame frame(atoms);
  for (std::uint64_t k = 0; k < 1500; ++k) {
    for (std::size_t i = 0; i < atoms; ++i) {
      const Vector3 z = normals_of(i, k + 5000);
      for (std::size_t a = 0; a < 3; ++a)
        frame[i].velocity[a] =
            k == 0 ? z[a] : phi * frame[i].velocity[a] + std::sqrt(1 - phi * phi) * z[a];
      frame[i].position.x[0] = (i + 1) << 58;
    }
    frames.push_back(frame);
  }
  std::uint64_t reference_digest = 0;
  for (const int ranks : {1, 3}) {
    const auto digest = observe<VelocityAutocorrelation>(
        ranks, box, frames, 2, [](ObservedSystem& s) { return make_vacf(s, 12, 3); },
        [&](const VelocityAutocorrelation& vacf) {
          const double centre_of_mass_factor = 1 - 1.0 / atoms;
          double power = 1, integral = 0;
          for (Index lag = 0; lag <= 12; ++lag) {
            CAPTURE(lag);
            if (lag > 0) {
              integral += centre_of_mass_factor * 2 * 0.5 * (power + power * phi);
              power *= phi;
            }
            const BlockedMean c = vacf.correlation(0, lag), d = vacf.diffusion(0, lag);
            CHECK(c.count == (1500 - 12) / 4);  // a time origin every 12 / 3 samples
            REQUIRE(c.has_error());
            CHECK(std::abs(c.mean - 3 * centre_of_mass_factor * power) < 4 * c.standard_error);
            CHECK(c.standard_error < 0.05);
            CHECK(std::abs(d.mean - integral) <= 4 * d.standard_error);
            CHECK(d.standard_error < 0.05 * integral + 1e-300);
          }
          const auto estimates = vacf.estimates();
          REQUIRE(estimates.size() == 1);
          CHECK(estimates[0].name == "vacf.diffusion.A");
          CHECK(estimates[0].remark.empty());
        });
    if (reference_digest == 0) reference_digest = digest;
    CHECK(digest == reference_digest);
  }
}

TEST_CASE(
    "velocity autocorrelation: averages by type relative to the centre of mass agree with direct "
    "averages") {
  const Box box({0, 0, 0}, {3, 3, 3});
  std::vector<Frame> frames;
  for (std::uint64_t k = 0; k < 21; ++k) {
    Frame frame = free_flight(box, 30, 0, 1);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      frame[i].velocity = normals_of(i, 90 + k);
      frame[i].velocity[1] += 3 + static_cast<double>(k);
    }
    frames.push_back(frame);
  }
  for (const int ranks : {1, 2, 5})
    observe<VelocityAutocorrelation>(
        ranks, box, frames, 1, [](ObservedSystem& s) { return make_vacf(s, 4, 2); },
        [&](const VelocityAutocorrelation& vacf) {
          for (Index r = 0; r < 3; ++r) {
            double integral = 0, previous = 0;
            for (Index lag = 0; lag <= 4; ++lag) {
              double mean = 0;
              for (std::size_t t0 = 0; t0 <= 16; t0 += 2)
                for (std::size_t a = 0; a < 3; ++a)
                  mean +=
                      covariance(
                          frames[0], r, [&](std::size_t i) { return frames[t0][i].velocity[a]; },
                          [&](std::size_t i) {
                            return frames[t0 + static_cast<std::size_t>(lag)][i].velocity[a];
                          }) /
                      9;
              if (lag > 0) integral += 0.5 * 2 * (previous + mean);
              previous = mean;
              CHECK(vacf.correlation(r, lag).count == 9);
              CHECK(vacf.correlation(r, lag).mean == doctest::Approx(mean).epsilon(1e-9));
              CHECK(vacf.diffusion(r, lag).mean == doctest::Approx(integral / 3).epsilon(1e-9));
            }
          }
        });
}

TEST_CASE(
    "mean square displacement, velocity autocorrelation: a run resumed on other ranks has the same "
    "bits") {
  const Box box({0, 0, 0}, {2, 3, 4});
  std::vector<Frame> frames;
  for (int k = 0; k < 24; ++k) frames.push_back(free_flight(box, 40, 0.1 * k * k, 0.7));
  struct State {
    MemoryDatasets::Contents contents;
    std::uint64_t msd = 0, vacf = 0;
  };
  const auto run = [&](int ranks, std::size_t first, std::size_t last, State& state) {
    run_in_process(ranks, [&](Communicator comm) {
      ObservedSystem system(comm, box, frames[0], masses);
      MeanSquareDisplacement msd = make_msd(system, {4, 2, 2});
      VelocityAutocorrelation vacf = make_vacf(system, 6, 3);
      system.start(frames[first == 0 ? 0 : first - 1]);
      if (first > 0) {
        MemoryDatasets memory(comm, state.contents);
        msd.restore(memory);
        vacf.restore(memory);
      }
      for (std::size_t k = first; k < last; ++k) {
        system.update(frames[k]);
        msd.observe(system.snapshot(static_cast<Index>(4 * k)));
        vacf.observe(system.snapshot(static_cast<Index>(4 * k)));
      }
      MemoryDatasets memory(comm), results(comm);
      msd.save(memory);
      vacf.save(memory);
      msd.write_results(results);
      vacf.write_results(results);
      if (!comm.is_root()) return;
      state = {memory.contents(), msd.digest(), vacf.digest()};
      CHECK(results.shape("observables/msd/displacement/msd_x_error").rows == 3 * 7);
      CHECK(results.shape("observables/msd/diffusion/windows").rows == 3 * 2);
      CHECK(results.shape("observables/vacf/diffusion_error").rows == 3 * 7);
    });
  };
  State uninterrupted;
  run(1, 0, frames.size(), uninterrupted);
  for (std::size_t restart_frame = 1; restart_frame < frames.size(); ++restart_frame) {
    CAPTURE(restart_frame);
    State state;
    run(3, 0, restart_frame, state);
    run(2, restart_frame, frames.size(), state);
    CHECK(state.msd == uninterrupted.msd);
    CHECK(state.vacf == uninterrupted.vacf);
    CHECK(state.contents ==
          uninterrupted.contents);  // including the state of atoms at time origins
  }
}

TEST_CASE(
    "mean square displacement, velocity autocorrelation: invalid plans and missed samples are "
    "errors") {
  const Box box({0, 0, 0}, {2, 3, 4});
  const Frame frame = free_flight(box, 4, 0, 1);
  ObservedSystem system(Communicator::self(), box, frame, masses);
  CHECK_THROWS_AS(make_msd(system, {1, 1, 1}), InputError);
  CHECK_THROWS_AS(make_msd(system, {10, 0, 1}), InputError);
  CHECK_THROWS_AS(make_msd(system, {10, 1, 3}), InputError);
  CHECK_THROWS_AS(make_msd(system, {10, 13, 1}), InputError);
  VelocityAutocorrelation vacf = make_vacf(system, 4, 1);
  system.start(frame);
  CHECK_THROWS_WITH_AS(vacf.observe(system.snapshot(8)), doctest::Contains("missed"), Error);
}
