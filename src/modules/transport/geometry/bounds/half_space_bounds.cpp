#include "src/modules/transport/geometry/bounds/half_space_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "src/modules/transport/geometry/bounds/convex_body.hpp"

namespace gsim::transport {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Half the edge of the cube that replaces infinite space, in units of length_of(). A second cube,
/// twice as large, shows whether a bound comes from the geometry or from the cube.
constexpr double far_away = 1e7;
/// Planes are moved outwards by this length, in units of length_of(), to be safe against rounding.
constexpr double slack = 1e-7;
/// Number of passes over all half-spaces: bounds from one surface can bound another one (a cone, a
/// hyperboloid) in the next pass.
constexpr int passes = 3;

using Matrix = std::array<std::array<double, 3>, 3>;

Vector3 row(const Matrix& m, std::size_t i) { return {m[i][0], m[i][1], m[i][2]}; }

/// The region r A r + b r + c <= 0 with r = x - centre.
struct Quadric {
  Matrix a{};
  Vector3 b, centre;
  double c = 0;
};

/// The negative half-space of a surface of second order.
Quadric quadric_of(const Geometry& g, const Surface& s) {
  Quadric q;
  const double* p = s.p;
  const auto form = static_cast<std::size_t>(s.form);
  if (s.form == SurfaceForm::quadric) {
    const double* c = &g.coefficients[static_cast<std::size_t>(s.link)];
    q.a = {{{c[0], c[3] / 2, c[5] / 2}, {c[3] / 2, c[1], c[4] / 2}, {c[5] / 2, c[4] / 2, c[2]}}};
    q.b = {c[6], c[7], c[8]};
    q.c = c[9];
    q.centre = {p[0], p[1], p[2]};
    return q;
  }
  for (std::size_t i = 0; i < 3; ++i) q.a[i][i] = 1;
  if (s.form == SurfaceForm::sphere) {
    q.centre = {p[0], p[1], p[2]};
    q.c = -p[3];
  } else if (s.form <= SurfaceForm::z_cylinder) {
    const std::size_t axis = form - static_cast<std::size_t>(SurfaceForm::x_cylinder);
    q.a[axis][axis] = 0;
    q.c = -p[2];
    q.centre = axis == 0   ? Vector3{0, p[0], p[1]}
               : axis == 1 ? Vector3{p[0], 0, p[1]}
                           : Vector3{p[0], p[1], 0};
  } else {
    const std::size_t axis = form - static_cast<std::size_t>(SurfaceForm::x_cone);
    q.a[axis][axis] = -p[3];
    q.centre = {p[0], p[1], p[2]};
  }
  return q;
}

/// Transforms a symmetric matrix to its principal axes, the rows of `axes`, by Jacobi's method (G.
/// H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., section 8.5); its diagonal then holds
/// the eigenvalues.
void diagonalise(Matrix& a, Matrix& axes) {
  axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int sweeps = 30;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      if (a[i][j] == 0) continue;
      const double tau = (a[j][j] - a[i][i]) / (2 * a[i][j]);
      const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
      const double c = 1 / std::sqrt(1 + t * t), s = t * c;
      for (std::size_t k = 0; k < 3; ++k) {
        const double left = a[k][i], right = a[k][j];
        a[k][i] = c * left - s * right;
        a[k][j] = s * left + c * right;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double upper = a[i][k], lower = a[j][k];
        a[i][k] = c * upper - s * lower;
        a[j][k] = s * upper + c * lower;
        const double first = axes[i][k], second = axes[j][k];
        axes[i][k] = c * first - s * second;
        axes[j][k] = s * first + c * second;
      }
    }
}

/// One term of a quadric in its principal axes: lambda (u - middle)^2, or beta u where lambda is 0.
struct PrincipalAxis {
  Vector3 direction;
  double lambda = 0, middle = 0, beta = 0;
};

/// Cuts a body by planes that contain its part in r A r + b r + c <= 0. There each term of the
/// principal axes is at most minus the constant and the minima of the other terms over the body,
/// which bounds the coordinate of terms with lambda > 0 and of linear terms.
void cut_by_quadric(ConvexBody& body, const Quadric& q, double margin) {
  Matrix diagonal = q.a, axes;
  diagonalise(diagonal, axes);
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, std::abs(diagonal[i][i]));
  std::array<PrincipalAxis, 3> terms;
  double constant = q.c;
  for (std::size_t i = 0; i < 3; ++i) {
    PrincipalAxis& t = terms[i];
    t.direction = row(axes, i);
    const double beta = unfused_dot(t.direction, q.b), at = unfused_dot(t.direction, q.centre);
    constexpr double negligible = 1e-12;
    if (std::abs(diagonal[i][i]) > negligible * largest) {
      t.lambda = diagonal[i][i];
      t.middle = at - beta / (2 * t.lambda);
      constant -= beta * beta / (4 * t.lambda);
    } else {
      t.beta = beta;
      constant -= beta * at;
    }
  }
  // A lower bound of a term over the body.
  const auto minimum_of = [&body](const PrincipalAxis& t) {
    if (t.lambda > 0) return 0.0;
    const Extent u = body.extent(t.direction);
    if (t.lambda == 0) return std::min(t.beta * u.min, t.beta * u.max);
    const double distance = std::max(std::abs(u.min - t.middle), std::abs(u.max - t.middle));
    return t.lambda * distance * distance;
  };
  for (std::size_t i = 0; i < 3 && !body.is_empty(); ++i) {
    const PrincipalAxis& t = terms[i];
    if (t.lambda < 0 || (t.lambda == 0 && t.beta == 0)) continue;
    double remainder = -constant;
    for (std::size_t k = 0; k < 3; ++k)
      if (k != i) remainder -= minimum_of(terms[k]);
    const auto reversed = Vector3{-t.direction.x, -t.direction.y, -t.direction.z};
    if (t.lambda == 0) {
      const double end = remainder / t.beta;
      if (t.beta > 0)
        body.cut(t.direction, end + margin);
      else
        body.cut(reversed, -end + margin);
      continue;
    }
    const double half_width = std::sqrt(std::max(remainder, 0.0) / t.lambda);
    body.cut(t.direction, t.middle + half_width + margin);
    body.cut(reversed, half_width - t.middle + margin);
  }
}

