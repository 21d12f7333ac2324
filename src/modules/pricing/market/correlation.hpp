#pragma once
// Correlation matrices: are they possible, what is wrong with them, the nearest one that is
// possible, and their triangular factor. Matrices are row-major, n x n.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

/// Eigenvalues (rising) and eigenvectors (column k of `vectors` belongs to value k) of a symmetric
/// matrix.
struct Eigensystem {
  std::vector<double> values;
  std::vector<double> vectors;
};
Eigensystem eigensystem(const std::vector<double>& symmetric, Index n);

/// Why a matrix with unit diagonal is no correlation matrix.
struct CorrelationDefect {
  double smallest_eigenvalue = 0;
  Index first = 0, second = 0;  ///< the pair that strains it most
};
/// Smallest eigenvalues above -tolerance pass: rounding in the last printed digit of the input is
/// no error of the user's.
inline constexpr double correlation_tolerance = 1e-8;
/// Whether the matrix is positive semidefinite; if not, fills `defect`. The pair named is the
/// off-diagonal entry whose pull on the smallest eigenvalue, 2 |r_ij v_i v_j|, is largest with the
/// sign that lowers it.
bool is_positive_semidefinite(const std::vector<double>& matrix, Index n,
                              CorrelationDefect* defect);

/// Nearest correlation matrix in the Frobenius norm, by alternating projections with Dykstra's
/// correction (Higham 2002, IMA Journal of Numerical Analysis 22, algorithm 3.3).
std::vector<double> nearest_correlation(const std::vector<double>& matrix, Index n);

/// Lower-triangular L with L L^T = matrix, for positive semidefinite matrices: where a pivot is
/// below 1e-12, the column is zero (its variable is a combination of those before it).
std::vector<double> semidefinite_cholesky(const std::vector<double>& matrix, Index n);

/// The matrix with entries rounded to six decimals that stays positive semidefinite: off-diagonal
/// entries shrink by n / 2 millionths first, which outweighs what rounding can take from the
/// smallest eigenvalue.
std::vector<double> round_correlation(const std::vector<double>& matrix, Index n);

/// How far two matrices are apart, and in which entry most.
struct MatrixDistance {
  double frobenius = 0;
  double largest = 0;
  Index first = 0, second = 0;
};
MatrixDistance matrix_distance(const std::vector<double>& a, const std::vector<double>& b, Index n);

/// The rows as TOML, six decimals, for messages.
std::string to_toml(const std::vector<double>& matrix, Index n);

}  // namespace gsim::pricing
