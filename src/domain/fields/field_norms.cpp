#include "gsim/domain/field_norms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>

#include "gsim/core/misuse.hpp"
#include "gsim/core/ordered_real.hpp"
#include "src/domain/fields/field_values.hpp"

namespace gsim {
namespace {

using domain::FieldValues;

/// The values of `a` minus those of `b`.
FieldValues difference_of(const Field& a, const Field& b) {
  if (!(a.layout() == b.layout()) || a.row_bytes() != b.row_bytes() ||
      a.components() != b.components())
    throw MisuseError(
        "two fields whose difference is taken have different layouts, elements or components; use "
        "two fields of the same kind");
  FieldValues values = domain::values_of(a);
  values.subtracted = b.data();
  return values;
}

/// The smallest key (gsim/core/ordered_real.hpp) of the cells of a rank, and the cell that has it;
/// is_missing is 1 on a rank without cells.
struct RankMinimum {
  Index is_missing = 1;
  std::int64_t key = 0;
  Index z = 0, y = 0, x = 0;

  auto order() const { return std::tie(is_missing, key, z, y, x); }
};

RankMinimum minimum_of(const MinimalKey& found, const CellBlock& block) {
  if (found.index < 0) return {};
  const Index line = found.index / block.size(0);
  return {0, found.key, block.lo[2] + line / block.size(1), block.lo[1] + line % block.size(1),
          block.lo[0] + found.index % block.size(0)};
}

std::vector<FieldExtremes> find_extremes(const Communicator& communicator, const Field& field,
                                         FieldValues values) {
  const CellBlock& block = field.layout().block;
  std::vector<RankMinimum> mine;
  for (int c = 0; c < field.components(); ++c) {
    std::array<MinimalKey, 2> minima;
    values.component = c;
    if (!block.empty()) domain_find_extremes(field.executor(), {values, minima.data()});
    for (const MinimalKey& found : minima) mine.push_back(minimum_of(found, block));
  }
  const auto all = communicator.allgather(std::span<const RankMinimum>(mine));
  std::vector<FieldExtremes> extremes;
  for (std::size_t c = 0; c < mine.size(); c += 2) {
    const auto best_of = [&](std::size_t first) {
      RankMinimum best = all[first];
      for (std::size_t i = first; i < all.size(); i += mine.size())
        if (all[i].order() < best.order()) best = all[i];
      return best;
    };
    const RankMinimum low = best_of(c), high = best_of(c + 1);
    if (low.is_missing != 0)
      throw MisuseError("a grid without cells has no extrema; use one cell or more");
    extremes.push_back({{minimum_of_key(low.key), {low.x, low.y, low.z}},
                        {maximum_of_key(high.key), {high.x, high.y, high.z}}});
  }
  return extremes;
}

std::vector<FieldNorms> find_norms(const Communicator& communicator, const Field& field,
                                   FieldValues values) {
  constexpr std::size_t sums_per_component = 3;
  std::vector<Superaccumulator> sums(sums_per_component *
                                     static_cast<std::size_t>(field.components()));
  const std::vector<FieldExtremes> extremes = find_extremes(communicator, field, values);
  for (int c = 0; c < field.components() && !field.layout().block.empty(); ++c) {
    values.component = c;
    domain_add_norms(field.executor(),
                     {values, &sums[sums_per_component * static_cast<std::size_t>(c)]});
  }
  communicator.sum(std::span<Superaccumulator>(sums));
  std::vector<FieldNorms> norms;
  for (std::size_t c = 0; c < extremes.size(); ++c) {
    const Superaccumulator* const sum = &sums[sums_per_component * c];
    // If one extreme is NaN, both are.
    norms.push_back(
        {sum[0].value(), sum[1].value(), sum[2].root(),
         std::max(std::abs(extremes[c].minimum.value), std::abs(extremes[c].maximum.value))});
  }
  return norms;
}

}  // namespace

std::vector<FieldExtremes> extremes(const Communicator& communicator, const Field& field) {
  return find_extremes(communicator, field, domain::values_of(field));
}

std::vector<FieldExtremes> extremes_of_difference(const Communicator& communicator, const Field& a,
                                                  const Field& b) {
  return find_extremes(communicator, a, difference_of(a, b));
}

std::vector<FieldNorms> norms(const Communicator& communicator, const Field& field) {
  return find_norms(communicator, field, domain::values_of(field));
}

std::vector<FieldNorms> norms_of_difference(const Communicator& communicator, const Field& a,
                                            const Field& b) {
  return find_norms(communicator, a, difference_of(a, b));
}

}  // namespace gsim
