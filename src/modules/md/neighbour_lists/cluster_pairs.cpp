#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"
#include "kernels/md/neighbour_lists/cluster_moves.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"

namespace gsim::md {
namespace {

// The time to check whether a cluster pair is in range over the time to compute it.
constexpr double check_cost_mixed = 0.2, check_cost_double = 0.12;
// The atoms of a cluster are within about this fraction of the cluster edge from its centre.
constexpr double spread_of_edge = 0.7;

void run(const Executor& e, const ClusterLoadJob<float>& job) { cluster_load_f32(e, job); }
void run(const Executor& e, const ClusterLoadJob<double>& job) { cluster_load_f64(e, job); }
void run(const Executor& e, const ClusterRecordJob<float>& job) { cluster_record_f32(e, job); }
void run(const Executor& e, const ClusterRecordJob<double>& job) { cluster_record_f64(e, job); }

/// Stores the slots of atoms by row.
void store_slots(const Clustering& clustering, std::vector<std::int32_t>& slot_of) {
  const auto& slots = clustering.slots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (slots[s] >= 0) slot_of[static_cast<std::size_t>(slots[s])] = static_cast<std::int32_t>(s);
}

}  // namespace

template <class Real>
ClusterPairs<Real>::ClusterPairs(Executor executor, const Box& box, double cutoff, double skin)
    : executor_(std::move(executor)),
      box_(box),
      listed_box_(box),
      short_list_box_(box),
      cutoff_(cutoff),
      skin_(skin),
      schedule_(cutoff, mixed ? check_cost_mixed : check_cost_double),
      largest2_(static_cast<std::size_t>(executor_.threads())) {
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
void ClusterPairs<Real>::assign_clusters(const GridShape& shape, const PairAtoms& atoms,
                                         IndexRange rows, Atoms& to) const {
  to.clusters.build(shape, atoms.positions, rows.first, rows.size());
  const auto clusters = static_cast<std::size_t>(to.clusters.clusters());
  to.recorded = to.clusters.positions();
  to.positions.assign(clusters, {});
  if (atoms.types.size == 0) return;
  const auto& slots = to.clusters.slots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    to.positions[s / cluster_size].c[3][s % cluster_size] =
        slots[s] < 0 ? 0 : static_cast<Position>(atoms.types[slots[s]]);
}

template <class Real>
void ClusterPairs<Real>::rebuild(const PairAtoms& atoms, const Exclusions* exclusions) {
  const double radius = cutoff_ + skin_;
  listed_box_ = short_list_box_ = box_;
  const GridShape shape(box_, atoms.positions, radius);
  cluster_edge_ = shape.cluster_edge;
  assign_clusters(shape, atoms, {0, atoms.locals}, locals_);
  assign_clusters(shape, atoms, {atoms.locals, atoms.positions.size}, ghosts_);
  const ListGeometry geometry(box_, shape, radius);
  local_list_.build(executor_, geometry, locals(), locals(), true);
  ghost_list_.build(executor_, geometry, locals(), ghosts(), false);
  order_.clear();
  for (const std::int32_t atom : locals().slots())
    if (atom >= 0) order_.push_back(atom);
  if (exclusions != nullptr && !exclusions->empty()) exclude(atoms, *exclusions);
  is_new_ = true;
  locals_recorded_ = false;
}

template <class Real>
void ClusterPairs<Real>::exclude(const PairAtoms& atoms, const Exclusions& exclusions) {
  const View<const std::int32_t> first = exclusions.first.view(), rows = exclusions.rows.view();
  std::vector<std::int32_t> slot_of(static_cast<std::size_t>(atoms.positions.size));
  store_slots(locals(), slot_of);
  store_slots(ghosts(), slot_of);
  for (Index i = 0; i < atoms.locals; ++i) {
    const std::int32_t slot = slot_of[static_cast<std::size_t>(i)];
    for (Index p = first[i]; p < first[i + 1]; ++p) {
      const std::int32_t row = rows[p];
      if (row < 0) continue;
      const std::int32_t partner_slot = slot_of[static_cast<std::size_t>(row)];
      if (row >= atoms.locals)
        ghost_list_.remove(slot, partner_slot);
      else if (slot < partner_slot)  // each pair is excluded twice, and listed once
        local_list_.remove(slot, partner_slot);
    }
  }
}

template <class Real>
template <class Job>
double ClusterPairs<Real>::largest_displacement(const Atoms& atoms, const Box& box, Job job) {
  std::copy_n(BoxMatrix(box).m, 6, job.box_matrix);
  std::fill(largest2_.begin(), largest2_.end(), 0.0f);
  for_clusters(executor_, atoms.clusters.clusters(), [&](Index first, Index last, int worker) {
    Job part = job;
    part.first = first;
    part.last = last;
    part.largest2 = &largest2_[static_cast<std::size_t>(worker)];
    run(executor_, part);
  });
  return std::sqrt(double{*std::max_element(largest2_.begin(), largest2_.end())});
}

template <class Real>
double ClusterPairs<Real>::load(View<const FixedPosition> positions, Atoms& atoms) {
  return largest_displacement(atoms, short_list_box_,
                              ClusterLoadJob<Real>{positions.data,
                                                   atoms.clusters.rows().data(),
                                                   0,
                                                   0,
                                                   atoms.positions.data(),
                                                   atoms.recorded.data(),
                                                   {},
                                                   nullptr});
}

template <class Real>
double ClusterPairs<Real>::record_positions(Atoms& atoms) {
  return largest_displacement(atoms, listed_box_,
                              ClusterRecordJob<Real>{atoms.positions.data(),
                                                     0,
                                                     0,
                                                     atoms.recorded.data(),
                                                     atoms.clusters.positions().data(),
                                                     {},
                                                     nullptr});
}

template <class Real>
bool ClusterPairs<Real>::load_locals(View<const FixedPosition> positions) {
  const ListState state = read_locals(positions);
  if (state == ListState::due) shorten_lists();
  return state != ListState::stale;
}

template <class Real>
ListState ClusterPairs<Real>::read_locals(View<const FixedPosition> positions) {
  const double moved = load(positions, locals_);
  if (!is_new_) schedule_.step(moved);
  const bool short_lists_are_valid =
      !is_new_ && !locals_due_ && moved <= allowed_move(short_list_box_, box_, cutoff_, 2 * reach_);
  if (short_lists_are_valid) return ListState::good;
  return record_locals() ? ListState::due : ListState::stale;
}

template <class Real>
bool ClusterPairs<Real>::record_locals() {
  remaining_distance_ = remaining_distance(record_positions(locals_));
  locals_recorded_ = remaining_distance_ >= 0;
  return locals_recorded_;
}

template <class Real>
void ClusterPairs<Real>::shorten_lists() {
  if (!locals_recorded_ && !record_locals()) {
    // The short lists are not replaced, although `recorded` no longer holds the positions for which
    // they were made.
    locals_due_ = true;
    return;
  }
  locals_recorded_ = false;
  short_list_box_ = box_;
  reach_ = schedule_.choose_reach(remaining_distance_, spread_of_edge * cluster_edge_);
  shorten(local_list_, locals_, reach_);
  is_new_ = locals_due_ = false;
  ghosts_due_ = true;
  schedule_.record_shortening(PairList::entries(local_list_.all()),
                              PairList::entries(local_list_.near()));
}

template <class Real>
double ClusterPairs<Real>::remaining_distance(double moved) const {
  return (allowed_move(listed_box_, box_, cutoff_, skin_) - moved) / shrinkage(listed_box_, box_);
}

template <class Real>
void ClusterPairs<Real>::shorten(PairList& list, const Atoms& j, double j_reach) const {
  const double sum_of_reaches = reach_ + j_reach;
  if (schedule_.saves_time(sum_of_reaches / 2, skin_, spread_of_edge * cluster_edge_))
    list.shorten(executor_, BoxMatrix(short_list_box_), cutoff_ + sum_of_reaches,
                 locals_.recorded.data(), j.recorded.data());
  else
    list.use_all();
}

template <class Real>
void ClusterPairs<Real>::load_ghosts(View<const FixedPosition> positions) {
  const double moved = load(positions, ghosts_);
  if (ghosts_due_) {
    ghosts_due_ = false;
    ghost_reach_ = std::clamp(remaining_distance(record_positions(ghosts_)), 0.0, reach_);
    shorten(ghost_list_, ghosts_, ghost_reach_);
  } else if (moved > allowed_move(short_list_box_, box_, cutoff_, 2 * ghost_reach_)) {
    ghost_list_.use_all();
    locals_due_ = true;
  }
}

template <class Real>
ClusterPass<Real> ClusterPairs<Real>::pass(const PairList& list, const Atoms& j,
                                           bool ghosts) const {
  ClusterPass<Real> pass{list.near(), locals_.positions.data(), j.positions.data(), {}, ghosts};
  const auto box_matrix = box_.matrix(mixed ? 32 : 52);
  for (std::size_t a = 0; a < 6; ++a) pass.box_matrix[a] = static_cast<Real>(box_matrix[a]);
  return pass;
}

// The time for a cluster pair does not depend on how many of its 16 atom pairs are in range. Half
// of it is attributed to each cluster, in equal parts to its 1 to 4 atoms. The long lists are
// counted, because the short lists of ghosts are not known yet; short lists are about the same
// fraction of the long ones for locals and ghosts. The work of a cluster pair is 24 units, half of
// which can be divided by 1 to 4; the integration of an atom takes as long as three cluster pairs.
template <class Real>
std::int64_t ClusterPairs<Real>::work(std::span<std::int64_t> shares) const {
  constexpr std::int64_t half_pair = 12, work_per_atom = 6 * half_pair;
  std::vector<std::int64_t> halves(static_cast<std::size_t>(locals().clusters()), 0);
  const auto add = [&](View<const ClusterChunk> chunks, bool is_local) {
    for (const ClusterChunk& chunk : chunks)
      for (const ClusterRow& row : chunk.rows) {
        halves[static_cast<std::size_t>(row.i)] += row.last - row.first;
        for (Index n = row.first; is_local && n < row.last; ++n)
          ++halves[static_cast<std::size_t>(chunk.neighbours[n].j)];
      }
  };
  add(local_list_.all(), true);
  add(ghost_list_.all(), false);
  for (Index c = 0; c < locals().clusters(); ++c) {
    const std::int64_t share =
        half_pair * halves[static_cast<std::size_t>(c)] / std::popcount(locals().atoms()[c]);
    for (int b = 0; b < cluster_size; ++b)
      if (const std::int32_t atom = locals().atom(c, b); atom >= 0)
        shares[static_cast<std::size_t>(atom)] = work_per_atom + share;
  }
  const Index pairs = PairList::entries(local_list_.all()) + PairList::entries(ghost_list_.all());
  return 2 * half_pair * pairs + work_per_atom * static_cast<std::int64_t>(shares.size());
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
  const int threads = executor.threads();
  for_clusters(executor, clusters_, [&](Index first, Index last, int) {
    for (Index c = first; c < last; ++c)
      for (int w = 0; w < threads; ++w) {
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
