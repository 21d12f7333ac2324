#include "src/modules/md/observers/density_profile.hpp"

#include <array>
#include <optional>
#include <utility>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
namespace {

enum Term : std::size_t { number, mass, charge, momentum, mv_squared = momentum + 3, terms };

using Weights = std::array<double, terms>;

/// The weights that select one term.
Weights weight_of(std::size_t term) {
  Weights w{};
  w[term] = 1;
  return w;
}

/// The slab, of `bins` equal parts of the box, that contains coordinate x; -1 outside of the box
/// (only along open axes, where the box is the middle quarter of the integer range,
/// domain/box.hpp).
Index bin_of(std::uint64_t x, bool is_periodic, Index bins) {
  if (!is_periodic) {
    x -= std::uint64_t{3} << 61;
    if (x >> 62 != 0) return -1;
    x <<= 2;
  }
  return static_cast<Index>((static_cast<WideInteger>(x) * bins) >> 64);
}

}  // namespace

DensityProfile::DensityProfile(std::string name, const SampleSteps& steps,
                               const DensityProfileConfig& config, const ObserverSetup& setup,
                               Particles& particles)
    : name_(std::move(name)),
      path_("observe/" + name_),
      steps_(steps),
      setup_(setup),
      particles_(particles),
      type_charges_(setup.type_charges),
      axis_(config.axis),
      bins_(config.bins),
      types_(setup, name_, config.types),
      averages_(config.bins, terms),
      box_bounds_(2) {
  type_charges_.resize(setup.type_names.size());
}

void DensityProfile::observe(const Snapshot& snapshot) {
  ParticleStore& store = particles_.store;
  const Index n = store.locals();
  const auto axis = static_cast<std::size_t>(axis_);
  const bool is_periodic = snapshot.box.boundary(axis_) == Boundary::periodic;
  const bool has_atom_charges = particles_.has_charges();
  std::vector<ExactSum> sums(static_cast<std::size_t>(bins_) * terms);
  snapshot.communicator.agree([&] {
    const HostColumn<FixedPosition> position(store, store.position(), n);
    const HostColumn<Vector3> velocity(store, particles_.velocity, n);
    const HostColumn<std::int32_t> type(store, particles_.type, n);
    std::optional<HostColumn<double>> atom_charges;
    if (has_atom_charges) atom_charges.emplace(store, particles_.charge, n);
    sum_over_atoms(setup_.executor.pool(), n, sums, [&](Index i, ExactSum* partial) {
      const auto t = static_cast<std::size_t>(type[i]);
      const Index bin = bin_of(position[i].x[axis], is_periodic, bins_);
      if (bin < 0 || types_.group_of_type()[t] < 0) return;
      ExactSum* const bin_sums = partial + static_cast<std::size_t>(bin) * terms;
      const double m = setup_.type_masses[t];
      const Vector3& v = velocity[i];
      bin_sums[number].add(in_sum_quanta(1));
      bin_sums[mass].add(in_sum_quanta(m));
      bin_sums[charge].add(in_sum_quanta(has_atom_charges ? (*atom_charges)[i] : type_charges_[t]));
      for (std::size_t a = 0; a < 3; ++a) bin_sums[momentum + a].add(in_sum_quanta(m * v[a]));
      bin_sums[mv_squared].add(in_sum_quanta(m * (v[0] * v[0] + (v[1] * v[1] + v[2] * v[2]))));
    });
  });
  snapshot.communicator.sum(sums);
  const double volume = snapshot.box.volume() / static_cast<double>(bins_);
  std::vector<double> values;
  values.reserve(sums.size());
  for (const ExactSum& sum : sums) values.push_back(sum.value(sum_quantum) / volume);
  averages_.add(values);
  box_bounds_.add(std::array{snapshot.box.origin()[axis], snapshot.box.lengths()[axis]});
}

BlockedMean DensityProfile::density(Index bin, Density kind) const {
  return averages_.mean(bin, weight_of(static_cast<std::size_t>(kind)));
}

BlockedMean DensityProfile::velocity(Index bin, int axis) const {
  return averages_.ratio(bin, weight_of(momentum + static_cast<std::size_t>(axis)),
                         weight_of(mass));
}

