#include "gsim/exec/exact_reduce.hpp"
#include "kernels/domain/check_particles.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

template <class T>
struct CountNonFinite {
  const T* elements;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    term[0] =
        elements[i] - elements[i] == 0 ? 0 : 1;  // the difference is NaN for NaN and infinities
  }
};

struct CountOutside {
  domain::CountOutsideArgs args;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    bool is_inside = true;
    for (int a = 0; a < 3; ++a) {
      const std::uint64_t x = args.positions[i].x[a] >> 32;
      is_inside = is_inside && args.lo[a] <= x && x < args.hi[a];
    }
    term[0] = is_inside ? 0 : 1;
  }
};

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_count_non_finite, domain::CountNonFiniteArgs) {
  using namespace domain_kernels;
  if (args.element_bytes == 8)
    exact_reduce<1>(executor, "count_non_finite", args.size,
                    CountNonFinite<double>{static_cast<const double*>(args.elements)}, args.sums);
  else
    exact_reduce<1>(executor, "count_non_finite", args.size,
                    CountNonFinite<float>{static_cast<const float*>(args.elements)}, args.sums);
}

GSIM_DEFINE_LAUNCHER(domain_count_outside, domain::CountOutsideArgs) {
  exact_reduce<1>(executor, "count_outside", args.positions.size,
                  domain_kernels::CountOutside{args}, args.sums);
}
