// The histories of kernels/transport with sums of doubles in place of fixed-point sums. As in most
// codes, the bits of these sums depend on the order of the histories. All other code is compiled
// from the same source in another namespace.
#define GSIM_TRANSPORT_BENCHMARK_SUMS 1
#define transport_kernels real_sums_transport_kernels
#include "gsim/math/pack.hpp"
#include "kernels/transport/tallies/exact_score.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace transport_kernels {

using FixedPointScore = double;

GSIM_HD double to_fixed_point(double c) { return c; }
GSIM_HD void add_score(WideInteger& sum, double c) { *reinterpret_cast<double*>(&sum) += c; }
GSIM_HD void add_to_sum(const transport::TallySink& sink, std::int32_t /*tally*/, Index at,
                        double c) {
  *reinterpret_cast<double*>(sink.sums + at) += c;
}

template <class R>
class PieceScores {
 public:
  explicit GSIM_HD PieceScores(R score) : before_(score) {}
  GSIM_HD void end_pieces(R score) {
    store(contributions_, score - before_);
    before_ = score;
  }
  GSIM_HD double contribution(int lane) const { return contributions_[lane]; }

 private:
  R before_;
  double contributions_[lanes_of<R>];
};

}  // namespace transport_kernels
GSIM_TARGET_END
#include "kernels/transport/tracking/run_histories.hpp"
#endif
#include "validation/performance/transport_sums.hpp"

GSIM_DEFINE_LAUNCHER(transport_histories_real_sums, transport::HistoriesArgs) {
#if defined(__CUDACC__)
  (void)executor, (void)args;
  launching::no_launcher("transport_histories_real_sums", Target::cuda);
#else
  transport_kernels::run_histories(executor, args);
#endif
}
