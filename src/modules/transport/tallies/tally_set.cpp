#include "src/modules/transport/tallies/tally_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "kernels/transport/tallies/sink.hpp"

namespace gsim::transport {
namespace {

/// Up to this size each worker has a copy of the sums. Larger sums are shared by all workers: this
/// takes less memory, and two workers seldom access the same value at once.
constexpr Index max_copied_bytes = Index{4} << 20;
/// The number of values that ranks exchange at a time.
constexpr Index exchange_values = Index{1} << 18;

/// The number of copies of the sums of `values` values.
Index copies_of(Index values, int threads) {
  return values * static_cast<Index>(sizeof(TallySum)) <= max_copied_bytes ? threads : 1;
}

template <class T>
Array<T> array_of(const Executor& executor, const std::vector<T>& host) {
  return {executor, std::span<const T>(host)};
}

/// The relative error; 0 where the standard error is 0, also for a mean of 0.
double relative_error_of(const BatchMoments& m) {
  return m.standard_error == 0 ? 0.0 : m.standard_error / std::abs(m.mean);
}

/// The maximum over all ranks of a value that is not negative.
double largest(const Communicator& communicator, double value) {
  return std::bit_cast<double>(communicator.max(std::bit_cast<std::int64_t>(value)));
}

}  // namespace

TallySet::TallySet(Communicator communicator, Executor executor, TallyPlan plan,
                   const BatchPlan& batches)
    : TallySet(std::move(communicator), std::move(executor), plan, batches, whole_part(plan)) {}

TallySet::TallySet(Communicator communicator, Executor executor, TallyPlan plan,
                   const BatchPlan& batches, TallyPart part)
    : communicator_(std::move(communicator)),
      executor_(std::move(executor)),
      plan_(std::move(plan)),
      batch_plan_(batches),
      part_(std::move(part)),
      tallies_(array_of(executor_, part_.tallies)),
      filters_(array_of(executor_, part_.filters)),
      scores_(array_of(executor_, plan_.arrays.scores)),
      meshes_(array_of(executor_, part_.meshes)),
      responses_(array_of(executor_, plan_.arrays.responses)),
      edges_(array_of(executor_, plan_.arrays.edges)),
      maps_(array_of(executor_, plan_.arrays.maps)),
      detectors_(array_of(executor_, plan_.arrays.detectors)),
      copies_(executor_.is_cuda() ? 1 : copies_of(part_.values, executor_.threads())),
      sums_(executor_, copies_ * part_.values),
      faults_(executor_, 1),
      sinks_(executor_, 0),
      rows_(partition({0, plan_.rows}, communicator_.size(), communicator_.rank())),
      statistics_(values_of(rows_).size(), batches.batches, batches.correlated),
      group_totals_(communicator_, plan_, batches.batches, batches.correlated) {
  const int workers = executor_.is_cuda() ? 1 : executor_.threads();
  const bool is_shared = executor_.is_cuda() || (copies_ == 1 && workers > 1);
  std::vector<TallySink> sinks;
  sinks.reserve(static_cast<std::size_t>(workers));
  for (int w = 0; w < workers; ++w)
    sinks.push_back({sums_.view().data + (copies_ > 1 ? w * part_.values : 0), faults_.view().data,
                     is_shared ? 1 : 0});
  sinks_ = array_of(executor_, sinks);
  drop_batch();
}

TallyView TallySet::view() const {
  TallyView v;
  v.tallies = tallies_.view();
  std::ranges::copy(plan_.arrays.tallies_of_estimator, std::begin(v.tallies_of_estimator));
  v.whole_track_tallies = plan_.arrays.whole_track_tallies;
  v.groups = plan_.arrays.groups;
  v.needs_levels = plan_.arrays.needs_levels ? 1 : 0;
  v.needs_time = plan_.arrays.needs_time ? 1 : 0;
  const auto is_cylindrical = [](const TallyMesh& mesh) {
    return mesh.kind == TallyMeshKind::cylindrical;
  };
  v.has_cylinders = std::ranges::any_of(plan_.arrays.meshes, is_cylindrical) ? 1 : 0;
  v.filters = filters_.view();
  v.scores = scores_.view();
  v.meshes = meshes_.view();
  v.responses = responses_.view();
  v.edges = edges_.view();
  v.maps = maps_.view();
  v.detectors = detectors_.view();
  return v;
}

double TallySet::bytes(const TallyPlan& plan, const BatchPlan& batches, int threads, int ranks,
                       Index local_values) {
  const auto values = static_cast<double>(plan.values);
  const auto group_totals = static_cast<double>(GroupTotals::value_count(plan));
  const double sums = static_cast<double>(local_values * copies_of(local_values, threads)) *
                      static_cast<double>(sizeof(TallySum));
  const double values_of_rank = std::ceil(values / ranks) + std::ceil(group_totals / ranks);
  const double exchanged =
      2 * sizeof(TallySum) * std::min(values, static_cast<double>(exchange_values) * ranks);
  const auto& a = plan.arrays;
  const double tables = 8.0 * static_cast<double>(a.responses.size() + a.edges.size()) +
                        4.0 * static_cast<double>(a.maps.size());
  return sums +
         values_of_rank * (BatchStatistics::bytes(batches.batches, batches.correlated) +
                           sizeof(TallySum) + sizeof(double)) +
         (ranks > 1 ? exchanged : 0) + tables;
}

void TallySet::drop_batch() {
  if (sums_.size() > 0)
    executor_.fill_zero(sums_.view().data,
                        static_cast<std::size_t>(sums_.size()) * sizeof(TallySum));
  const TallyFault none;
  faults_.assign(std::span<const TallyFault>(&none, 1));
}

Index TallySet::value_of(Index row) const {
  for (const TallyModel& t : plan_.tallies)
    if (row < t.first_row + t.rows) return t.first_value + (row - t.first_row) * t.columns();
  return plan_.values;
}

IndexRange TallySet::values_of(IndexRange rows) const {
  return {value_of(rows.first), rows.empty() ? value_of(rows.first) : value_of(rows.last)};
}

std::vector<TallySet::Rows> TallySet::rows_of(IndexRange rows) const {
  std::vector<Rows> parts;
  const Index first_value = value_of(rows.first);
  for (std::size_t i = 0; i < plan_.tallies.size(); ++i) {
    const TallyModel& t = plan_.tallies[i];
    const Index first = std::clamp(rows.first - t.first_row, Index{0}, t.rows);
    const Index last = std::clamp(rows.last - t.first_row, first, t.rows);
    parts.push_back({i, {first, last}, t.first_value + first * t.columns() - first_value});
  }
  return parts;
}

void TallySet::check_faults() {
  const std::int32_t mine = faults_.to_host().front().tally;
  const std::int64_t first = communicator_.min(mine);
  if (first == TallyFault::none) return;
  const auto model = static_cast<std::size_t>(plan_.arrays.models[static_cast<std::size_t>(first)]);
  throw NumericalError(fmt::format(
      "tally `{}` has a contribution or a sum beyond 2^40 (1e12) times its unit, or one that is no "
      "number; are weights, cross sections or responses out of proportion?",
      plan_.tallies[model].name));
}

/// The sum of a value over the copies of workers; `range` becomes exceeded where it overflows.
TallySum TallySet::merged(const TallySum* sums, Index value, SumRange& range) const {
  WideInteger total = 0;
  for (Index c = 0; c < copies_; ++c)
    range = combined(range, add_to(total, sums[c * part_.values + value]));
  return transport_kernels::halves_of(total);
}

/// This rank's sums of `values` as bytes: the number of ValueRuns, the ValueRuns (whose `in_part`
/// counts from values.first, and whose `in_all` is 0), and the sums.
std::vector<std::byte> TallySet::packed(const TallySum* sums, IndexRange values,
                                        SumRange& range) const {
  std::vector<ValueRun> runs;
  std::vector<TallySum> merged_sums;
  auto run = std::partition_point(part_.runs.begin(), part_.runs.end(), [&](const ValueRun& r) {
    return r.in_all + r.count <= values.first;
  });
  for (; run != part_.runs.end() && run->in_all < values.last; ++run) {
    const Index first = std::max(run->in_all, values.first);
    const Index last = std::min(run->in_all + run->count, values.last);
    runs.push_back({first - values.first, 0, last - first});
    for (Index v = first; v < last; ++v)
      merged_sums.push_back(merged(sums, run->in_part + v - run->in_all, range));
  }
  if (runs.empty()) return {};
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& span) {
    const auto raw = std::as_bytes(span);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  const auto count = static_cast<Index>(runs.size());
  append(std::span(&count, 1));
  append(std::span(runs));
  append(std::span(merged_sums));
  return bytes;
}

namespace {

/// Adds packed() sums to `sums`.
SumRange add_packed(std::span<const std::byte> bytes, TallySum* sums) {
  if (bytes.empty()) return SumRange::within;
  const auto unpack = [&](auto& value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
  };
  Index count = 0;
  unpack(count);
  std::vector<ValueRun> runs(static_cast<std::size_t>(count));
  for (ValueRun& run : runs) unpack(run);
  SumRange range = SumRange::within;
  for (const ValueRun& run : runs)
    for (Index i = 0; i < run.count; ++i) {
      TallySum sum;
      unpack(sum);
      range = combined(range, add_to(sums[run.in_part + i], sum));
    }
  return range;
}

}  // namespace

/// The sums of the batch over all ranks, of the values that this rank keeps.
std::vector<TallySum> TallySet::collect() {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  std::vector<IndexRange> slices;
  Index max_size = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    slices.push_back(
        values_of(partition({0, plan_.rows}, static_cast<Index>(ranks), static_cast<Index>(r))));
    max_size = std::max(max_size, slices.back().size());
  }
  const IndexRange mine = slices[static_cast<std::size_t>(communicator_.rank())];
  const std::vector<TallySum> host_copy =
      executor_.is_cuda() ? sums_.to_host() : std::vector<TallySum>();
  const TallySum* const sums = executor_.is_cuda() ? host_copy.data() : sums_.view().data;
  std::vector<TallySum> total(static_cast<std::size_t>(mine.size()));
  SumRange range = SumRange::within;
  for (Index done = 0; done < max_size; done += exchange_values) {
    std::vector<std::vector<std::byte>> outgoing;
    outgoing.reserve(ranks);
    for (const IndexRange& slice : slices)
      outgoing.push_back(packed(sums,
                                {std::min(slice.last, slice.first + done),
                                 std::min(slice.last, slice.first + done + exchange_values)},
                                range));
    for (const auto& from : communicator_.exchange(std::move(outgoing)))
      range = combined(range, add_packed(from, total.data() + done));
  }
  check_range(range);
  return total;
}

