#include "src/modules/md/neighbour_lists/full_list.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <numbers>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "kernels/domain/exclusive_scan.hpp"
#include "kernels/md/neighbour_lists/shrinkage.hpp"

namespace gsim::md {
namespace {

// Distances in the search are floats, so the search radius is enlarged by their rounding errors.
constexpr double margin = 1 + 1e-5;

void run_pack(const Executor& e, const PackJob<float>& job) { full_list_pack_f32(e, job); }
void run_pack(const Executor& e, const PackJob<double>& job) { full_list_pack_f64(e, job); }
void run_count(const Executor& e, const BinCountJob<float>& job) { full_list_count_f32(e, job); }
void run_count(const Executor& e, const BinCountJob<double>& job) { full_list_count_f64(e, job); }

/// The time for the integration of an atom, in units of the time for one neighbour.
constexpr std::int64_t work_per_atom = 16;

void set_box_matrix(const Box& box, float* to) {
  const auto m = box.matrix(32);
  for (std::size_t a = 0; a < 6; ++a) to[a] = static_cast<float>(m[a]);
}

/// Sets how the search computes distances, and the list radius.
void set_metric(const Box& box, double radius, FullSearchJob& job) {
  const auto m = box.matrix(32);  // xx, yy, zz, xy, xz, yz
  const auto square = [](double x) { return static_cast<float>(x * x); };
  job.is_orthogonal = !box.is_triclinic();
  job.shear[0] = static_cast<float>(m[3] / m[0]);
  job.shear[1] = static_cast<float>(m[4] / m[0]);
  job.shear[2] = static_cast<float>(m[5] / m[1]);
  job.weight[0] = square(m[1] / m[0]);
  job.weight[1] = square(m[2] / m[0]);
  job.radius2 = square(radius / m[0]);
}

/// The distance by which atoms may have moved since the lists were made. If ghosts have rows as
/// well, these are rows of neighbours of locals, whose own neighbours are up to two cutoffs away
/// from the locals: in a box that has shrunk, this distance has decreased by twice as much.
double allowed_displacement(const Box& listed, const Box& now, double cutoff, double skin,
                            ListedRows rows) {
  return allowed_move(listed, now, rows == ListedRows::all ? 2 * cutoff : cutoff, skin);
}

}  // namespace

FullListGrid make_full_list_grid(const Box& box, double radius, double neighbours, Index atoms) {
  // Narrow columns contain fewer atoms that are no neighbours, but there are more of them. About
  // one and a half bins for each atom suffice to bound columns along z.
  const double atoms_in_cube = neighbours / (4 * std::numbers::pi / 3);  // of the edge `radius`
  const double across = atoms_in_cube > 6 ? 2 : 1;                       // cells in a radius
  const double along = std::clamp(1.5 * atoms_in_cube / (across * across), 1.0, 8.0);
  double cells[3], bins[3], parts[3] = {1, 1, 1};  // parts of the range that share the same bins
  for (int a = 0; a < 3; ++a) {
    const double in_radius = a < 2 ? across : along;
    cells[a] = std::clamp(std::floor(in_radius / box.fraction_of(a, radius)), 1.0, 0x1p20);
    bins[a] = cells[a];
  }
  // Parts are made by cutting the longest axis, like the subdomains of ranks.
  const double most_bins = 4 * static_cast<double>(atoms) + 64;
  while (bins[0] * bins[1] * bins[2] > most_bins) {
    const auto length = [&](int a) {
      return bins[a] > 1 ? bins[a] / cells[a] / box.fraction_of(a, 1.0) : 0.0;
    };
    int longest = 0;
    for (int a = 1; a < 3; ++a)
      if (length(a) > length(longest)) longest = a;
    ++parts[longest];
    bins[longest] = std::max(1.0, std::floor(cells[longest] / parts[longest]));
  }
  FullListGrid grid{};
  for (int a = 0; a < 3; ++a) {
    cells[a] = bins[a] * std::floor(cells[a] / bins[a]);
    grid.bins[a] = static_cast<std::uint32_t>(bins[a]);
    grid.cells[a] = static_cast<std::uint32_t>(cells[a]);
  }
  for (int a = 0; a < 2; ++a) {
    // Positions are rounded to 2^-32, so the reach is one integer larger.
    const double reach = std::floor((box.fraction_of(a, radius) + 0x1p-31) * cells[a]) + 1;
    grid.before[a] = static_cast<std::int32_t>(std::min(reach, std::floor((bins[a] - 1) / 2)));
    grid.after[a] = static_cast<std::int32_t>(std::min(reach, std::floor(bins[a] / 2)));
    if (!box.is_triclinic() && grid.before[a] >= reach)
      grid.width[a] = static_cast<float>(1 / (box.fraction_of(a, radius) * cells[a]));
  }
  const double extent = box.fraction_of(2, radius);
  grid.whole_z = 2 * extent + 2 / cells[2] + 0x1p-28 >= 1;
  grid.extent = static_cast<float>(std::min(extent, 1.0) * 0x1p32);
  return grid;
}

template <class Real>
FullList<Real>::FullList(const Executor& executor, const Box& box, double cutoff, double skin,
                         int capacity, ListedRows listed)
    : executor_(executor),
      box_(box),
      listed_box_(box),
      cutoff_(cutoff),
      skin_(skin),
      capacity_(capacity),
      listed_(listed),
      records_(executor, 0),
      reference_(executor, 0),
      bins_(executor),
      entries_(executor, 0),
      counts_(executor, 0),
      device_status_(executor, 1),
      status_before_(executor, 1),
      status_read_(executor, sizeof(FullListStatus)),
      flags_memory_(executor, sizeof(FullListFlags)),
      flags_(new (flags_memory_.bytes().data()) FullListFlags{no_particle, {}}),
      loaded_(executor) {
  check_list_radius(box, cutoff, skin);
  write_status(status_);
}

template <class Real>
void FullList<Real>::set_box(const Box& box) {
  check_box_width(box, cutoff_);
  box_ = box;
}

template <class Real>
void FullList<Real>::set_limits(DeviceForces& forces) const {
  const auto listed = listed_box_.matrix(0);
  std::copy(listed.begin(), listed.end(), forces.listed);
  forces.cutoff = listed_ == ListedRows::all ? 2 * cutoff_ : cutoff_;
  forces.skin = skin_;
  forces.least_width = 2 * cutoff_;
}

template <class Real>
void FullList<Real>::rebuild(const PairAtoms& atoms, const Exclusions* exclusions) {
  atoms_ = atoms;
  listed_box_ = box_;
  const Index all = atoms.positions.size;
  records_.resize_uninitialised(all);
  reference_.resize_uninitialised(all);
  received_ghosts_ = nullptr;
  are_ghosts_loaded_ = false;
  const FullListGrid grid = grid_for(all);
  bins_.records.resize_uninitialised(all);
  fill(count_in_bins(grid, all), bins_.records.view().data, nullptr);
  search(grid, exclusions);
}

template <class Real>
PositionsAndTypes FullList<Real>::atoms_at(View<const FixedPosition> positions) const {
  return {positions.data, atoms_.types.size > 0 ? atoms_.types.data : nullptr};
}

template <class Real>
void FullList<Real>::load(View<const FixedPosition> positions, const SentRecords& sent) {
  PackJob<Real> job{atoms_at(positions), records_.view().data, 0, locals()};
  job.reference = reference_.view().data;
  set_box_matrix(listed_box_, job.box_matrix);
  const double allowed = allowed_displacement(listed_box_, box_, cutoff_, skin_, listed_);
  constexpr double aging = md_kernels::aging_share;
  job.allowed2 = static_cast<float>(allowed * allowed);
  job.aging2 = static_cast<float>(aging * allowed * aging * allowed);
  job.status = device_status_.view().data;
  job.flags = flags_;
  job.device_box = device_box_;
  set_sent(job, sent);
  run_pack(executor_, job);
}

template <class Real>
void FullList<Real>::pack_records(View<const FixedPosition> positions, const SentRecords& sent) {
  PackJob<Real> job{atoms_at(positions), records_.view().data, 0, 0};
  set_sent(job, sent);
  run_pack(executor_, job);
}

template <class Real>
void FullList<Real>::set_sent(PackJob<Real>& job, const SentRecords& sent) {
  job.sent_rows = sent.rows;
  job.sent_records = reinterpret_cast<PairRecord<Real>*>(sent.records);
  job.sent = sent.count;
}

template <class Real>
BinningJob FullList<Real>::count_in_bins(const FullListGrid& grid, Index count) {
  const Index counts = Index{grid.bins[0]} * grid.bins[1] * grid.bins[2] + 1;
  std::swap(bins_.first, bins_.next);
  if (std::exchange(bins_.is_next_cleared, false) && bins_.first.size() >= counts)
    bins_.first.resize_uninitialised(counts);
  else
    bins_.first.resize_discard(counts);
  bins_.places.resize_uninitialised(count);
  const bool clears_overlap = std::exchange(has_invalid_overlap_, false);
  if (count == 0) {  // a launch does nothing
    read_status();
    status_.age = list_is_new;
    if (clears_overlap) status_.overlap = no_particle;
    write_status(status_);
  }
  const BinningJob binning{grid, count, reference_.view().data, bins_.first.view().data,
                           bins_.places.view().data};
  run_count(executor_, {atoms_at(atoms_.positions), records_.view().data, binning,
                        device_status_.view().data, clears_overlap});
  domain_exclusive_scan(executor_, {bins_.first.view()});
  return binning;
}

template <class Real>
void FullList<Real>::fill(const BinningJob& binning, PairRecord<float>* records,
                          std::int32_t* rows) {
  // The number of bins changes a little with that of neighbours.
  bins_.next.resize_uninitialised(bins_.first.size() + bins_.first.size() / 4);
  full_list_fill(executor_, {binning, records, rows, bins_.next.view()});
  bins_.is_next_cleared = binning.rows > 0;
}

template <class Real>
FullListGrid FullList<Real>::grid_for(Index count) const {
  return make_full_list_grid(box_, (cutoff_ + skin_) * margin, mean_neighbours(), count);
}

template <class Real>
View<const std::int32_t> FullList<Real>::spatial_order() {
  const BinningJob binning = count_in_bins(grid_for(locals()), locals());
  bins_.rows.resize_uninitialised(locals());
  fill(binning, nullptr, bins_.rows.view().data);
  return bins_.rows.view();
}

template <class Real>
NeighbourRows FullList<Real>::rows() {
  std::int32_t* const counts = counts_.view().data;
  return {entries_.view().data, counts, counts + listed(), listed(), capacity_};
}

template <class Real>
double FullList<Real>::mean_neighbours() const {
  if (found_neighbours_ >= 0) return found_neighbours_;
  const double radius = cutoff_ + skin_;
  return 4 * std::numbers::pi / 3 * radius * radius * radius *
         static_cast<double>(atoms_.positions.size) / box_.volume();
}

template <class Real>
void FullList<Real>::search(const FullListGrid& grid, const Exclusions* exclusions) {
  counts_.resize_uninitialised(2 * listed());
  FullSearchJob job{};
  job.grid = grid;
  job.records = reference_.view().data;
  job.rows = listed();
  job.binned = {bins_.first.view().data, bins_.records.view().data};
  job.locals = static_cast<std::int32_t>(locals());
  job.has_ghosts = ghosts() > 0;
  set_metric(box_, (cutoff_ + skin_) * margin, job);
  if (exclusions != nullptr && !exclusions->empty()) {
    job.has_exclusions = true;
    job.excluded_first = exclusions->first.view().data;
    job.excluded = exclusions->rows.view().data;
  }
  job.status = device_status_.view().data;
  for (;;) {
    entries_.resize_uninitialised(listed() * capacity_);
    job.list = rows();
    const std::uint64_t before = status_.neighbours;
    full_list_search(executor_, job);
    read_status();
    const Index counted = (listed() + 63) / 64;  // rows
    if (counted > 0)
      found_neighbours_ =
          static_cast<double>(status_.neighbours - before) / static_cast<double>(counted);
    const auto longest = static_cast<int>(status_.longest);
    if (longest <= capacity_) break;
    capacity_ = longest + longest / 8 + 4;  // with some room for growth
    status_.longest = 0;
    write_status(status_);
  }
  set_flags(status_);
}

template <class Real>
std::int64_t FullList<Real>::estimated_work() const {
  const double of_atom = static_cast<double>(work_per_atom) + mean_neighbours();
  return static_cast<std::int64_t>(of_atom * static_cast<double>(locals()));
}

template <class Real>
std::int64_t FullList<Real>::work(std::span<std::int64_t> shares) const {
  const auto rows = static_cast<std::size_t>(listed());
  std::vector<std::int32_t> counts(2 * rows);
  executor_.copy_to_host(counts.data(), counts_.view().data, counts.size() * sizeof(counts[0]));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::int64_t ghost_count = ghosts() > 0 ? counts[rows + i] : 0;
    shares[i] = work_per_atom + counts[i] + ghost_count;
    sum += shares[i];
  }
  return sum;
}

