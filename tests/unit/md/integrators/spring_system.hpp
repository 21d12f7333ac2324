#pragma once
// Atoms on springs, for tests of integrators. A harmonic spring ties each atom to an anchor point
// with fixed fractional coordinates, and the box lengths L_a have a harmonic energy about their
// initial values:
//   U = sum of k |r - anchor|^2 / 2 + sum of K (L_a - L_a(0))^2 / 2.
// Each atom is a harmonic oscillator, or free if k = 0. The probability density of the box lengths
// at constant pressure is known in closed form (barostats/pressure.cpp).

#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "gsim/core/exact_sum.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "src/modules/md/barostats/cell_rescaling.hpp"
#include "src/modules/md/barostats/mtk.hpp"
#include "src/modules/md/integrators/groups.hpp"
#include "src/modules/md/integrators/kinetic.hpp"
#include "src/modules/md/setup/velocities.hpp"
#include "src/modules/md/thermostats/bussi.hpp"
#include "src/modules/md/thermostats/nose_hoover.hpp"
#include "support/test_executor.hpp"

namespace gsim::md::test {

struct SpringSystemOptions {
  MotionConfig motion;
  Box box = Box({0, 0, 0}, {40, 40, 40});
  Index atoms = 64;
  double spring_constant = 1, box_stiffness = 0;  ///< k and K above
  double time_step = 0.01;
  Index steps = 1000;  ///< number of steps of the whole run
  double temperature = 1;
  bool zero_momentum = false;
  std::vector<double> masses = std::vector<double>(1, 1.0);  ///< atom i has masses[i % size]
  std::uint64_t seed = 5;
  Vector3 initial_displacement{0, 0, 0};  ///< of every atom from its anchor point
  UnitSystem units = UnitSystem::lj;
};

class SpringSystem {
 public:
  explicit SpringSystem(const SpringSystemOptions& options,
                        Communicator communicator = Communicator::self(),
                        const Executor& executor = gsim::test::test_executor())
      : options_(options),
        units_(units_of(options.units)),
        communicator_(communicator),
        box_(options.box),
        particles_(executor, {}) {
    fill();
    IntegratorSetup setup{executor,      communicator_,      &units_,
                          options_.seed, options_.time_step, options_.steps,
                          classes_,      {quantum, quantum}, options_.spring_constant == 0};
    integrator_ = make_integrator(options_.motion, setup);
    integrator_->start(context(0, true));
    compute();
  }

  /// Integrates to step `last`; `observe(step)` is called after every `every`-th step and the last.
  template <class Observe>
  void run_to(Index last, Index every, const Observe& observe) {
    for (; step_ < last; ++step_) {
      integrator_->move(context(step_, false));
      compute();
      const bool is_observed = (step_ + 1) % every == 0 || step_ + 1 == last;
      integrator_->finish(context(step_, is_observed));
      if (is_observed) observe(step_ + 1);
    }
  }
  void run_to(Index last, Index every = 1) {
    run_to(last, every, [](Index) {});
  }

  std::vector<double> column_values() { return integrator_->column_values(context(step_, true)); }
  Integrator& integrator() { return *integrator_; }
  const Box& box() const { return box_; }
  Particles& particles() { return particles_; }
  double potential() const { return potential_; }
  double kinetic() {
    std::vector<int> all(classes_.size(), 0);
    IntegratorSetup setup{
        particles_.store.executor(), communicator_, &units_, 0, 0, 0, classes_, {}};
    sums_ = KineticSummation(setup, all, 1)(particles_).front();
    return 0.5 * (sums_.mvv[0] + sums_.mvv[1] + sums_.mvv[2]);
  }
  /// The sums of the last call of kinetic().
  const KineticSums& sums() const { return sums_; }
  double conserved() { return kinetic() + potential_ + integrator_->conserved_part(); }
  Vector3 displacement(Index row) {
    return displacement(positions(), static_cast<std::size_t>(row));
  }
  Vector3 velocity(Index row) { return velocities()[static_cast<std::size_t>(row)]; }
  std::vector<FixedPosition> positions() const {
    return particles_.store.to_host<FixedPosition>(particles_.store.position());
  }
  std::vector<Vector3> velocities() const {
    return particles_.store.to_host<Vector3>(particles_.velocity);
  }

