// Builds full neighbour lists: sorts atoms into bins, and searches the bins around each atom.
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/domain/atomics.hpp"
#include "kernels/md/neighbour_lists/full_list_bins.hpp"
#include "kernels/md/neighbour_lists/full_list_jobs.hpp"
#include "kernels/md/neighbour_lists/full_search.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Converts a 64-bit fixed-point coordinate to the integer of which pair forces take differences:
/// in single precision its high 32 bits, rounded; in double precision the coordinate without its
/// lowest 12 bits, so that differences are exact in a double.
GSIM_HD void set_coordinate(std::uint32_t& to, std::uint64_t x) {
  to = static_cast<std::uint32_t>((x + 0x80000000u) >> 32);
}
GSIM_HD void set_coordinate(std::uint64_t& to, std::uint64_t x) { to = x & ~std::uint64_t{0xfff}; }

/// The record of a row.
template <class Real>
GSIM_HD md::PairRecord<Real> record_of(const md::PositionsAndTypes& atoms, Index row) {
  const FixedPosition position = atoms.positions[row];
  md::PairRecord<Real> record;
  for (int a = 0; a < 3; ++a) set_coordinate(record.x[a], position.x[a]);
  record.type = atoms.types == nullptr ? 0 : static_cast<decltype(record.type)>(atoms.types[row]);
  return record;
}

/// Executes a PackJob: one row for each index, as in the other functors, then those that are sent.
template <class Real>
struct PackRecords {
  md::PackJob<Real> job;
  GSIM_HD void operator()(Index k) const {
    if (k >= job.count) {
      const Index s = k - job.count;
      job.sent_records[s] = record_of<Real>(job.atoms, job.sent_rows[s]);
      return;
    }
    const Index i = job.first + k;
    job.records[i] = record_of<Real>(job.atoms, i);
    if (job.reference == nullptr) return;
    if (k == 0 && job.status->overlap != md::no_particle) job.flags->overlap = job.status->overlap;
    const FixedPosition position = job.atoms.positions[i];
    std::uint32_t now[3];
    for (int a = 0; a < 3; ++a) set_coordinate(now[a], position.x[a]);
    const md::PairRecord<float> then = job.reference[i];
    const float moved2 = distance2(job.box_matrix, now, then.x);
    float aging2 = job.aging2, allowed2 = job.allowed2;
    if (job.device_box != nullptr) {
      aging2 = job.device_box->aging2;
      allowed2 = job.device_box->allowed2;
    }
    if (moved2 <= aging2) return;
    const md::ListAge age = moved2 <= allowed2 ? md::list_is_aging : md::list_is_stale;
    if (domain_kernels::atomic_max(&job.status->age, age) < age) job.flags->reached[age] = 1;
  }
};

/// Executes a BinCountJob.
template <class Real>
struct BinCount {
  md::BinCountJob<Real> job;
  GSIM_HD void operator()(Index row) const {
    if (row == 0) {
      job.status->age = md::list_is_new;
      if (job.clears_overlap) job.status->overlap = md::no_particle;
    }
    job.records[row] = record_of<Real>(job.atoms, row);
    const md::PairRecord<float> record = record_of<float>({job.atoms.positions, nullptr}, row);
    const md::BinningJob& to = job.binning;
    to.records[row] = record;
    to.places[row] = domain_kernels::atomic_increment(to.counts + bin_of(to.grid, record));
  }
};

/// Executes a BinFillJob.
struct BinFill {
  md::BinFillJob job;
  GSIM_HD void operator()(Index row) const {
    md::PairRecord<float> record = job.binning.records[row];
    const Index place =
        job.binning.counts[bin_of(job.binning.grid, record)] + job.binning.places[row];
    for (Index bin = row; bin < job.cleared.size; bin += job.binning.rows) job.cleared[bin] = 0;
    if (job.rows != nullptr) job.rows[place] = static_cast<std::int32_t>(row);
    if (job.records == nullptr) return;
    record.type = static_cast<std::uint32_t>(row);
    job.records[place] = record;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(full_list_pack_f32, md::PackJob<float>) {
  launch(executor, "md_pack_f32", args.count + args.sent, md_kernels::PackRecords<float>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_pack_f64, md::PackJob<double>) {
  launch(executor, "md_pack_f64", args.count + args.sent, md_kernels::PackRecords<double>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_count_f32, md::BinCountJob<float>) {
  launch(executor, "md_bin_count_f32", args.binning.rows, md_kernels::BinCount<float>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_count_f64, md::BinCountJob<double>) {
  launch(executor, "md_bin_count_f64", args.binning.rows, md_kernels::BinCount<double>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_fill, md::BinFillJob) {
  launch(executor, "md_bin_fill", args.binning.rows, md_kernels::BinFill{args});
}
GSIM_DEFINE_LAUNCHER(full_list_search, md::FullSearchJob) {
  if (args.is_orthogonal)
    md_kernels::search_full_list<true>(executor, args);
  else
    md_kernels::search_full_list<false>(executor, args);
}
