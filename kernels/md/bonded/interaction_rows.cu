#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/bonded/interaction_rows.hpp"
#include "kernels/md/bonded/partner_code.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The rows [first, last) of the block that contains row i.
struct BlockOfRow {
  std::int32_t first, last;
  GSIM_HD BlockOfRow(const md::InteractionRows& rows, Index i)
      : first(static_cast<std::int32_t>(i) / rows.block_rows * rows.block_rows),
        last(first + rows.block_rows) {
    if (last > rows.locals) last = static_cast<std::int32_t>(rows.locals);
  }
  GSIM_HD bool contains(std::int32_t row) const { return row >= first && row < last; }
};

/// Finds the rows of the tuples of row i, and counts the entries that they add to each list.
template <int n>
struct FindTupleRows {
  md::TupleRows job;

  /// Whether the tuple of a slot is listed at row i. `rows` receives the rows of its partners.
  GSIM_HD bool find(Index i, const BlockOfRow& block, const std::int64_t* partners, int index,
                    std::int32_t* rows) const {
    for (int k = 0, p = 0; k < n; ++k) {
      if (k == index) continue;
      const std::int32_t row = job.table.find(partners[p]);
      if (row < 0) note_lowest_id(job.missing, job.ids[i]);
      if (row < 0 || (k < index && block.contains(row))) return false;
      rows[p++] = row;
    }
    return true;
  }

  GSIM_HD void operator()(Index i) const {
    const BlockOfRow block(job, i);
    for (Index slot = i * job.capacity; slot < (i + 1) * job.capacity; ++slot) {
      const std::int32_t code = job.codes[slot];
      if (code < 0) break;
      std::int32_t* const rows = job.rows + slot * (n - 1);
      if (find(i, block, job.partners + slot * (n - 1), code % n, rows))
        ++job.counts[job.list_of[code / n] * job.locals + i];
      else
        rows[0] = -1;
    }
  }
};

/// Writes the tuples that row i adds to a list.
template <int n>
struct ListTuples {
  md::TupleListArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::TupleRows& from = args.from;
    const std::int32_t* const counts = from.counts + args.to.list * from.locals;
    Index to = counts[i] - counts[0];
    for (Index slot = i * from.capacity; slot < (i + 1) * from.capacity; ++slot) {
      const std::int32_t code = from.codes[slot];
      if (code < 0) break;
      const std::int32_t* const rows = from.rows + slot * (n - 1);
      if (rows[0] < 0 || from.list_of[code / n] != args.to.list) continue;
      const int index = code % n;
      for (int k = 0; k < n; ++k)
        args.to.row[k][to] =
            k == index ? static_cast<std::int32_t>(i) : rows[k < index ? k : k - 1];
      args.to.type[to++] = code / n;
    }
  }
};

/// Whether an entry of the exclusions of row i is a scaled pair that is listed there: in a block
/// that contains both atoms, at the one with the lower id.
GSIM_HD bool lists_scaled_pair(const md::ScaledPairRows& job, Index i, const BlockOfRow& block,
                               Index entry) {
  if (md::bonds_between(job.codes[entry]) != 3) return false;
  const std::int32_t row = job.partner_rows[entry];
  if (row < 0) note_lowest_id(job.missing, job.ids[i]);
  return row >= 0 && (job.ids[i] < job.ids[row] || !block.contains(row));
}

struct CountScaledPairs {
  md::ScaledPairRows job;
  GSIM_HD void operator()(Index i) const {
    const BlockOfRow block(job, i);
    std::int32_t count = 0;
    for (Index p = job.first[i]; p < job.first[i + 1]; ++p)
      count += lists_scaled_pair(job, i, block, p) ? 1 : 0;
    job.counts[job.list * job.locals + i] = count;
  }
};

/// The atom with the lower id is first, on all ranks that compute the pair.
struct ListScaledPairs {
  md::ScaledPairListArgs args;
  GSIM_HD void operator()(Index i) const {
    const md::ScaledPairRows& from = args.from;
    const BlockOfRow block(from, i);
    const std::int32_t* const counts = from.counts + from.list * from.locals;
    Index to = counts[i] - counts[0];
    for (Index p = from.first[i]; p < from.first[i + 1]; ++p) {
      if (!lists_scaled_pair(from, i, block, p)) continue;
      const auto own = static_cast<std::int32_t>(i);
      const std::int32_t partner = from.partner_rows[p];
      const bool is_first = from.ids[own] < from.ids[partner];
      const std::int32_t low = is_first ? own : partner, high = is_first ? partner : own;
      args.to.row[0][to] = low;
      args.to.row[1][to] = high;
      args.to.type[to++] = from.types[low] * from.kinds + from.types[high];
    }
  }
};

struct ListSizes {
  md::ListSizesArgs args;
  GSIM_HD void operator()(Index list) const {
    const std::int32_t* const counts = args.counts + list * args.locals;
    args.sizes[list] = static_cast<std::uint64_t>(counts[args.locals] - counts[0]);
  }
};

/// Launches the functor for tuples of `atoms` atoms.
template <template <int> class Functor, class Args>
void launch_for(const Executor& executor, const char* label, int atoms, Index count,
                const Args& args) {
  switch (atoms) {
    case 2:
      return launch(executor, label, count, Functor<2>{args});
    case 3:
      return launch(executor, label, count, Functor<3>{args});
    default:
      return launch(executor, label, count, Functor<4>{args});
  }
}

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_find_tuple_rows, md::TupleRows) {
  md_kernels::launch_for<md_kernels::FindTupleRows>(executor, "find tuple rows", args.atoms,
                                                    args.locals, args);
}
GSIM_DEFINE_LAUNCHER(md_list_tuples, md::TupleListArgs) {
  md_kernels::launch_for<md_kernels::ListTuples>(executor, "list tuples", args.from.atoms,
                                                 args.from.locals, args);
}
GSIM_DEFINE_LAUNCHER(md_count_scaled_pairs, md::ScaledPairRows) {
  launch(executor, "count 1-4 pairs", args.locals, md_kernels::CountScaledPairs{args});
}
GSIM_DEFINE_LAUNCHER(md_list_scaled_pairs, md::ScaledPairListArgs) {
  launch(executor, "list 1-4 pairs", args.from.locals, md_kernels::ListScaledPairs{args});
}
GSIM_DEFINE_LAUNCHER(md_list_sizes, md::ListSizesArgs) {
  launch(executor, "list sizes", args.lists, md_kernels::ListSizes{args});
}