void cut_by_torus(ConvexBody& body, const Surface& s, double margin) {
  const std::size_t along =
      static_cast<std::size_t>(s.form) - static_cast<std::size_t>(SurfaceForm::x_torus);
  for (std::size_t a = 0; a < 3; ++a) {
    const double half_width = (a == along ? s.p[4] : s.p[3] + s.p[5]) + margin;
    const Vector3 n{a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0};
    body.cut(n, s.p[a] + half_width);
    body.cut({-n.x, -n.y, -n.z}, half_width - s.p[a]);
  }
}

/// Cuts a body by planes that contain its intersection with a half-space.
void cut_by(ConvexBody& body, const Geometry& g, std::int32_t half_space, double margin) {
  const Surface& s = g.surfaces[static_cast<std::size_t>(half_space >> 1)];
  const bool is_positive = (half_space & 1) != 0;
  if (s.form <= SurfaceForm::plane) {
    Vector3 n{s.form == SurfaceForm::x_plane ? 1.0 : 0.0,
              s.form == SurfaceForm::y_plane ? 1.0 : 0.0,
              s.form == SurfaceForm::z_plane ? 1.0 : 0.0};
    double offset = s.p[0];
    if (s.form == SurfaceForm::plane) {
      n = {s.p[0], s.p[1], s.p[2]};
      offset = s.p[3];
    }
    if (is_positive) {
      n = {-n.x, -n.y, -n.z};
      offset = -offset;
    }
    return body.cut(n, offset + margin);
  }
  if (s.form >= SurfaceForm::x_torus) {
    if (s.form <= SurfaceForm::z_torus && !is_positive) cut_by_torus(body, s, margin);
    return;
  }
  Quadric q = quadric_of(g, s);
  if (is_positive) {
    for (auto& line : q.a)
      for (double& value : line) value = -value;
    q.b = {-q.b.x, -q.b.y, -q.b.z};
    q.c = -q.c;
  }
  cut_by_quadric(body, q, margin);
}

}  // namespace

double length_of(const Geometry& g) {
  double length = 1;
  const auto include = [&length](double x) {
    if (std::isfinite(x)) length = std::max(length, std::abs(x));
  };
  for (const Surface& s : g.surfaces) {
    const bool is_sphere = s.form == SurfaceForm::sphere;
    const bool is_cylinder = s.form >= SurfaceForm::x_cylinder && s.form <= SurfaceForm::z_cylinder;
    const std::size_t radius = is_sphere ? 3 : 2;  // both forms hold the square of the radius
    for (std::size_t i = 0; i < 6; ++i)
      include((is_sphere || is_cylinder) && i == radius ? std::sqrt(s.p[i]) : s.p[i]);
  }
  return length;
}

bool is_slanted(const Surface& s) {
  return s.form == SurfaceForm::plane ||
         (s.form >= SurfaceForm::x_cone && s.form <= SurfaceForm::quadric);
}

SampleBox box_around_all(const Geometry& g, std::span<const std::int32_t> half_spaces) {
  const double length = length_of(g), margin = slack * length;
  SampleBox boxes[2];
  for (int cube = 0; cube < 2; ++cube) {
    ConvexBody body((1 + cube) * far_away * length);
    for (int pass = 0; pass < passes; ++pass)
      for (const std::int32_t h : half_spaces) cut_by(body, g, h, margin);
    for (std::size_t a = 0; a < 3; ++a) {
      const Extent e = body.extent({a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0});
      boxes[cube].lower[a] = e.min;
      boxes[cube].upper[a] = e.max;
    }
  }
  SampleBox box = boxes[0];
  // Bounds that grow with the cube are infinite; the others agree up to rounding.
  const auto is_same = [&](double one, double two) {
    return std::abs(one - two) <= 1e-3 * std::abs(one) + margin;
  };
  for (std::size_t a = 0; a < 3; ++a) {
    if (box.lower[a] > box.upper[a]) return box;  // empty
    if (!is_same(box.lower[a], boxes[1].lower[a])) box.lower[a] = -infinity;
    if (!is_same(box.upper[a], boxes[1].upper[a])) box.upper[a] = infinity;
  }
  return box;
}

}  // namespace gsim::transport