void TallySet::check_range(SumRange range) const {
  if (communicator_.any(range == SumRange::exceeded))
    throw NumericalError(
        "the sum of a tally over ranks or groups is beyond 2^43 (1e13) times its unit; are "
        "weights, "
        "cross sections or responses out of proportion?");
}

void TallySet::end_batch(const BatchNorm& norm) {
  check_faults();
  const std::vector<TallySum> sums = collect();
  const auto value_of = [&](std::size_t tally, std::size_t score, WideInteger sum) {
    const TallyModel& t = plan_.tallies[tally];
    const double divisor = t.scores[score]->is_per_started_particle ? norm.started : norm.sources;
    return ExactSum(sum).value(score_resolution) * t.units[score] / divisor;
  };
  std::vector<double> values(sums.size());
  for (const Rows& part : rows_of(rows_)) {
    const TallyModel& t = plan_.tallies[part.tally];
    auto at = static_cast<std::size_t>(part.first);
    for (Index row = part.rows.first; row < part.rows.last; ++row)
      for (std::size_t s = 0; s < t.scores.size(); ++s, ++at)
        values[at] = value_of(part.tally, s, transport_kernels::integer_of(sums[at]));
  }
  check_range(group_totals_.add(communicator_, plan_, rows_, sums, value_of));
  statistics_.add(values);
  drop_batch();
}

