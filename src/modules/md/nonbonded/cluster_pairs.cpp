#include "src/modules/md/nonbonded/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "src/modules/md/nonbonded/list_limits.hpp"
#include "src/modules/md/simulation/id_rows.hpp"

namespace gsim::md {
namespace {

void set_position(std::uint32_t& to, std::uint64_t x) { to = rounded_position(x); }
void set_position(std::uint64_t& to, std::uint64_t x) { to = x & ~std::uint64_t{0xfff}; }

/// Copies the positions of a cluster's atoms; empty slots stand where the first atom stands.
template <class Position>
void load_cluster(View<const FixedPosition> positions, const std::int32_t* slots,
                  Quad<Position>& to) {
  for (int b = 0; b < cluster_size; ++b) {
    const auto& x = positions[slots[b] < 0 ? slots[0] : slots[b]].x;
    for (int a = 0; a < 3; ++a) set_position(to.c[a][b], x[a]);
  }
}

/// How far atoms have moved since lists were made, squared, in the box of that time.
class Movement {
 public:
  explicit Movement(const Box& box) {
    const auto metric = box.metric(32);
    for (std::size_t a = 0; a < 6; ++a) m_[a] = static_cast<float>(metric[a]);
  }
  /// The largest of `largest2` and the moves of the cluster's atoms (empty slots repeat one).
  template <class Position>
  float add(const Quad<Position>& now, const Quad<std::uint32_t>& then, float largest2) const {
    for (int b = 0; b < cluster_size; ++b) {
      float n[3];
      for (int a = 0; a < 3; ++a)
        n[a] = static_cast<float>(static_cast<std::int32_t>(high_bits(now.c[a][b]) - then.c[a][b]));
      const float dx = m_[0] * n[0] + m_[3] * n[1] + m_[4] * n[2], dy = m_[1] * n[1] + m_[5] * n[2],
                  dz = m_[2] * n[2];
      largest2 = std::max(largest2, dx * dx + dy * dy + dz * dz);
    }
    return largest2;
  }

