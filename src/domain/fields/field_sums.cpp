#include "gsim/domain/field_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "gsim/core/exact_sum.hpp"
#include "kernels/domain/sum_cells.hpp"
#include "src/domain/fields/field_values.hpp"

namespace gsim {

double sum_quantum(double largest) {
  GSIM_VALIDATE(std::isfinite(largest) && largest >= 0x1p-900,
                "values of cells up to " + std::to_string(largest) + " cannot be summed",
                "choose units in which they are nearer to 1");
  int exponent = 0;
  const double mantissa = std::frexp(largest, &exponent);  // largest = mantissa * 2^exponent
  return std::ldexp(1.0, exponent - (mantissa == 0.5 ? 63 : 62));  // at most 2^62 quanta
}

namespace {

/// The first value of a rank that cannot be summed, as exchanged between ranks.
struct BadCell {
  Index exists = 0;
  Index z = 0, y = 0, x = 0, component = 0;
  double value = 0;

  auto order() const { return std::array{1 - exists, z, y, x, component}; }
};

template <class T>
BadCell first_bad_cell(const Field& field, double largest) {
  const FieldLayout& layout = field.layout();
  const int components = field.components();
  std::vector<T> values(static_cast<std::size_t>(layout.rows * components));
  field.executor().copy_to_host(values.data(), field.data(), values.size() * sizeof(T));
  const CellBlock& block = layout.block;
  for (Index z = block.lo[2]; z < block.hi[2]; ++z)
    for (Index y = block.lo[1]; y < block.hi[1]; ++y)
      for (Index x = block.lo[0]; x < block.hi[0]; ++x)
        for (int c = 0; c < components; ++c) {
          const auto at = static_cast<std::size_t>(layout.row(x, y, z) * components + c);
          const auto value = static_cast<double>(values[at]);
          if (!(std::abs(value) <= largest)) return {1, z, y, x, c, value};
        }
  return {};
}

/// Throws a NumericalError that names the first cell of the grid (x varies fastest) whose value
/// exceeds `largest` in magnitude or is NaN, and the number of such values, `count`.
[[noreturn]] void fail_at_first(const Communicator& communicator, const Field& field,
                                double largest, const FieldLabel& label, Index count) {
  const bool is_double = field.row_bytes() / field.components() == Index{sizeof(double)};
  const BadCell mine =
      is_double ? first_bad_cell<double>(field, largest) : first_bad_cell<float>(field, largest);
  const auto all = communicator.allgather(std::span<const BadCell>(&mine, 1));
  const BadCell& first =
      *std::min_element(all.begin(), all.end(),
                        [](const BadCell& a, const BadCell& b) { return a.order() < b.order(); });
  const std::string_view name = label.name.empty() ? field.quantity().name : label.name;
  const std::string reason =
      largest < std::numeric_limits<double>::max()
          ? fmt::format(
                "not finite or greater than {:.3g} in magnitude, the largest that can be summed",
                largest)
          : std::string("not finite");
  throw NumericalError(fmt::format(
      "{}{}: cell ({}, {}, {}){} has the value {}; in total, {} {} {}",
      name.empty() ? std::string("a field") : fmt::format("field `{}`", name),
      label.step < 0 ? std::string() : fmt::format(" at step {}", label.step), first.x, first.y,
      first.z, field.components() > 1 ? fmt::format(", component {},", first.component) : "",
      first.value, count, count == 1 ? "value is" : "values are", reason));
}

}  // namespace

std::vector<double> sum_cells(const Communicator& communicator, Field& field, double quantum,
                              const FieldLabel& label) {
  const FieldLayout& layout = field.layout();
  domain::SumCellsArgs args;
  args.elements = field.data();
  args.components = field.components();
  args.element_bytes = field.row_bytes() / field.components();
  args.first = layout.rows > 0 ? layout.row(layout.block.lo) : 0;
  args.size_x = layout.block.size(0);
  args.size_y = layout.block.size(1);
  args.size_z = layout.block.size(2);
  args.stride_y = layout.stride[1];
  args.stride_z = layout.stride[2];
  args.quanta_per_unit = 1 / quantum;
  std::vector<ExactSum> sums(2 * static_cast<std::size_t>(field.components()));
  for (int c = 0; c < field.components() && !layout.block.empty(); ++c) {
    args.component = c;
    args.sums = &sums[2 * static_cast<std::size_t>(c)];
    domain_sum_cells(field.executor(), args);
  }
  communicator.sum(sums);
  std::vector<double> values;
  Index bad = 0;
  for (std::size_t c = 0; c < sums.size(); c += 2) {
    bad += static_cast<Index>(sums[c + 1].value(1));
    values.push_back(sums[c].value(quantum));
  }
  if (bad > 0) fail_at_first(communicator, field, quantum * 0x1p62, label, bad);
  return values;
}

std::vector<double> sum_cells(const Communicator& communicator, Field& field,
                              const FieldLabel& label) {
  std::vector<Superaccumulator> sums(static_cast<std::size_t>(field.components()));
  domain::AddValuesArgs args{domain::values_of(field), nullptr};
  for (int c = 0; c < field.components() && !field.layout().block.empty(); ++c) {
    args.values.component = c;
    args.sums = &sums[static_cast<std::size_t>(c)];
    domain_add_values(field.executor(), args);
  }
  communicator.sum(std::span<Superaccumulator>(sums));
  std::vector<double> values;
  Index bad = 0;
  for (const Superaccumulator& sum : sums) {
    bad += sum.not_finite();
    values.push_back(sum.value());
  }
  if (bad > 0) fail_at_first(communicator, field, std::numeric_limits<double>::max(), label, bad);
  return values;
}

}  // namespace gsim