TriggerResults TallySet::evaluate_triggers() const {
  TriggerResults all;
  // The correlation of generations cannot be estimated from fewer than min_blocks blocks.
  const bool has_reliable_errors = batch_plan_.correlated
                                       ? statistics_.blocks() >= min_blocks
                                       : statistics_.degrees_of_freedom() >= min_degrees;
  for (const Rows& part : rows_of(rows_)) {
    const TallyModel& t = plan_.tallies[part.tally];
    if (!t.trigger.is_set()) continue;
    TriggerResults::Result result{part.tally, has_reliable_errors};
    const Index count = part.rows.size() * t.columns();
    for (Index v = part.first; v < part.first + count; ++v) {
      const BatchMoments m = statistics_.widened_moments(v);
      if (m.mean == 0 && t.trigger.ignore_zeros) continue;
      const bool is_scored = m.standard_error > 0 || m.mean != 0;
      const double error = is_scored ? m.standard_error : std::numeric_limits<double>::infinity();
      const double ratio = is_scored ? relative_error_of(m) : error;
      const bool is_met = (!(t.trigger.relative_error > 0) || ratio <= t.trigger.relative_error) &&
                          (!(t.trigger.absolute_error > 0) || error <= t.trigger.absolute_error);
      if (is_met && !(statistics_.contributing_histories(v) < min_contributing_samples)) continue;
      result.is_met = false;
      result.relative_error = std::max(result.relative_error, ratio);
      result.absolute_error = std::max(result.absolute_error, error);
    }
    result.is_met = !communicator_.any(!result.is_met);
    result.relative_error = largest(communicator_, result.relative_error);
    result.absolute_error = largest(communicator_, result.absolute_error);
    all.results.push_back(result);
  }
  all.has_trigger = !all.results.empty();
  all.all_met =
      all.has_trigger && std::all_of(all.results.begin(), all.results.end(),
                                     [](const TriggerResults::Result& r) { return r.is_met; });
  return all;
}

