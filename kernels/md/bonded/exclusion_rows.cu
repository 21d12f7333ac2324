#include "kernels/md/bonded/exclusion_rows.hpp"
#include "kernels/md/bonded/partner_code.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct CountExclusions {
  md::ExclusionRowsArgs args;
  GSIM_HD void operator()(Index i) const {
    const std::int64_t* const codes = args.column + i * args.capacity;
    std::int32_t count = 0;
    while (count < args.capacity && codes[count] >= 0) ++count;
    args.first[i] = count;
  }
};

struct ListExclusions {
  md::ExclusionRowsArgs args;
  GSIM_HD void operator()(Index i) const {
    const std::int64_t* code = args.column + i * args.capacity;
    for (Index p = args.first[i]; p < args.first[i + 1]; ++p, ++code) {
      args.rows[p] = args.table.find(md::partner_id(*code));
      args.codes[p] = *code;
    }
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_count_exclusions, md::ExclusionRowsArgs) {
  launch(executor, "count exclusions", args.locals, md_kernels::CountExclusions{args});
}
GSIM_DEFINE_LAUNCHER(md_list_exclusions, md::ExclusionRowsArgs) {
  launch(executor, "list exclusions", args.locals, md_kernels::ListExclusions{args});
}
