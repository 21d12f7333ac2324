// Builds full neighbour lists: sorts atoms into bins, and searches the bins around each atom.
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

/// Executes a PackJob: one row for each index, as in the other functors.
template <class Real>
struct PackRecords {
  md::PackJob<Real> job;
  GSIM_HD void operator()(Index k) const {
    const Index i = job.first + k;
    const FixedPosition position = job.positions[i];
    md::PairRecord<Real> record;
    for (int a = 0; a < 3; ++a) set_coordinate(record.x[a], position.x[a]);
    record.type = job.types == nullptr ? 0 : static_cast<decltype(record.type)>(job.types[i]);
    job.records[i] = record;
    if (job.reference == nullptr) return;
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
    domain_kernels::atomic_max(&job.status->age,
                               moved2 <= allowed2 ? md::list_is_aging : md::list_is_stale);
  }
};

/// Executes a BinCountJob.
struct BinCount {
  md::BinCountJob job;
  GSIM_HD void operator()(Index k) const {
    job.places[k] =
        domain_kernels::atomic_increment(job.counts + bin_of(job.grid, job.records[job.first + k]));
  }
};

/// Executes a BinFillJob.
struct BinFill {
  md::BinFillJob job;
  GSIM_HD void operator()(Index k) const {
    const Index i = job.counted.first + k;
    const Index bin = bin_of(job.counted.grid, job.counted.records[i]);
    const Index place = job.first_of_bin[bin] + job.counted.places[k];
    if (job.rows != nullptr) job.rows[place] = static_cast<std::int32_t>(i);
    md::PairRecord<float> record = job.counted.records[i];
    record.type = static_cast<std::uint32_t>(i);
    job.sorted[place] = record;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(full_list_pack_f32, md::PackJob<float>) {
  launch(executor, "md_pack_f32", args.count, md_kernels::PackRecords<float>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_pack_f64, md::PackJob<double>) {
  launch(executor, "md_pack_f64", args.count, md_kernels::PackRecords<double>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_count, md::BinCountJob) {
  launch(executor, "md_bin_count", args.count, md_kernels::BinCount{args});
}
GSIM_DEFINE_LAUNCHER(full_list_fill, md::BinFillJob) {
  launch(executor, "md_bin_fill", args.counted.count, md_kernels::BinFill{args});
}
GSIM_DEFINE_LAUNCHER(full_list_search, md::FullSearchJob) {
  if (args.excluded_first != nullptr)
    md_kernels::search_full_list<true>(executor, args);
  else
    md_kernels::search_full_list<false>(executor, args);
}
