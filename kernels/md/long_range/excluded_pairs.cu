#include "gsim/exec/exact_reduce.hpp"
#include "gsim/math/erf.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/long_range/excluded_pairs.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

inline constexpr double two_over_root_pi = 1.12837916709551257390;

/// erf(x) / x, x >= 0.
template <Real R>
GSIM_HD R erf_quotient(R x) {
  const auto is_zero = x == R(0.0);
  return select(is_zero, R(two_over_root_pi), erf<Strict>(x) / select(is_zero, R(1.0), x));
}

/// (2/sqrt(pi) e^(-z) - erf(x) / x) / z for z = x^2, which is 1/x d/dx (erf(x) / x). Below z = 1/4
/// by its series 2/sqrt(pi) sum_n (-1)^n 2 z^(n - 1) / ((n - 1)! (2 n + 1)), n = 1 … 13.
template <Real R>
GSIM_HD R erf_quotient_slope(R z, R quotient) {
  constexpr double c = 2 * two_over_root_pi;
  const R series = detail::polynomial(
      z, -c / 3, c / 5, -c / (2 * 7), c / (6 * 9), -c / (24 * 11), c / (120 * 13), -c / (720 * 15),
      c / (5040.0 * 17), -c / (40320.0 * 19), c / (362880.0 * 21), -c / (3628800.0 * 23),
      c / (39916800.0 * 25), -c / (479001600.0 * 27));
  const auto is_small = z < R(0.25);
  const R far = fma(R(two_over_root_pi), exp<Strict>(-z), -quotient);
  return select(is_small, series, far / select(is_small, R(1.0), z));
}

struct ExcludedPairs {
  using R = packed<double>;
  using U = rebind<R, std::uint64_t>;
  static constexpr int lanes = lanes_of<R>;
  static_assert(md::excluded_padding % lanes == 0);

  md::ExcludedPairsJob job;

  /// The difference of two coordinates in units of 2^-52. The lowest 12 bits are cleared, so that
  /// the difference is exact and exchanging the atoms changes only its sign.
  static GSIM_HD R difference(U a, U b) {
    const U high_bits(~std::uint64_t{0xfff});
    return convert<double>(bit_cast_to<std::int64_t>((a & high_bits) - (b & high_bits)) >> 12);
  }
  /// Stores a b, rounded to integers.
  static GSIM_HD void store_rounded_product(std::int64_t* to, R a, R b) {
    // Added to a double, it leaves the rounded number in the low bits (Format::rounder).
    constexpr double rounder = 0x1.8p52;
    using I = rebind<R, std::int64_t>;
    store(to,
          bit_cast_to<std::int64_t>(fma(a, b, R(rounder))) - I(bit_cast_to<std::int64_t>(rounder)));
  }

  GSIM_HD void operator()(Index pack) const {
    const Index at = pack * lanes;
    std::uint64_t x[2][3][lanes];
    double q[2][lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::int32_t rows[2] = {job.first[at + l], job.second[at + l]};
      for (int s = 0; s < 2; ++s) {
        for (int a = 0; a < 3; ++a) x[s][a][l] = job.position[rows[s]].x[a];
        q[s][l] = job.charge[rows[s]];
      }
    }
    R u[3];
    for (int a = 0; a < 3; ++a) u[a] = difference(load<U>(x[0][a]), load<U>(x[1][a]));
    const double* m = job.box_matrix;
    const R d[3] = {fma(R(m[4]), u[2], fma(R(m[3]), u[1], m[0] * u[0])),
                    fma(R(m[5]), u[2], m[1] * u[1]), m[2] * u[2]};
    const R r2 = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
    const R z = (job.alpha * job.alpha) * r2;
    const R charges = load<R>(q[0]) * load<R>(q[1]);
    const R quotient = erf_quotient(sqrt(z));
    const R slope = charges * erf_quotient_slope(z, quotient);
    const Index stride = job.first.size;
    std::int64_t* const to = job.terms.data + at;
    const R f = slope * job.force_scale;
    for (int a = 0; a < 3; ++a) store_rounded_product(to + a * stride, f, d[a]);
    if (!job.with_sums) return;
    store_rounded_product(to + 3 * stride, charges * quotient, R(-job.energy_scale));
    const R w = slope * job.virial_scale;
    // xx, yy, zz, xy, xz, yz
    constexpr int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int v = 0; v < 6; ++v)
      store_rounded_product(to + (4 + v) * stride, w * d[rows[v]], d[columns[v]]);
  }
};

/// Adds the terms of the pairs of an owned atom to its force.
struct ExcludedForces {
  md::ExcludedPairsJob job;
  GSIM_HD void operator()(Index i) const {
    for (int a = 0; a < 3; ++a) {
      std::int64_t sum = 0;
      for (Index p = job.begin[i]; p < job.begin[i + 1]; ++p)
        sum += job.terms[a * job.first.size + p];
      job.force[3 * i + a] += sum;
    }
  }
};

/// Reads energy and virial of a pair, for their sums over all pairs.
struct ExcludedSums {
  md::ExcludedPairsJob job;
  GSIM_HD void operator()(Index p, std::int64_t* term) const {
    for (int k = 0; k < 7; ++k) term[k] = job.terms[(3 + k) * job.first.size + p];
  }
};

/// Executes ExcludedRowsArgs: index i is an owned atom, or the end of the list.
struct ExcludedRows {
  md::ExcludedRowsArgs args;
  GSIM_HD void operator()(Index i) const {
    const bool is_end = i + 1 == args.begin.size;
    const Index last = is_end ? args.first.size : args.begin[i + 1];
    for (Index p = args.begin[i]; p < last; ++p) {
      args.first[p] = is_end ? 0 : static_cast<std::int32_t>(i);
      args.second[p] = is_end ? 0 : args.partner[p];
      if (!is_end && args.partner[p] < 0) note_lowest_id(args.missing, args.ids[i]);
    }
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_excluded_rows, md::ExcludedRowsArgs) {
  launch(executor, "excluded rows", args.begin.size, md_kernels::ExcludedRows{args});
}

GSIM_DEFINE_LAUNCHER(md_excluded_pairs, md::ExcludedPairsJob) {
  using namespace md_kernels;
  const Index atoms = args.begin.size - 1;
  launch(executor, "excluded pairs", args.first.size / ExcludedPairs::lanes, ExcludedPairs{args});
  launch(executor, "excluded forces", atoms, ExcludedForces{args});
  if (args.with_sums)
    exact_reduce<7>(executor, "excluded sums", args.pairs, ExcludedSums{args}, args.sums);
}
