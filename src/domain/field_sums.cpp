#include "gsim/domain/field_sums.hpp"

#include <array>
#include <cmath>
#include <string>

#include "gsim/core/exact_sum.hpp"
#include "kernels/domain/sum_cells.hpp"

namespace gsim {

double sum_quantum(double largest) {
  GSIM_VALIDATE(std::isfinite(largest) && largest >= 0x1p-900,
                "values of cells up to " + std::to_string(largest) + " cannot be summed",
                "choose units in which they are nearer to 1");
  int exponent = 0;
  const double mantissa = std::frexp(largest, &exponent);  // largest = mantissa * 2^exponent
  return std::ldexp(1.0, exponent - (mantissa == 0.5 ? 63 : 62));
}

std::vector<double> sum_cells(const Communicator& communicator, Field& field, double quantum) {
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
  for (std::size_t c = 0; c < sums.size(); c += 2) {
    if (sums[c + 1] != ExactSum())
      throw NumericalError("component " + std::to_string(c / 2) + " of a field has " +
                           std::to_string(static_cast<Index>(sums[c + 1].value(1))) +
                           " cells whose values are not finite or out of the range of their sum");
    values.push_back(sums[c].value(quantum));
  }
  return values;
}

}  // namespace gsim
