// Loads positions of clustered atoms. The CUDA executor has no clusters.
#include "gsim/math/pack.hpp"
#include "kernels/md/neighbour_lists/cluster_moves.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

using Pair64 = vec::Vec<std::uint64_t, 2>;
using Four32 = vec::Vec<std::uint32_t, 4>;

/// The coordinates of four atoms along each axis, two atoms in a register.
struct FourAtoms {
  Pair64 x[3][2];

  GSIM_HD FourAtoms(const FixedPosition* positions, const std::int32_t* rows) {
    for (int half = 0; half < 2; ++half) {
      const auto& a = positions[rows[2 * half]].x;
      const auto& b = positions[rows[2 * half + 1]].x;
      Pair64 xy_a, xy_b;
      __builtin_memcpy(&xy_a, &a, sizeof xy_a);
      __builtin_memcpy(&xy_b, &b, sizeof xy_b);
      x[0][half] = __builtin_shufflevector(xy_a, xy_b, 0, 2);
      x[1][half] = __builtin_shufflevector(xy_a, xy_b, 1, 3);
      x[2][half] = Pair64{a[2], b[2]};
    }
  }
};

/// The coordinates rounded to their high 32 bits.
GSIM_HD Four32 rounded(Pair64 a, Pair64 b) {
  constexpr std::uint64_t half = 0x80000000u;
  return __builtin_shufflevector((Four32)(a + half), (Four32)(b + half), 1, 3, 5, 7);
}
GSIM_HD Four32 rounded(const std::uint64_t* x) {
  Pair64 low, high;
  __builtin_memcpy(&low, x, sizeof low);
  __builtin_memcpy(&high, x + 2, sizeof high);
  return rounded(low, high);
}
GSIM_HD Four32 rounded(const std::uint32_t* x) {
  Four32 same;
  __builtin_memcpy(&same, x, sizeof same);
  return same;
}

/// Stores coordinates as the integers of pair arithmetic: in float their high 32 bits, rounded, in
/// double the coordinates without their lowest 12 bits.
GSIM_HD void set_positions(std::uint32_t* to, Four32 high, const Pair64*) {
  __builtin_memcpy(to, &high, sizeof high);
}
GSIM_HD void set_positions(std::uint64_t* to, Four32, const Pair64* x) {
  for (int half = 0; half < 2; ++half) {
    const Pair64 high_bits = x[half] & ~std::uint64_t{0xfff};
    __builtin_memcpy(to + 2 * half, &high_bits, sizeof high_bits);
  }
}

/// The largest squared displacement, in four lanes.
class LargestDisplacement {
 public:
  GSIM_HD explicit LargestDisplacement(const float* box_matrix) {
    for (int a = 0; a < 6; ++a) box_matrix_[a] = R(box_matrix[a]);
  }
  GSIM_HD void add(const Four32 (&now)[3], const md::Quad<std::uint32_t>& then) {
    R u[3];
    for (int a = 0; a < 3; ++a)
      u[a] = convert<float>(bit_cast_to<std::int32_t>(U(now[a]) - load<U>(then.c[a])));
    const R x = fma(box_matrix_[4], u[2], fma(box_matrix_[3], u[1], box_matrix_[0] * u[0]));
    const R y = fma(box_matrix_[5], u[2], box_matrix_[1] * u[1]), z = box_matrix_[2] * u[2];
    const R r2 = fma(z, z, fma(y, y, x * x));
    largest2_ = select(r2 > largest2_, r2, largest2_);
  }
  /// Replaces `to` by the largest squared displacement if that is larger.
  GSIM_HD void raise(float& to) const {
    float lanes[4];
    store(lanes, largest2_);
    for (const float lane : lanes)
      if (lane > to) to = lane;
  }

 private:
  using R = Pack<float, 4>;
  using U = Pack<std::uint32_t, 4>;
  R box_matrix_[6], largest2_ = R(0);
};

template <class Real>
void load_clusters(const md::ClusterLoadJob<Real>& job) {
  LargestDisplacement largest_displacement(job.box_matrix);
  for (Index c = job.first; c < job.last; ++c) {
    const FourAtoms atoms(job.positions, job.rows + md::cluster_size * c);
    Four32 high[3];
    for (int a = 0; a < 3; ++a) {
      high[a] = rounded(atoms.x[a][0], atoms.x[a][1]);
      set_positions(job.to[c].c[a], high[a], atoms.x[a]);
    }
    largest_displacement.add(high, job.since[c]);
  }
  largest_displacement.raise(*job.largest2);
}

template <class Real>
void record_clusters(const md::ClusterRecordJob<Real>& job) {
  LargestDisplacement largest_displacement(job.box_matrix);
  for (Index c = job.first; c < job.last; ++c) {
    Four32 high[3];
    for (int a = 0; a < 3; ++a) {
      high[a] = rounded(job.positions[c].c[a]);
      set_positions(job.since[c].c[a], high[a], nullptr);
    }
    largest_displacement.add(high, job.before[c]);
  }
  largest_displacement.raise(*job.largest2);
}

}  // namespace md_kernels
GSIM_TARGET_END

#define GSIM_MOVES_LAUNCHER_(name, Job, kernel) \
  GSIM_DEFINE_LAUNCHER(name, md::Job) {         \
    (void)executor;                             \
    md_kernels::kernel(args);                   \
  }

GSIM_MOVES_LAUNCHER_(cluster_load_f32, ClusterLoadJob<float>, load_clusters)
GSIM_MOVES_LAUNCHER_(cluster_load_f64, ClusterLoadJob<double>, load_clusters)
GSIM_MOVES_LAUNCHER_(cluster_record_f32, ClusterRecordJob<float>, record_clusters)
GSIM_MOVES_LAUNCHER_(cluster_record_f64, ClusterRecordJob<double>, record_clusters)
