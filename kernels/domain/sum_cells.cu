#include "gsim/exec/exact_reduce.hpp"
#include "gsim/math/scalar.hpp"
#include "kernels/domain/sum_cells.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

template <class T>
struct SumCells {
  domain::SumCellsArgs args;

  GSIM_HD double quanta(Index row) const {
    return static_cast<double>(
               static_cast<const T*>(args.elements)[row * args.components + args.component]) *
           args.quanta_per_unit;
  }
  GSIM_HD static bool is_in_range(double quanta) {  // also false for NaN
    return quanta >= -0x1p62 && quanta <= 0x1p62;
  }
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const Index line = i / args.size_x;
    const double q = quanta(args.first + i % args.size_x + line % args.size_y * args.stride_y +
                            line / args.size_y * args.stride_z);
    const bool in_range = is_in_range(q);
    term[0] = in_range ? static_cast<std::int64_t>(round_even(q)) : 0;
    term[1] = in_range ? 0 : 1;
  }
};

#if !defined(__CUDACC__)
/// The same sums as SumCells, a line of cells along x at a time.
template <class T>
struct SumLines : SumCells<T> {
  void add(Index line, WideInteger* sum) const {
    const auto& args = this->args;
    const Index first =
        args.first + line % args.size_y * args.stride_y + line / args.size_y * args.stride_z;
    for (Index x = 0; x < args.size_x; ++x) {
      const double q = this->quanta(first + x);
      if (this->is_in_range(q))
        sum[0] += static_cast<std::int64_t>(round_even(q));
      else
        sum[1] += 1;
    }
  }
};
#endif

template <class T>
void sum_cells(const Executor& executor, const domain::SumCellsArgs& args) {
  const Index lines = args.size_y * args.size_z;
#if defined(__CUDACC__)
  exact_reduce<2>(executor, "sum cells", lines * args.size_x, SumCells<T>{args}, args.sums);
#else
  constexpr Index grain = 16;  // lines per work item of a thread
  exact_reduce<2>(executor, "sum cells", lines, SumLines<T>{{args}}, args.sums, grain);
#endif
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_sum_cells, domain::SumCellsArgs) {
  if (args.element_bytes == 8)
    domain_kernels::sum_cells<double>(executor, args);
  else
    domain_kernels::sum_cells<float>(executor, args);
}