  /// The state of all ranks, with atoms in the order of their ids.
  MemoryDatasets::Contents save() {
    MemoryDatasets data(communicator_);
    integrator_->save(data);
    const ParticleStore& store = particles_.store;
    const auto ids = store.to_host<std::int64_t>(store.id());
    const auto rows = [&](const char* name, const auto& own) {
      using T = std::remove_cvref_t<decltype(own[0][0])>;
      constexpr std::size_t columns = 3;
      std::vector<T> all(static_cast<std::size_t>(options_.atoms) * columns, T{});
      for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t a = 0; a < columns; ++a)
          all[static_cast<std::size_t>(ids[i]) * columns + a] = own[i][a];
      // Every element is non-zero on at most one rank, whose value is taken.
      auto parts = communicator_.allgather(std::span<const T>(all));
      std::vector<T> whole(all.size(), T{});
      for (std::size_t k = 0; k < parts.size(); ++k)
        if (parts[k] != T{}) whole[k % all.size()] = parts[k];
      data.write(name, whole, columns);
    };
    rows("x", store.to_host<std::array<std::uint64_t, 3>>(store.position()));
    rows("v", velocities());
    rows("image", store.to_host<ImageCount>(particles_.image));
    std::vector<double> shape(box_.lengths().begin(), box_.lengths().end());
    shape.insert(shape.end(), box_.tilts().begin(), box_.tilts().end());
    data.write("box", shape);
    data.write("step", step_);
    return data.contents();
  }
  void restore(const MemoryDatasets::Contents& contents) {
    MemoryDatasets data(communicator_, contents);
    integrator_->restore(data);
    const auto x = data.read<std::uint64_t>("x");
    const auto v = data.read<double>("v");
    const auto image = data.read<std::int32_t>("image");
    ParticleStore& store = particles_.store;
    std::vector<FixedPosition> positions;
    std::vector<Vector3> velocities;
    std::vector<ImageCount> images;
    for (const std::int64_t id : store.to_host<std::int64_t>(store.id())) {
      const auto k = static_cast<std::size_t>(3 * id);
      positions.push_back({{x[k], x[k + 1], x[k + 2]}});
      velocities.push_back({v[k], v[k + 1], v[k + 2]});
      images.push_back({image[k], image[k + 1], image[k + 2]});
    }
    store.assign(store.position(), positions);
    store.assign(particles_.velocity, velocities);
    store.assign(particles_.image, images);
    const auto lengths = data.read<double>("box");
    box_ = Box(box_.origin(), {lengths[0], lengths[1], lengths[2]},
               {lengths[3], lengths[4], lengths[5]});
    step_ = data.read_value<Index>("step");
    integrator_->start(context(step_, true));
    compute();
  }

 private:
  static constexpr double quantum = 0x1p-36, energy_quantum = 0x1p-40;

  IntegratorContext context(Index step, bool is_observed) {
    return {particles_, box_, step, virial_, potential_, is_observed};
  }