template <class Real>
bool FullList<Real>::load_locals(View<const FixedPosition> positions) {
  start_loading(positions);
  return finish_loading();
}

template <class Real>
void FullList<Real>::start_loading(View<const FixedPosition> positions, const SentRecords& sent) {
  load(positions, sent);
  loaded_.record();
}

template <class Real>
bool FullList<Real>::finish_loading() {
  loaded_.wait();
  status_.overlap = flags_->overlap;
  for (const ListAge age : {list_is_aging, list_is_stale})
    if (flags_->reached[age] != 0) status_.age = age;
  const bool is_stale = status_.age == list_is_stale ||
                        (device_box_ == nullptr &&
                         allowed_displacement(listed_box_, box_, cutoff_, skin_, listed_) < 0);
  if (!is_stale) return true;
  has_invalid_overlap_ = true;
  return false;
}

template <class Real>
void FullList<Real>::begin_batch() {
  copy_on_executor(executor_, status_before_.view().data, device_status_.view().data,
                   sizeof(FullListStatus));
}

template <class Real>
void FullList<Real>::load_in_batch(View<const FixedPosition> positions) {
  load(positions, {});
}

template <class Real>
bool FullList<Real>::end_batch() {
  status_read_.start(device_status_.view().data);
  std::memcpy(&status_, status_read_.wait().data(), sizeof status_);
  if (status_.age != list_is_stale && status_.overlap == no_particle) return true;
  copy_on_executor(executor_, device_status_.view().data, status_before_.view().data,
                   sizeof(FullListStatus));
  read_status();
  set_flags(status_);
  return false;
}

