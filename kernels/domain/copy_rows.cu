#include "kernels/domain/copy_rows.hpp"

#if !defined(__CUDACC__)
#include <cstring>
#endif

GSIM_TARGET_BEGIN
namespace domain_kernels {

/// Copies `bytes` bytes, on the device in units of 8 or 4 bytes to which addresses must be aligned.
GSIM_HD void copy_row(std::byte* to, const std::byte* from, Index bytes) {
#if defined(__CUDA_ARCH__)
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if (((places | static_cast<std::uintptr_t>(bytes)) & 7) == 0) {
    for (Index b = 0; b < bytes; b += 8)
      *reinterpret_cast<std::uint64_t*>(to + b) = *reinterpret_cast<const std::uint64_t*>(from + b);
  } else {
    for (Index b = 0; b < bytes; b += 4)
      *reinterpret_cast<std::uint32_t*>(to + b) = *reinterpret_cast<const std::uint32_t*>(from + b);
  }
#else
  switch (bytes) {  // constant sizes compile to single moves
    case 4:
      __builtin_memcpy(to, from, 4);
      break;
    case 8:
      __builtin_memcpy(to, from, 8);
      break;
    case 12:
      __builtin_memcpy(to, from, 12);
      break;
    case 24:
      __builtin_memcpy(to, from, 24);
      break;
    default:
      __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
  }
#endif
}

/// Copies row i of those that `args` selects.
GSIM_HD void copy_selected_row(const domain::CopyRowsArgs& args, Index i) {
  const Index from = args.from_rows != nullptr ? args.from_rows[i] : i;
  const Index to = args.to_rows != nullptr ? args.to_rows[i] : i;
  for (int c = 0; c < args.columns; ++c) {
    const domain::ColumnCopy& column = args.column[c];
    copy_row(column.to + to * column.to_stride, column.from + from * column.from_stride,
             column.bytes);
  }
}

struct CopyRows {
  domain::CopyRowsArgs args;
  GSIM_HD void operator()(Index i) const { copy_selected_row(args, i); }
};

struct CopyTwoRowSets {
  domain::CopyTwoRowSetsArgs args;
  GSIM_HD void operator()(Index i) const {
    if (i < args.first.rows)
      copy_selected_row(args.first, i);
    else
      copy_selected_row(args.second, i - args.first.rows);
  }
};

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_copy_rows, domain::CopyRowsArgs) {
  launch(executor, "copy particle rows", args.rows, domain_kernels::CopyRows{args});
}

GSIM_DEFINE_LAUNCHER(domain_copy_two_row_sets, domain::CopyTwoRowSetsArgs) {
  launch(executor, "copy two sets of particle rows", args.first.rows + args.second.rows,
         domain_kernels::CopyTwoRowSets{args});
}
