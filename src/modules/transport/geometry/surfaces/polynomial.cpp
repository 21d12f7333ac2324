#include "gsim/transport/polynomial.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::transport {
namespace {

/// Calls f(i, j, k) in the order of the coefficients.
template <class F>
void for_each_term(const F& f) {
  for (int i = 0; i <= Polynomial::largest_degree; ++i)
    for (int j = 0; i + j <= Polynomial::largest_degree; ++j)
      for (int k = 0; i + j + k <= Polynomial::largest_degree; ++k) f(i, j, k);
}

double power(double x, int n) {
  double result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

}  // namespace

Polynomial::Polynomial(double constant) { c_[0] = constant; }

int Polynomial::degree() const {
  int degree = 0;
  for_each_term([&](int i, int j, int k) {
    if (coefficient(i, j, k) != 0 && i + j + k > degree) degree = i + j + k;
  });
  return degree;
}

double Polynomial::operator()(double x, double y, double z) const {
  double sum = 0;
  for_each_term([&](int i, int j, int k) {
    sum += coefficient(i, j, k) * power(x, i) * power(y, j) * power(z, k);
  });
  return sum;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  for (std::size_t t = 0; t < terms; ++t) c_[t] += other.c_[t];
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  for (std::size_t t = 0; t < terms; ++t) c_[t] -= other.c_[t];
  return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  GSIM_VALIDATE(a.degree() + b.degree() <= Polynomial::largest_degree,
                fmt::format("a product of polynomials of degree {} and {} has terms of degree {}",
                            a.degree(), b.degree(), a.degree() + b.degree()),
                "surfaces are of the fourth degree at most");
  Polynomial product;
  for_each_term([&](int i, int j, int k) {
    const double factor = a.coefficient(i, j, k);
    if (factor == 0) return;
    for_each_term([&](int p, int q, int r) {
      if (b.coefficient(p, q, r) == 0) return;
      product.c_[Polynomial::index(i + p, j + q, k + r)] += factor * b.coefficient(p, q, r);
    });
  });
  return product;
}

std::array<Polynomial, 3> coordinates() {
  std::array<Polynomial, 3> xyz;
  xyz[0].c_[Polynomial::index(1, 0, 0)] = 1;
  xyz[1].c_[Polynomial::index(0, 1, 0)] = 1;
  xyz[2].c_[Polynomial::index(0, 0, 1)] = 1;
  return xyz;
}

}  // namespace gsim::transport