template <class Real>
void FullList<Real>::use_ghost_records(const std::byte* records) {
  received_ghosts_ = reinterpret_cast<const PairRecord<Real>*>(records);
  are_ghosts_loaded_ = true;
}

template <class Real>
void FullList<Real>::load_ghosts(View<const FixedPosition> positions) {
  if (std::exchange(are_ghosts_loaded_, false)) return;
  received_ghosts_ = nullptr;
  run_pack(executor_, {atoms_at(positions), records_.view().data, locals(), ghosts()});
}

template <class Real>
std::uint64_t FullList<Real>::pop_overlap() {
  const std::uint64_t id = status_.overlap;
  if (id != no_particle) {
    status_.overlap = no_particle;
    write_status(status_);
  }
  return id;
}

template <class Real>
std::size_t FullList<Real>::memory() const {
  const auto bytes = [](const auto&... arrays) {
    return ((static_cast<std::size_t>(arrays.size()) * sizeof(*arrays.view().data)) + ...);
  };
  return bytes(records_, reference_, bins_.first, bins_.next, bins_.rows, bins_.places,
               bins_.records, entries_, counts_, device_status_);
}

template <class Real>
void FullList<Real>::read_status() {
  executor_.copy_to_host(&status_, device_status_.view().data, sizeof status_);
}

