#pragma once
// Correlation matrices: test for positive semidefiniteness, the nearest correlation matrix, and the
// triangular factor. Matrices are row-major, n x n.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

/// Eigenvalues (in increasing order) and eigenvectors (column k of `vectors` belongs to value k) of
/// a symmetric matrix.
struct Eigensystem {
  std::vector<double> values;
  std::vector<double> vectors;
};
Eigensystem eigensystem(const std::vector<double>& symmetric, Index n);

/// Why a symmetric matrix with unit diagonal is not a correlation matrix.
struct CorrelationDefect {
  double smallest_eigenvalue = 0;
  Index first = 0, second = 0;  ///< the pair that contributes most to the negative eigenvalue
};
/// A smallest eigenvalue above -tolerance is accepted: it can result from rounding of the last
/// printed digit of the input.
inline constexpr double correlation_tolerance = 1e-8;
/// Whether the matrix is positive semidefinite; if not, fills `defect`. The reported pair is the
/// off-diagonal entry with the most negative contribution 2 r_ij v_i v_j to the smallest
/// eigenvalue.
bool is_positive_semidefinite(const std::vector<double>& matrix, Index n,
                              CorrelationDefect* defect);

/// Nearest correlation matrix in the Frobenius norm, by alternating projections with Dykstra's
/// correction (Higham 2002, IMA Journal of Numerical Analysis 22, algorithm 3.3).
std::vector<double> nearest_correlation(const std::vector<double>& matrix, Index n);

/// Lower-triangular L with L L^T = matrix, for positive semidefinite matrices. Where a pivot is
/// below 1e-12 the column is zero: its variable is a linear combination of the preceding ones.
std::vector<double> semidefinite_cholesky(const std::vector<double>& matrix, Index n);

/// The matrix with entries rounded to six decimals such that it remains positive semidefinite:
/// off-diagonal entries are first scaled down by n / 2 millionths, which exceeds the largest
/// decrease of the smallest eigenvalue by rounding.
std::vector<double> round_correlation(const std::vector<double>& matrix, Index n);

/// The distance of two matrices, and the entry with the largest difference.
struct MatrixDistance {
  double frobenius = 0;
  double largest = 0;
  Index first = 0, second = 0;
};
MatrixDistance matrix_distance(const std::vector<double>& a, const std::vector<double>& b, Index n);

/// The rows in TOML syntax with six decimals, for messages.
std::string to_toml(const std::vector<double>& matrix, Index n);

}  // namespace gsim::pricing
