#include "src/modules/md/simulation/fill_particles.hpp"

#include <numeric>
#include <span>

#include "src/modules/md/setup/velocities.hpp"

namespace gsim::md {
namespace {

template <class T>
void copy_to_column(ParticleStore& store, ColumnId column, std::span<const T> values) {
  if (!values.empty())
    store.executor().copy_from_host(store.data(column), values.data(), values.size_bytes());
}

/// The velocities of the initial configuration; or, if a temperature is given, random velocities
/// for atoms that are not frozen.
std::vector<Vector3> initial_velocities(const Communicator& communicator, const AtomColumns& atoms,
                                        const StartConfig& config, const Units& units,
                                        std::uint64_t seed, std::span<const std::int64_t> ids,
                                        const std::vector<bool>& is_frozen_atom, Index degrees) {
  if (config.temperature < 0) return atoms.velocity;
  std::vector<double> masses;
  std::vector<std::int64_t> moving;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!is_frozen_atom[i]) {
      moving.push_back(ids[i]);
      masses.push_back(config.types[static_cast<std::size_t>(atoms.type[i])].mass);
    }
  std::vector<Vector3> drawn(moving.size());
  draw_velocities(seed, config.temperature, units, moving, masses, drawn);
  VelocityAdjustment adjustment;
  adjustment.zero_momentum = config.zero_momentum;
  adjustment.degrees_of_freedom = degrees;
  adjust_velocities(communicator, config.temperature, units, adjustment, masses, drawn);
  std::vector<Vector3> velocities(ids.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!is_frozen_atom[i]) velocities[i] = drawn[next++];
  return velocities;
}

std::vector<double> charges_of(const AtomColumns& atoms, const StartConfig& config) {
  if (!atoms.charge.empty()) return atoms.charge;
  std::vector<double> charges;
  for (const std::int32_t t : atoms.type)
    charges.push_back(config.types[static_cast<std::size_t>(t)].charge);
  return charges;
}

}  // namespace

void fill_particles(const Communicator& communicator, const StartSystem& system,
                    const StartConfig& config, const Units& units, std::uint64_t seed,
                    const Classification& classes, std::span<const GroupConfig> groups,
                    Index degrees_of_freedom, Particles& p) {
  const IndexRange own_range =
      partition({0, system.atoms()}, communicator.size(), communicator.rank());
  const AtomColumns atoms = system.atoms_in(own_range);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(own_range.size()));
  std::iota(ids.begin(), ids.end(), own_range.first);
  std::vector<bool> is_frozen_atom;
  for (const std::int32_t c : classes.of_atom)
    is_frozen_atom.push_back(is_frozen(groups, classes.classes[static_cast<std::size_t>(c)]));
  const auto velocities = initial_velocities(communicator, atoms, config, units, seed, ids,
                                             is_frozen_atom, degrees_of_freedom);
  ParticleStore& store = p.store;
  store.resize_locals(own_range.size());
  copy_to_column(store, store.id(), std::span<const std::int64_t>(ids));
  copy_to_column(store, store.position(), std::span<const FixedPosition>(atoms.position));
  copy_to_column(store, p.image, std::span<const ImageCount>(atoms.image));
  copy_to_column(store, p.type, std::span<const std::int32_t>(atoms.type));
  copy_to_column(store, p.atom_class, std::span<const std::int32_t>(classes.of_atom));
  copy_to_column(store, p.velocity, std::span<const Vector3>(velocities));
  if (p.has_charges()) {
    const std::vector<double> charges = charges_of(atoms, config);
    copy_to_column(store, p.charge, std::span<const double>(charges));
  }
  if (p.molecule.index >= 0)
    copy_to_column(store, p.molecule, std::span<const std::int64_t>(atoms.molecule));
}

Classification classify_start(const Communicator& communicator, const StartSystem& system,
                              const StartConfig& config, std::span<const GroupConfig> groups) {
  const IndexRange own_range =
      partition({0, system.atoms()}, communicator.size(), communicator.rank());
  const AtomColumns atoms = system.atoms_in(own_range);
  const std::vector<Index>& given = system.given_ids();
  std::vector<std::int64_t> ids;  // ids of the input
  for (Index i = own_range.first; i < own_range.last; ++i)
    ids.push_back(given.empty() ? i + 1 : given[static_cast<std::size_t>(i)]);
  std::vector<Vector3> points;
  for (const FixedPosition& p : atoms.position) points.push_back(system.box().to_cartesian(p));
  std::vector<double> masses;
  for (const TypeConfig& t : config.types) masses.push_back(t.mass);
  const auto bits = group_bits(groups, config.type_names(), ids, atoms.type, points);
  Classification result = classify(communicator, atoms.type, bits, masses);
  refuse_empty_groups(groups, result.classes);
  return result;
}

ChargeSums start_charges(const Communicator& communicator, const StartSystem& system,
                         const StartConfig& config) {
  const IndexRange own_range =
      partition({0, system.atoms()}, communicator.size(), communicator.rank());
  return sum_charges(communicator, charges_of(system.atoms_in(own_range), config));
}

}  // namespace gsim::md
