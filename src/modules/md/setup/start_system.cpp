#include "src/modules/md/setup/start_system.hpp"

#include <algorithm>
#include <utility>

#include "src/modules/md/structures/random_packing.hpp"

namespace gsim::md {
namespace {

const Topology no_topology;
const std::vector<Index> no_ids;

class LatticeStart : public StartSystem {
 public:
  explicit LatticeStart(const LatticeOptions& options) : lattice_(options) {}
  const Box& box() const override { return lattice_.box(); }
  Index atoms() const override { return lattice_.atoms(); }
  AtomColumns atoms_in(IndexRange range) const override { return lattice_.atoms_in(range); }
  const Topology& topology() const override { return no_topology; }
  const std::vector<Index>& given_ids() const override { return no_ids; }

 private:
  Lattice lattice_;
};

class ChainStart : public StartSystem {
 public:
  ChainStart(const ChainOptions& options, std::int32_t type)
      : chains_(options), topology_(chains_.topology()), type_(type) {}
  const Box& box() const override { return chains_.box(); }
  Index atoms() const override { return chains_.atoms(); }
  AtomColumns atoms_in(IndexRange range) const override {
    AtomColumns atoms = chains_.atoms_in(range);
    std::fill(atoms.type.begin(), atoms.type.end(), type_);
    return atoms;
  }
  const Topology& topology() const override { return topology_; }
  const std::vector<Index>& given_ids() const override { return no_ids; }
  bool has_molecules() const override { return true; }

 private:
  Chains chains_;
  Topology topology_;
  std::int32_t type_;
};

template <class T>
std::vector<T> part(const std::vector<T>& all, IndexRange range) {
  if (all.empty()) return {};
  return {all.begin() + range.first, all.begin() + range.last};
}

class WholeSystem : public StartSystem {
 public:
  WholeSystem(AtomSystem system, const std::vector<std::int32_t>& types)
      : system_(std::move(system)) {
    for (std::int32_t& t : system_.atoms.type) t = types[static_cast<std::size_t>(t)];
  }
  const Box& box() const override { return system_.box; }
  Index atoms() const override { return system_.atoms.size(); }
  AtomColumns atoms_in(IndexRange range) const override {
    const AtomColumns& a = system_.atoms;
    return {part(a.type, range),     part(a.position, range), part(a.image, range),
            part(a.velocity, range), part(a.charge, range),   part(a.molecule, range)};
  }
  const Topology& topology() const override { return system_.topology; }
  const std::vector<Index>& given_ids() const override { return system_.given_ids; }
  bool has_velocities() const override { return !system_.atoms.velocity.empty(); }
  bool has_charges() const override { return !system_.atoms.charge.empty(); }
  bool has_molecules() const override { return !system_.atoms.molecule.empty(); }

 private:
  AtomSystem system_;
};

AtomSystem random_system(std::uint64_t seed, const Box& box, const std::vector<Index>& counts,
                         double distance) {
  AtomSystem system{box, {}, {}, {}, {}, {}, {}};
  Index total = 0;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    total += counts[t];
    system.atoms.type.insert(system.atoms.type.end(), static_cast<std::size_t>(counts[t]),
                             static_cast<std::int32_t>(t));
  }
  system.atoms.position = random_packing(seed, box, total, distance);
  system.atoms.image.resize(static_cast<std::size_t>(total));
  return system;
}

}  // namespace

std::unique_ptr<StartSystem> start_from(const LatticeOptions& options) {
  return std::make_unique<LatticeStart>(options);
}

std::unique_ptr<StartSystem> start_from(const ChainOptions& options, std::int32_t type) {
  return std::make_unique<ChainStart>(options, type);
}

std::unique_ptr<StartSystem> start_from(AtomSystem system, std::vector<std::int32_t> types) {
  return std::make_unique<WholeSystem>(std::move(system), types);
}

std::unique_ptr<StartSystem> start_at_random(std::uint64_t seed, const Box& box,
                                             std::vector<Index> counts, double distance) {
  std::vector<std::int32_t> types;
  for (std::size_t t = 0; t < counts.size(); ++t) types.push_back(static_cast<std::int32_t>(t));
  return std::make_unique<WholeSystem>(random_system(seed, box, counts, distance), types);
}

}  // namespace gsim::md