BlockedMean DensityProfile::temperature(Index bin) const {
  const double unit = setup_.units->energy_per_mv2 / (3 * setup_.units->boltzmann);
  // The weights of the terms in the sum of m |v - u|^2. The error of the mean velocity u changes
  // the sum in second order only.
  Weights kinetic{};
  kinetic[mv_squared] = unit;
  for (int a = 0; a < 3; ++a) {
    const BlockedMean u = velocity(bin, a);
    if (!(u.mean == u.mean)) return u;  // the slab never contained an atom
    kinetic[momentum + static_cast<std::size_t>(a)] = -2 * u.mean * unit;
    kinetic[mass] += u.mean * u.mean * unit;
  }
  return averages_.ratio(bin, kinetic, weight_of(number));
}

double DensityProfile::coordinate(Index bin) const {
  return box_bounds_.mean(0).mean +
         box_bounds_.mean(1).mean * (static_cast<double>(bin) + 0.5) / static_cast<double>(bins_);
}

bool DensityProfile::has_charges() const {
  bool any = particles_.has_charges();
  for (const double q : type_charges_) any = any || q != 0;
  return any;
}

void DensityProfile::save(DatasetWriter& writer) const {
  averages_.save(writer, path_ + "/averages");
  box_bounds_.save(writer, path_ + "/edges");
}

void DensityProfile::restore(DatasetReader& reader) {
  averages_.restore(reader, path_ + "/averages");
  box_bounds_.restore(reader, path_ + "/edges");
}

void DensityProfile::write_results(DatasetWriter& writer) const {
  const Units& u = *setup_.units;
  std::vector<double> coordinates;
  std::vector<Index> snapshots;
  std::array<std::vector<BlockedMean>, 7> columns;
  for (Index k = 0; k < bins_; ++k) {
    coordinates.push_back(coordinate(k));
    snapshots.push_back(averages_.count());
    for (std::size_t d = 0; d < 3; ++d) columns[d].push_back(density(k, static_cast<Density>(d)));
    for (int a = 0; a < 3; ++a) columns[3 + static_cast<std::size_t>(a)].push_back(velocity(k, a));
    columns[6].push_back(temperature(k));
  }
  ResultColumns table(writer, "observables/" + name_,
                      std::string("profile along box vector ") + "abc"[axis_]);
  table.numbers("coordinate", coordinates, u.length_name, "centre of the slab along the axis");
  table.means("number_density", columns[0], unit_of({{u.length_name, -3}}), "atoms per volume");
  table.means("mass_density", columns[1], u.length_name.empty() ? "" : "g cm-3", "mass per volume",
              u.gram_per_cm3);
  if (has_charges())
    table.means("charge_density", columns[2], unit_of({{u.charge_name, 1}, {u.length_name, -3}}),
                "charge per volume");
  constexpr std::array<const char*, 3> names = {"velocity_x", "velocity_y", "velocity_z"};
  for (std::size_t a = 0; a < 3; ++a)
    table.means(names[a], columns[3 + a], u.velocity_name, "mass-weighted mean velocity");
  table.means("temperature", columns[6], u.temperature_name,
              "temperature of the motion relative to the mean velocity");
  table.counts("snapshots", snapshots, "number of snapshots");
}

std::uint64_t DensityProfile::digest() const {
  Digest digest;
  digest.add(name_);
  averages_.add_to(digest);
  box_bounds_.add_to(digest);
  return digest.value();
}

namespace {

ObserverPlan describe_density_profile(Section& s) {
  static constexpr std::string_view axes[] = {"x", "y", "z"};
  DensityProfileConfig c;
  s.optional_word("axis", c.axis, axes,
                  {.doc = "box vector along which the slabs are stacked: x is the first, y the "
                          "second, z the third"});
  s.optional("bins", c.bins, {.doc = "number of slabs", .minimum = 1, .maximum = 1e4});
  s.optional("types", c.types, {.doc = "atom types that are counted (default: all)"});
  ObserverPlan plan;
  plan.types = c.types;
  plan.make = [c](const ObserverArguments& run) {
    return std::make_unique<DensityProfile>(run.name, run.steps, c, run.setup, run.particles);
  };
  return plan;
}

}  // namespace

void register_density_profile(Registry& registry) {
  registry.extend(ObserverKind{"density_profile",
                               "density, charge, temperature and velocity in slabs",
                               describe_density_profile});
}

}  // namespace gsim::md