  void fill() {
    const int ranks = communicator_.size();
    std::vector<std::int64_t> ids;
    std::vector<std::int32_t> types;
    std::vector<double> masses;
    std::vector<Vector3> points;
    const auto side = static_cast<Index>(std::ceil(std::cbrt(static_cast<double>(options_.atoms))));
    for (Index i = communicator_.rank(); i < options_.atoms; i += ranks) {
      ids.push_back(i);
      types.push_back(static_cast<std::int32_t>(i) %
                      static_cast<std::int32_t>(options_.masses.size()));
      masses.push_back(options_.masses[static_cast<std::size_t>(types.back())]);
      const Index cell[3] = {i % side, i / side % side, i / side / side};
      Vector3 point{};
      for (std::size_t a = 0; a < 3; ++a)
        point[a] = box_.origin()[a] + (static_cast<double>(cell[a]) + 0.5) /
                                          static_cast<double>(side) * box_.lengths()[a];
      points.push_back(point);
    }
    std::vector<std::string> names;
    for (std::size_t t = 0; t < options_.masses.size(); ++t)
      names.push_back("T" + std::to_string(t));
    const auto bits = group_bits(options_.motion.groups, names, ids, types, points);
    Classification classes = classify(communicator_, types, bits, options_.masses);
    classes_ = classes.classes;
    std::vector<Vector3> v(ids.size());
    draw_velocities(options_.seed, options_.temperature, units_, ids, masses, v);
    if (options_.zero_momentum) {
      VelocityAdjustment adjustment;
      adjust_velocities(communicator_, options_.temperature, units_, adjustment, masses, v);
    }
    std::vector<FixedPosition> positions;
    for (Vector3 point : points) {
      ImageCount image{};
      anchors_.push_back(box_.to_fixed(point, image));
      for (std::size_t a = 0; a < 3; ++a) point[a] += options_.initial_displacement[a];
      positions.push_back(box_.to_fixed(point, image));
    }
    ParticleStore& store = particles_.store;
    store.resize_locals(static_cast<Index>(ids.size()));
    store.assign(store.position(), positions);
    store.assign(store.id(), ids);
    store.assign(particles_.velocity, v);
    store.assign(particles_.atom_class, classes.of_atom);
    store.assign(particles_.type, types);
  }

  Vector3 displacement(const std::vector<FixedPosition>& positions, std::size_t row) const {
    return box_.difference(positions[row], anchors_[row]);
  }

  void compute() {
    const auto x = positions();
    std::vector<std::array<std::int64_t, 3>> forces(x.size());
    std::vector<ExactSum> sums(7);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vector3 d = displacement(x, i);
      for (std::size_t a = 0; a < 3; ++a) {
        forces[i][a] = std::llrint(-options_.spring_constant * d[a] / quantum);
        const auto energy =
            std::llrint(0.5 * options_.spring_constant * d[a] * d[a] / energy_quantum);
        sums[6].add(energy);
        sums[a].add(-2 * energy);
      }
    }
    particles_.store.assign(particles_.force, forces);
    communicator_.sum(sums);
    potential_ = sums[6].value(energy_quantum);
    for (std::size_t a = 0; a < 3; ++a) {
      const double elongation = box_.lengths()[a] - options_.box.lengths()[a];
      potential_ += 0.5 * options_.box_stiffness * elongation * elongation;
      virial_[a] =
          sums[a].value(energy_quantum) - options_.box_stiffness * elongation * box_.lengths()[a];
    }
  }

  SpringSystemOptions options_;
  const Units& units_;
  Communicator communicator_;
  Box box_;
  Particles particles_;
  std::vector<AtomClass> classes_;
  std::vector<FixedPosition> anchors_;
  std::unique_ptr<Integrator> integrator_;
  KineticSums sums_;
  double virial_[6] = {};
  double potential_ = 0;
  Index step_ = 0;
};

enum class TestThermostat { langevin, nose_hoover, bussi };
enum class TestBarostat { mtk, cell_rescaling };

/// A thermostat with the relaxation time 0.5 (Nose-Hoover: a chain of 3), or the friction 1.
inline ThermostatConfig thermostat(TestThermostat kind, double temperature) {
  ThermostatConfig t{"test", {temperature, temperature}};
  if (kind == TestThermostat::nose_hoover) t.plan = nose_hoover_thermostat(0.5, 3);
  if (kind == TestThermostat::bussi) t.plan = bussi_thermostat(0.5);
  if (kind == TestThermostat::langevin) t.plan.friction = 1;
  return t;
}

/// `time`: relaxation time; `compressibility`: for cell_rescaling. MTK has a chain of 3.
inline BarostatConfig barostat(TestBarostat kind, Coupling coupling, double pressure, double time,
                               double compressibility) {
  BarostatConfig b{"test", coupling, {pressure, pressure}};
  b.plan = kind == TestBarostat::mtk ? mtk_barostat(time, 3)
                                     : cell_rescaling_barostat(time, compressibility);
  return b;
}

}  // namespace gsim::md::test
