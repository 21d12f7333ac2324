#include "gsim/domain/particle_health.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/migrator.hpp"
#include "kernels/domain/check_particles.hpp"
#include "src/domain/particles/host_column.hpp"

namespace gsim {
namespace {

constexpr Index no_id = std::numeric_limits<Index>::max();

/// The invalid particle with the lowest id of a rank or of all ranks; exchanged between ranks.
struct Fault {
  Index id = no_id;
  FixedPosition position{};
  Index column = -1;  ///< -1: the particle is outside the box
  Index component = 0;
  double value = 0;
  /// Number of values that are not finite plus number of positions outside the box, of the same
  /// rank or of all ranks.
  Index count = 0;

  auto order() const { return std::array{id, column, component}; }
};

bool is_floating(const ParticleStore::Column& column) {
  return column.type == ElementType::float64 || column.type == ElementType::float32;
}

std::vector<ColumnId> checked_columns(const ParticleStore& store, const ParticleCheck& check) {
  std::vector<ColumnId> columns(check.columns.begin(), check.columns.end());
  for (const ColumnId id : columns)
    if (!is_floating(store.column(id)))
      throw InputError("the column \"" + store.column(id).name +
                       "\" of particles holds integers, which are always finite; leave it out of "
                       "the check");
  for (int c = 0; c < store.columns() && check.columns.empty(); ++c)
    if (is_floating(store.column({c}))) columns.push_back({c});
  return columns;
}

/// The range [lo, hi) in which the upper 32 bits of a particle's fixed-point coordinate along an
/// axis must be.
std::array<std::uint64_t, 2> allowed_range(const Box& box, int axis, bool may_leave_box) {
  if (box.boundary(axis) == Boundary::periodic) return {0, cut_range};
  // The box occupies the middle quarter of the range, and particles at most the middle half.
  if (may_leave_box) return {cut_range / 4, 3 * cut_range / 4};
  return {3 * cut_range / 8, 5 * cut_range / 8};
}

Index count_non_finite(const ParticleStore& store, ColumnId id) {
  const auto& column = store.column(id);
  ExactSum sum;
  domain::CountNonFiniteArgs args;
  args.elements = store.data(id);
  args.element_bytes = static_cast<Index>(element_size(column.type));
  args.size = store.locals() * column.components;
  args.sums = &sum;
  domain_count_non_finite(store.executor(), args);
  return static_cast<Index>(sum.value(1));
}

/// The allowed ranges along all axes; positions and sums are not set.
domain::CountOutsideArgs allowed_ranges(const Box& box, bool may_leave_box) {
  domain::CountOutsideArgs args;
  for (int a = 0; a < 3; ++a) {
    const auto [lo, hi] = allowed_range(box, a, may_leave_box);
    args.lo[a] = lo;
    args.hi[a] = hi;
  }
  return args;
}

/// Replaces `fault` by `other` if that is earlier in the order, and keeps the count of `fault`.
void take_first(Fault& fault, const Fault& other) {
  const Index count = fault.count;
  if (other.order() < fault.order()) fault = other;
  fault.count = count;
}

/// Replaces `fault` by the first non-finite value of the column if that is earlier in the order.
template <class T>
void find_non_finite(const ParticleStore& store, ColumnId id, Fault& fault) {
  const detail::HostBytes bytes(store, id);
  const auto* const values = reinterpret_cast<const T*>(bytes.data());
  const detail::HostColumn<std::int64_t> ids(store, store.id());
  const detail::HostColumn<FixedPosition> positions(store, store.position());
  const Index components = store.column(id).components;
  for (Index i = 0; i < store.locals() * components; ++i)
    if (!std::isfinite(values[i]))
      take_first(fault, {ids[i / components], positions[i / components], id.index, i % components,
                         static_cast<double>(values[i]), 0});
}

/// Counts on the executor; the host reads the columns only if there are invalid particles.
Fault find_fault(const ParticleStore& store, const Box& box, const ParticleCheck& check) {
  Fault fault;
  for (const ColumnId id : checked_columns(store, check)) {
    const Index non_finite = count_non_finite(store, id);
    if (non_finite == 0) continue;
    fault.count += non_finite;
    if (store.column(id).type == ElementType::float64)
      find_non_finite<double>(store, id, fault);
    else
      find_non_finite<float>(store, id, fault);
  }
  domain::CountOutsideArgs outside = allowed_ranges(box, check.may_leave_box);
  ExactSum sum;
  outside.positions = {reinterpret_cast<const FixedPosition*>(store.data(store.position())),
                       store.locals()};
  outside.sums = &sum;
  domain_count_outside(store.executor(), outside);
  if (sum == ExactSum()) return fault;
  fault.count += static_cast<Index>(sum.value(1));
  const detail::HostColumn<std::int64_t> ids(store, store.id());
  const detail::HostColumn<FixedPosition> positions(store, store.position());
  for (Index i = 0; i < store.locals(); ++i)
    for (int a = 0; a < 3; ++a) {
      const std::uint64_t x = cut_coordinate(positions[i].x[a]);
      if (x < outside.lo[a] || x >= outside.hi[a])
        take_first(fault, {ids[i], positions[i], -1, a, 0, 0});
    }
  return fault;
}

std::string describe_fault(const ParticleStore& store, const Box& box, const ParticleCheck& check,
                           const Fault& fault) {
  const Vector3 at = box.to_cartesian(fault.position);
  const std::string where =
      fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g}){}", fault.id, at[0], at[1], at[2],
                  check.step < 0 ? std::string() : fmt::format(", step {},", check.step));
  std::string problem;
  if (fault.column < 0) {
    problem = fmt::format("is outside the box along {}{}", "xyz"[fault.component],
                          check.may_leave_box ? " by more than half a box vector" : "");
  } else {
    const auto& column = store.column({static_cast<int>(fault.column)});
    problem = fmt::format(
        "has the value {} of `{}`{}", fault.value, column.name,
        column.components > 1 ? fmt::format(", component {}", fault.component) : std::string());
  }
  return fmt::format("{} {}; {} invalid {} in all", where, problem, fault.count,
                     fault.count == 1 ? "value or position" : "values or positions");
}

}  // namespace

