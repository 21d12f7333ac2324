// The integration kernels: accuracy compared with closed forms and long double sums, image counts,
// time reversal, and the same bits for every target.

#include "kernels/md/integrators/integrate.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/domain/box.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "support/test_executor.hpp"

using namespace gsim;

namespace {

constexpr double quantum = 0x1p-36;  // of forces
/// Arbitrary kick factors of both types, whose products with forces are rounded.
constexpr std::array<double, 2> kick_factors{0x1.123p-46, 0x1.777p-47};

std::vector<Executor> executors() {
  std::vector<Executor> all;
  for (const Target level : available_cpu_targets())
    for (int threads : {1, 3}) all.push_back(Executor::host(threads, level));
  for (const CudaDevice& d : cuda_devices()) all.push_back(Executor::cuda(d.ordinal, 1));
  return all;
}

/// Particles of two types in host memory, with constant forces.
struct Particles {
  std::vector<FixedPosition> position;
  std::vector<std::int32_t> image, type;
  std::vector<double> velocity;
  std::vector<std::int64_t> force, id;

  Particles(const Box& box, Index count) {
    for (Index i = 0; i < count; ++i) {
      // Fractional parts of multiples of an irrational number fill the box evenly.
      const auto coordinate = [&](int a, double g) {
        return box.origin()[static_cast<std::size_t>(a)] +
               box.lengths()[static_cast<std::size_t>(a)] *
                   std::fmod(g * static_cast<double>(i + 1), 1.0);
      };
      ImageCount wraps{};
      position.push_back(box.to_fixed(
          {coordinate(0, 0.8191725), coordinate(1, 0.6710436), coordinate(2, 0.5497005)}, wraps));
      image.insert(image.end(), wraps.begin(), wraps.end());
      type.push_back(static_cast<std::int32_t>(i % 2));
      id.push_back(1000 - i);
      for (int a = 0; a < 3; ++a) {
        velocity.push_back(std::fmod(0.754877 * static_cast<double>(3 * i + a), 4.0) - 2.0);
        force.push_back((static_cast<std::int64_t>(3 * i + a) * 7919 % 2001 - 1000) << 26);
      }
    }
  }
};

/// The same particles in the memory of an executor. `by_type` is the kick factor of each type: half
/// the time step times the force quantum over the mass.
struct DeviceParticles {
  Executor executor;
  Array<FixedPosition> position;
  Array<std::int32_t> image, type;
  Array<double> velocity, factor;
  Array<std::int64_t> force, id;
  Array<md::Faults> faults;

  DeviceParticles(const Executor& e, const Particles& p, const std::array<double, 2>& by_type)
      : executor(e),
        position(e, p.position),
        image(e, p.image),
        type(e, p.type),
        velocity(e, p.velocity),
        factor(e, by_type),
        force(e, p.force),
        id(e, p.id),
        faults(e, std::vector<md::Faults>{{md::no_particle, md::no_particle}}) {}

  md::MovingParticles moving() {
    return {position.view(), image.view(), velocity.view(), force.view(), type.view(), id.view()};
  }
  md::KickArgs kick(int halves) { return {moving(), factor.view(), halves}; }
  void kick_drift(const Box& box, double step, int halves) {
    const auto m = box.matrix(64);
    md::KickDriftArgs args{kick(halves), {}, {}, faults.view().data};
    // The time step times the inverse of the box matrix, which is triangular.
    args.advance[0] = step / m[0];
    args.advance[1] = step / m[1];
    args.advance[2] = step / m[2];
    args.advance[3] = -step * m[3] / (m[0] * m[1]);
    args.advance[4] = step * (m[3] * m[5] - m[1] * m[4]) / (m[0] * m[1] * m[2]);
    args.advance[5] = -step * m[5] / (m[1] * m[2]);
    for (int a = 0; a < 3; ++a) args.periodic[a] = box.boundary(a) == Boundary::periodic;
    md_kick_drift(executor, args);
  }
};

const Box triclinic({0, 1, -2}, {8, 9, 10}, {3, -2, 4});
const Box open({0, 0, 0}, {8, 9, 10}, {}, {Boundary::open, Boundary::periodic, Boundary::open});

}  // namespace

