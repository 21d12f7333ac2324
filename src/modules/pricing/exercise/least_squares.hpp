#pragma once
// Solution of the normal equations of a least-squares fit.

#include <span>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

/// The coefficients c that minimise the sum of (y - sum_i c_i phi_i)^2. `lower` holds the sums of
/// phi_i phi_j for j <= i, row by row, `right` those of phi_i y. The matrix is scaled to a unit
/// diagonal and solved by Cholesky's method; where a pivot falls below 1e-10, the functions are
/// nearly dependent, and the solution of smallest norm follows from the eigenvalues (Jacobi's
/// method; Golub and Van Loan, "Matrix computations", section 8.5), of which those below 1e-11 of
/// the largest are left out.
std::vector<double> solve_normal_equations(std::span<const double> lower,
                                           std::span<const double> right);

}  // namespace gsim::pricing
