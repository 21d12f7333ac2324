#include "src/modules/md/long_range/k_vector_weights.hpp"

#include "gsim/math/exp.hpp"

namespace gsim::md {
namespace {

constexpr double pi = 3.14159265358979323846;

double sign_y(int signs) { return signs < 2 ? 1 : -1; }
double sign_z(int signs) { return signs % 2 == 0 ? 1 : -1; }
double square(const Vector3& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }

}  // namespace

KVectorWeights::KVectorWeights(const KVectorSet& k_vectors, const Box& box, double alpha,
                               double coulomb)
    : k_vectors_(&k_vectors),
      box_(box),
      alpha_(alpha),
      weights_(4 * static_cast<std::size_t>(k_vectors.points())) {
  const double factor = 4 * pi * coulomb / box.volume(), decay = -1 / (4 * alpha * alpha);
  k_vectors.for_each(box, [&](std::int32_t point, int signs, const Vector3& k) {
    const double k2 = square(k);
    weights_[4 * static_cast<std::size_t>(point) + static_cast<std::size_t>(signs)] =
        factor * exp<Strict>(decay * k2) / k2;
  });
}

// From cos(x + y) = cos x cos y - sin x sin y and the other addition theorems; a sine of -y or -z
// changes the sign of its term.
StructureFactor KVectorWeights::structure_factor(std::span<const std::int64_t> sums,
                                                 std::int32_t point, int signs) {
  const std::int64_t* s = &sums[sums_per_point * static_cast<std::size_t>(point)];
  const std::int64_t y = signs < 2 ? 1 : -1, z = signs % 2 == 0 ? 1 : -1;
  return {static_cast<double>(s[0] - y * z * s[3] - z * s[5] - y * s[6]),
          static_cast<double>(z * s[1] + y * s[2] + s[4] - y * z * s[7])};
}

ReciprocalEnergy KVectorWeights::energy(std::span<const std::int64_t> sums, double quantum) const {
  const double quantum2 = quantum * quantum, half_inverse_alpha2 = 1 / (2 * alpha_ * alpha_);
  ReciprocalEnergy sum;
  k_vectors_->for_each(box_, [&](std::int32_t point, int signs, const Vector3& k) {
    const StructureFactor s = structure_factor(sums, point, signs);
    const double weight =
        weights_[4 * static_cast<std::size_t>(point) + static_cast<std::size_t>(signs)];
    const double u = weight * (s.real * s.real + s.imaginary * s.imaginary) * quantum2;
    sum.energy += u;
    // -dU/d(strain): the strain changes V and k, but not S.
    const double tensor_factor = u * (2 / square(k) + half_inverse_alpha2);
    for (std::size_t a = 0; a < 3; ++a) sum.virial[a] += u - tensor_factor * k[a] * k[a];
    sum.virial[3] -= tensor_factor * k[0] * k[1];
    sum.virial[4] -= tensor_factor * k[0] * k[2];
    sum.virial[5] -= tensor_factor * k[1] * k[2];
  });
  return sum;
}

void KVectorWeights::coefficients(std::span<const std::int64_t> sums, double quantum,
                                  std::vector<double>& coefficients) const {
  coefficients.assign(16 * static_cast<std::size_t>(k_vectors_->points()), 0.0);
  for (const KVectorColumn& column : k_vectors_->columns())
    for (std::int32_t n = 0; n < column.count; ++n) {
      const auto point = static_cast<std::size_t>(column.first) + static_cast<std::size_t>(n);
      double* const c = &coefficients[16 * point];
      for (int signs = 0; signs < 4; ++signs) {
        // The weight counts both k and -k.
        const double weight = 2 * weights_[4 * point + static_cast<std::size_t>(signs)] * quantum;
        if (weight == 0) continue;
        const StructureFactor s = structure_factor(sums, static_cast<std::int32_t>(point), signs);
        const double real = weight * s.real, imaginary = weight * s.imaginary;
        const double y = sign_y(signs), z = sign_z(signs);
        c[0] += real;
        c[1] += z * imaginary;
        c[2] += y * imaginary;
        c[3] -= y * z * real;
        c[4] += imaginary;
        c[5] -= z * real;
        c[6] -= y * real;
        c[7] -= y * z * imaginary;
      }
      // The derivatives along z, in which direction point n of a column has the index n.
      for (int j = 0; j < 4; ++j) {
        c[8 + 2 * j] = -double(n) * c[2 * j];
        c[8 + 2 * j + 1] = double(n) * c[2 * j + 1];
      }
    }
}

}  // namespace gsim::md