TEST_CASE("integration: motion under a constant force agrees with the closed form") {
  const double step = 0.01;
  const std::array<double, 2> mass = {1.0, 4.0};
  for (const Box* box : {&triclinic, &open}) {
    const Particles start(*box, 257);
    DeviceParticles p(gsim::test::test_executor(1), start,
                      {0.5 * step * quantum / mass[0], 0.5 * step * quantum / mass[1]});
    constexpr int steps = 100;
    for (int n = 0; n < steps; ++n) {
      p.kick_drift(*box, step, n == 0 ? 1 : 2);
    }
    md_kick(p.executor, p.kick(1));
    const auto x = p.position.to_host();
    const auto image = p.image.to_host();
    const auto v = p.velocity.to_host();
    CHECK(p.faults.to_host()[0].too_fast == md::no_particle);
    CHECK(p.faults.to_host()[0].lost == md::no_particle);
    const double t = steps * step;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ImageCount image_now{}, image_before{};
      for (std::size_t a = 0; a < 3; ++a) {
        image_now[a] = image[3 * i + a];
        image_before[a] = start.image[3 * i + a];
      }
      const Vector3 to = box->to_cartesian(x[i], image_now);
      const Vector3 from = box->to_cartesian(start.position[i], image_before);
      for (std::size_t a = 0; a < 3; ++a) {
        const double acceleration = static_cast<double>(start.force[3 * i + a]) * quantum /
                                    mass[static_cast<std::size_t>(start.type[i])];
        const double v0 = start.velocity[3 * i + a];
        // Verlet is exact for a constant force, except for rounding.
        CHECK(to[a] - from[a] ==
              doctest::Approx(v0 * t + 0.5 * acceleration * t * t).epsilon(1e-11).scale(10));
        CHECK(v[3 * i + a] == doctest::Approx(v0 + acceleration * t).epsilon(1e-12).scale(10));
      }
    }
  }
}

TEST_CASE("integration: all targets give the same bits, with two half kicks fused or separate") {
  const Particles start(triclinic, 1000);
  std::vector<FixedPosition> expected;
  std::vector<double> velocity;
  for (const Executor& executor : executors())
    for (const bool fused : {true, false}) {
      DeviceParticles p(executor, start, kick_factors);
      for (int n = 0; n < 20; ++n) {
        p.kick_drift(triclinic, 0.0123, n > 0 && fused ? 2 : 1);
        if (!fused && n < 19) md_kick(executor, p.kick(1));
      }
      if (expected.empty()) {
        expected = p.position.to_host();
        velocity = p.velocity.to_host();
      }
      CHECK(p.position.to_host() == expected);
      CHECK(p.velocity.to_host() == velocity);
    }
}

TEST_CASE(
    "integration: the kernel for blocks of particles gives the same bits as the kernel for single "
    "ones") {
  const Box box({0, 1, -2}, {8, 9, 10});
  // A tilt so small that its product with any velocity is far below one unit of position. The
  // particles move as in the box without tilt, but the kernel for triclinic boxes moves them, which
  // handles one particle at a time.
  const Box slightly_tilted({0, 1, -2}, {8, 9, 10}, {1e-60, 0, 0});
  for (const Executor& executor : executors())
    for (const double step :
         {0.0123, 0.3}) {  // steps of about 2^55 and 2^60 units: many cross the boundaries
      const Particles start(box, 1003);
      DeviceParticles by_blocks(executor, start, kick_factors);
      DeviceParticles one_by_one(executor, start, kick_factors);
      for (int n = 0; n < 12; ++n) {
        by_blocks.kick_drift(box, step, n > 0 ? 2 : 1);
        one_by_one.kick_drift(slightly_tilted, step, n > 0 ? 2 : 1);
      }
      CHECK(by_blocks.position.to_host() == one_by_one.position.to_host());
      CHECK(by_blocks.velocity.to_host() == one_by_one.velocity.to_host());
      CHECK(by_blocks.image.to_host() == one_by_one.image.to_host());
      CHECK(by_blocks.image.to_host() != start.image);
    }
}