 private:
  static std::uint32_t high_bits(std::uint32_t x) { return x; }
  static std::uint32_t high_bits(std::uint64_t x) { return rounded_position(x); }
  float m_[6];
};

/// The slots that atoms stand in, by row.
void note_slots(const Clustering& clustering, std::vector<std::int32_t>& slot_of) {
  const auto& slots = clustering.slots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (slots[s] >= 0) slot_of[static_cast<std::size_t>(slots[s])] = static_cast<std::int32_t>(s);
}

}  // namespace

template <class Real>
ClusterPairs<Real>::ClusterPairs(Executor executor, const Box& box, double cutoff, double skin)
    : executor_(std::move(executor)), box_(box), listed_box_(box), cutoff_(cutoff), skin_(skin) {
  if (executor_.is_cuda())
    throw DeviceError("cluster pair lists run on the host only; choose device = \"cpu\"");
  check_list_radius(box, cutoff, skin);
}

template <class Real>
void ClusterPairs<Real>::set_box(const Box& box) {
  check_box_width(box, cutoff_);
  box_ = box;
}

template <class Real>
void ClusterPairs<Real>::rebuild(const PairAtoms& atoms, const Exclusions* exclusions) {
  const double radius = cutoff_ + skin_;
  listed_box_ = box_;
  const GridShape shape(box_, atoms.positions.size, radius);
  locals_.build(shape, atoms.positions, 0, atoms.locals);
  ghosts_.build(shape, atoms.positions, atoms.locals, atoms.positions.size - atoms.locals);
  const ListGeometry geometry(box_, shape, radius);
  local_list_.build(executor_, geometry, locals_, locals_, true);
  ghost_list_.build(executor_, geometry, locals_, ghosts_, false);
  local_positions_.assign(static_cast<std::size_t>(locals_.clusters()), {});
  ghost_positions_.assign(static_cast<std::size_t>(ghosts_.clusters()), {});
  load_types(atoms.types, locals_, local_positions_);
  load_types(atoms.types, ghosts_, ghost_positions_);
  order_.clear();
  for (const std::int32_t atom : locals_.slots())
    if (atom >= 0) order_.push_back(atom);
  if (exclusions != nullptr && !exclusions->first.empty()) exclude(atoms, *exclusions);
}

template <class Real>
void ClusterPairs<Real>::exclude(const PairAtoms& atoms, const Exclusions& exclusions) {
  IdRows rows;
  rows.build(atoms.ids);
  std::vector<std::int32_t> slot_of(static_cast<std::size_t>(atoms.positions.size));
  note_slots(locals_, slot_of);
  note_slots(ghosts_, slot_of);
  for (Index i = 0; i < atoms.locals; ++i) {
    const std::int32_t slot = slot_of[static_cast<std::size_t>(i)];
    for (Index p = exclusions.first[static_cast<std::size_t>(i)];
         p < exclusions.first[static_cast<std::size_t>(i) + 1]; ++p) {
      const auto row = rows.find(exclusions.partners[static_cast<std::size_t>(p)].id);
      if (row < 0) continue;
      const std::int32_t other = slot_of[static_cast<std::size_t>(row)];
      if (row >= atoms.locals)
        ghost_list_.remove(slot, other);
      else  // listed once, from the cluster or the atom that comes first
        local_list_.remove(std::min(slot, other), std::max(slot, other));
    }
  }
}

template <class Real>
bool ClusterPairs<Real>::load_locals(View<const FixedPosition> positions) {
  const Movement movement(listed_box_);
  std::vector<float> largest(static_cast<std::size_t>(executor_.threads()), 0.0f);
  for_clusters(executor_, locals_.clusters(), [&](Index first, Index last, int worker) {
    float largest2 = 0;
    for (auto c = static_cast<std::size_t>(first); c < static_cast<std::size_t>(last); ++c) {
      load_cluster(positions, locals_.slots().data() + cluster_size * c, local_positions_[c]);
      largest2 = movement.add(local_positions_[c], locals_.positions()[c], largest2);
    }
    auto& to = largest[static_cast<std::size_t>(worker)];
    to = std::max(to, largest2);
  });
  const double allowed = allowed_move(listed_box_, box_, cutoff_, skin_);
  return allowed >= 0 && *std::max_element(largest.begin(), largest.end()) <= allowed * allowed;
}

template <class Real>
void ClusterPairs<Real>::load_ghosts(View<const FixedPosition> positions) {
  for_clusters(executor_, ghosts_.clusters(), [&](Index first, Index last, int) {
    for (auto c = static_cast<std::size_t>(first); c < static_cast<std::size_t>(last); ++c)
      load_cluster(positions, ghosts_.slots().data() + cluster_size * c, ghost_positions_[c]);
  });
}

template <class Real>
void ClusterPairs<Real>::load_types(View<const std::int32_t> types, const Clustering& clustering,
                                    std::vector<Quad<Position>>& to) const {
  if (types.size == 0) return;
  const auto& slots = clustering.slots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    to[s / cluster_size].c[3][s % cluster_size] =
        slots[s] < 0 ? 0 : static_cast<Position>(types[slots[s]]);
}

template <class Real>
ClusterPass<Real> ClusterPairs<Real>::pass(const PairList& list,
                                           const std::vector<Quad<Position>>& j_positions,
                                           bool ghosts) const {
  ClusterPass<Real> pass{list.chunks(), local_positions_.data(), j_positions.data(), {}, ghosts};
  const auto metric = box_.metric(mixed ? 32 : 52);
  for (std::size_t a = 0; a < 6; ++a) pass.metric[a] = static_cast<Real>(metric[a]);
  return pass;
}

template class ClusterPairs<float>;
template class ClusterPairs<double>;

template <class Force>
void Reactions<Force>::reset(const Executor& executor, Index clusters) {
  clusters_ = clusters;
  quads_.assign(static_cast<std::size_t>(clusters * executor.threads()), {});
}

template <class Force>
void Reactions<Force>::collect(const Executor& executor, const Clustering& locals,
                               View<std::int64_t> forces, int shift) {
  for_clusters(executor, clusters_, [&](Index first, Index last, int) {
    for (Index c = first; c < last; ++c)
      for (int w = 0; w < executor.threads(); ++w) {
        auto& quad = quads_[static_cast<std::size_t>(w * clusters_ + c)];
        for (int b = 0; b < cluster_size; ++b) {
          const auto atom = locals.atom(c, b);
          if (atom < 0) continue;
          for (int a = 0; a < 3; ++a)
            forces[3 * Index{atom} + a] -= std::int64_t{quad.c[a][b]} << shift;
        }
        quad = {};
      }
  });
}

template class Reactions<std::int32_t>;
template class Reactions<std::int64_t>;

}  // namespace gsim::md