template <class Real>
void FullList<Real>::write_status(const FullListStatus& status) {
  executor_.copy_from_host(device_status_.view().data, &status, sizeof status);
  set_flags(status);
}

template <class Real>
void FullList<Real>::set_flags(const FullListStatus& status) {
  *flags_ = {status.overlap, {1, status.age >= list_is_aging, status.age == list_is_stale}};
}

template <class Real>
FullListPass<Real> FullList<Real>::pass(bool ghosts) {
  FullListPass<Real> job;
  job.records = job.neighbours = records_.view().data;
  // By row, as the neighbours in the list: row 0 would be before the memory of the ghosts.
  if (ghosts && received_ghosts_ != nullptr)
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    job.neighbours = reinterpret_cast<const PairRecord<Real>*>(
        reinterpret_cast<std::uintptr_t>(received_ghosts_) -
        static_cast<std::uintptr_t>(locals()) * sizeof(PairRecord<Real>));
  job.list = rows();
  job.locals = locals();
  job.ghosts = ghosts;
  const auto box_matrix = box_.matrix(mixed ? 32 : 52);
  for (std::size_t a = 0; a < 6; ++a) job.box_matrix[a] = static_cast<Real>(box_matrix[a]);
  job.charges = atoms_.charges.data;
  job.ids = atoms_.ids.size > 0 ? atoms_.ids.data : nullptr;
  job.status = device_status_.view().data;
  job.device_box = device_box_;
  return job;
}

template class FullList<float>;
template class FullList<double>;

}  // namespace gsim::md