TEST_CASE("integration: reversing the time step restores the initial integer positions exactly") {
  Particles start(triclinic, 500);
  for (std::int64_t& f : start.force) f = 0;
  DeviceParticles p(gsim::test::test_executor(2), start, {1.0, 1.0});
  for (int n = 0; n < 100; ++n) p.kick_drift(triclinic, 0.37, 1);
  CHECK(p.position.to_host() != start.position);
  for (int n = 0; n < 100; ++n) p.kick_drift(triclinic, -0.37, 1);
  CHECK(p.position.to_host() == start.position);
  CHECK(p.image.to_host() == start.image);
}

TEST_CASE("integration: a particle that is too fast is reported and not moved") {
  Particles start(triclinic, 100);
  for (std::int64_t& f : start.force) f = 0;
  start.velocity[3 * 17 + 1] = std::numeric_limits<double>::quiet_NaN();
  start.velocity[3 * 40 + 2] = 1e5;
  start.velocity[3 * 41] = -std::numeric_limits<double>::infinity();
  for (const Executor& executor : executors()) {
    DeviceParticles p(executor, start, {1.0, 1.0});
    p.kick_drift(triclinic, 0.01, 1);
    CHECK(p.faults.to_host()[0].too_fast == 1000 - 41);  // the lowest id of the three
    const auto x = p.position.to_host();
    for (const std::size_t i : {17u, 40u, 41u}) CHECK(x[i] == start.position[i]);
    CHECK(x[0] != start.position[0]);
  }
}

TEST_CASE("integration: a particle that leaves an open box is reported and not moved") {
  Particles start(open, 100);
  for (std::int64_t& f : start.force) f = 0;
  for (double& v : start.velocity) v = 0;
  start.velocity[3 * 60] = -3.5;  // positions along an open axis are limited to 4 beyond the box
  start.velocity[3 * 70 + 1] = 100.0;  // a periodic axis of length 9
  DeviceParticles p(gsim::test::test_executor(1), start, {1.0, 1.0});
  const double distance_to_range = 4.0 + open.to_cartesian(start.position[60])[0];
  const int steps_inside = static_cast<int>(distance_to_range / 3.5);
  for (int n = 0; n < steps_inside; ++n) p.kick_drift(open, 1.0, 1);
  CHECK(p.faults.to_host()[0].lost == md::no_particle);
  CHECK(p.faults.to_host()[0].too_fast == 1000 - 70);
  const FixedPosition last = p.position.to_host()[60];
  p.kick_drift(open, 1.0, 1);
  CHECK(p.faults.to_host()[0].lost == 1000 - 60);
  CHECK(p.position.to_host()[60] == last);
}

TEST_CASE(
    "integration: kinetic energy tensor and momentum agree with long double sums on every target") {
  const Particles start(open, 4001);
  const std::array<double, 2> mass = {1.5, 40.0};
  constexpr double unit = 0x1p-44;
  std::array<long double, 9> reference{};
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    const double* v = &start.velocity[3 * i];
    const long double m = mass[static_cast<std::size_t>(start.type[i])];
    constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (std::size_t k = 0; k < 6; ++k) reference[k] += m * v[row[k]] * v[column[k]];
    for (std::size_t k = 0; k < 3; ++k) reference[6 + k] += m * v[k];
  }
  std::array<ExactSum, 9> reference_sums;
  for (const Executor& executor : executors()) {
    DeviceParticles p(executor, start, {mass[0] / unit, mass[1] / unit});
    std::array<ExactSum, 9> sums;
    md_kinetic_sums(executor, {p.moving(), p.factor.view(), sums.data()});
    if (reference_sums == std::array<ExactSum, 9>{}) reference_sums = sums;
    CHECK(sums == reference_sums);
    for (std::size_t k = 0; k < 9; ++k)
      CHECK(sums[k].value(unit) ==
            doctest::Approx(static_cast<double>(reference[k])).epsilon(1e-11).scale(100));
  }
}