std::string particle_health(const ParticleStore& store, const Box& box,
                            const ParticleCheck& check) {
  const Fault fault = find_fault(store, box, check);
  return fault.count == 0 ? std::string() : describe_fault(store, box, check, fault);
}

void check_particles(const Communicator& communicator, const ParticleStore& store, const Box& box,
                     const ParticleCheck& check) {
  Fault mine;
  communicator.agree([&] { mine = find_fault(store, box, check); });
  const auto all = communicator.allgather(std::span<const Fault>(&mine, 1));
  Fault first;
  for (const Fault& fault : all) {
    first.count += fault.count;
    take_first(first, fault);
  }
  if (first.count > 0) throw NumericalError(describe_fault(store, box, check, first));
}

std::uint64_t particle_digest(const Communicator& communicator, const ParticleStore& store,
                              std::span<const ColumnId> columns, Index total) {
  const IndexRange mine = partition({0, total}, communicator.size(), communicator.rank());
  Digest digest;
  for (const ColumnId id : columns) {
    const std::vector<std::byte> rows = rows_by_id(communicator, store, id, total);
    const auto row_bytes = static_cast<std::size_t>(store.column(id).row_bytes);
    constexpr Index piece = 16384;  // so that rank 0 need not hold the rows of all ranks
    for (Index first = 0; first < total; first += piece) {
      const Index begin = std::clamp(first, mine.first, mine.last);
      const Index end = std::clamp(first + piece, mine.first, mine.last);
      digest.add_bytes(communicator.gather(
          std::span(rows).subspan(static_cast<std::size_t>(begin - mine.first) * row_bytes,
                                  static_cast<std::size_t>(end - begin) * row_bytes)));
    }
  }
  return communicator.broadcast(digest.value());
}

}  // namespace gsim
