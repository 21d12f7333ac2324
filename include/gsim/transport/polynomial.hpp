#pragma once
// Polynomials in x, y, z up to the fourth degree, built by arithmetic from coordinates(); kinds of
// surfaces return them.
//
//   const auto [x, y, z] = gsim::transport::coordinates();
//   const Polynomial q = x * x + y * y + z * z + a * a - b * b;
//   return q * q - 4 * a * a * (x * x + y * y);   // a torus

#include <array>
#include <cstddef>

namespace gsim::transport {

class Polynomial {
 public:
  static constexpr int largest_degree = 4;
  static constexpr std::size_t terms = 35;

  Polynomial() = default;
  Polynomial(double constant);  // NOLINT(google-explicit-constructor): a number is a polynomial

  /// The index of the coefficient of x^i y^j z^k, i + j + k <= 4. Powers of z are adjacent, then
  /// those of y.
  static constexpr std::size_t index(int i, int j, int k) {
    int at = k;
    for (int a = 0; a < i; ++a) at += (5 - a) * (6 - a) / 2;
    for (int b = 0; b < j; ++b) at += 5 - i - b;
    return static_cast<std::size_t>(at);
  }
  double coefficient(int i, int j, int k) const { return c_[index(i, j, k)]; }
  void set_coefficient(int i, int j, int k, double value) { c_[index(i, j, k)] = value; }
  const std::array<double, terms>& coefficients() const { return c_; }
  /// The largest i + j + k with a coefficient that is not zero; 0 for a constant.
  int degree() const;
  double operator()(double x, double y, double z) const;

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);
  /// InputError where the product has terms of a degree above 4.
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
  friend Polynomial operator-(const Polynomial& a) { return Polynomial() - a; }

 private:
  friend std::array<Polynomial, 3> coordinates();
  std::array<double, terms> c_{};
};

/// The polynomials x, y and z.
std::array<Polynomial, 3> coordinates();

}  // namespace gsim::transport