TallyTable TallySet::own_part(std::size_t tally, TallyErrors errors) const {
  const Rows part = rows_of(rows_)[tally];
  const Index count = part.rows.size() * plan_.tallies[tally].columns();
  TallyTable mine;
  mine.mean.reserve(static_cast<std::size_t>(count));
  mine.standard_error.reserve(static_cast<std::size_t>(count));
  for (Index v = part.first; v < part.first + count; ++v) {
    const BatchMoments m =
        errors == TallyErrors::widened ? statistics_.widened_moments(v) : statistics_.moments(v);
    mine.mean.push_back(m.mean);
    mine.standard_error.push_back(m.standard_error);
  }
  return mine;
}

TallyTable TallySet::table(std::size_t tally, TallyErrors errors) const {
  const TallyTable mine = own_part(tally, errors);
  return {communicator_.allgather(std::span<const double>(mine.mean)),
          communicator_.allgather(std::span<const double>(mine.standard_error))};
}

TallyTable TallySet::table_at_root(std::size_t tally, TallyErrors errors) const {
  const TallyTable mine = own_part(tally, errors);
  return {communicator_.gather(std::span<const double>(mine.mean)),
          communicator_.gather(std::span<const double>(mine.standard_error))};
}

// Sums a digest of each value and its index, so that the result does not depend on which rank keeps
// which values.
std::uint64_t TallySet::digest() const {
  const Index first = values_of(rows_).first;
  std::uint64_t sum = 0;
  for (Index v = 0; v < statistics_.quantities(); ++v) {
    const BatchMoments m = statistics_.moments(v);
    sum += Digest().add(first + v).add(m.mean).add(m.standard_error).value();
  }
  // Halves of 32 bits, whose sums over ranks do not overflow.
  constexpr std::uint64_t low = 0xffffffffu;
  const auto lower =
      static_cast<std::uint64_t>(communicator_.sum(static_cast<std::int64_t>(sum & low)));
  const auto upper =
      static_cast<std::uint64_t>(communicator_.sum(static_cast<std::int64_t>(sum >> 32)));
  return Digest().add(statistics_.batches()).add(lower + (upper << 32)).value();
}

void TallySet::clear() {
  statistics_ =
      BatchStatistics(values_of(rows_).size(), batch_plan_.batches, batch_plan_.correlated);
  group_totals_.clear();
  drop_batch();
}

void TallySet::save(DatasetWriter& writer, const std::string& group) const {
  writer.write(group + "/batches", batches());
  const IndexRange values = values_of(rows_);
  writer.write_rows(group + "/statistics", statistics_.records(), values, plan_.values,
                    statistics_.columns());
  group_totals_.save(writer, group);
}

void TallySet::restore(DatasetReader& reader, const std::string& group) {
  const DatasetShape shape = reader.shape(group + "/statistics");
  if (shape.rows != plan_.values)
    throw InputError(
        fmt::format("the checkpoint contains {} values of tallies, and this run has {}", shape.rows,
                    plan_.values));
  statistics_.restore(reader.read_rows<double>(group + "/statistics", values_of(rows_)),
                      shape.columns, reader.read_value<Index>(group + "/batches"));
  if (const Index max_batches = statistics_.max_batches(); batch_plan_.batches > max_batches) {
    InputError error(fmt::format(
        "transport.batches leaves {} active generations, but the checkpoint is of a shorter run, "
        "whose tallies have statistics for {} at most; set fewer batches, or start afresh without "
        "--resume",
        batch_plan_.batches, max_batches));
    error.mark_agreed();
    throw error;
  }
  group_totals_.restore(reader, group, statistics_.batches());
  drop_batch();
}

}  // namespace gsim::transport
