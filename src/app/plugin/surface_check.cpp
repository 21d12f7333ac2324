#include "surface_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "kernels/transport/geometry/surfaces.hpp"
#include "numeric_slope.hpp"
#include "parameter_draws.hpp"

namespace gsim::app {
namespace {

using transport::Vector3;

constexpr double unit_of_trials = 1e-6;  // of the surface's size: what distances are measured to

Vector3 direction(Draws& draw) {
  const double z = draw(-1, 1), angle = draw(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

std::string words(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

class SurfaceTrial {
 public:
  SurfaceTrial(const transport::Geometry& geometry, std::int32_t surface,
               const transport::SurfaceShape& shape)
      : geometry_(geometry), surface_(surface), shape_(shape) {}

  std::string problem() {
    if (!find_size())
      return fmt::format("its polynomial is {} wherever it is asked for: it has one side",
                         value(shape_.centre) > 0 ? "positive" : "not positive");
    for (int ray = 0; ray < 200; ++ray)
      if (std::string found = problem_along_ray(); !found.empty()) return found;
    return {};
  }

 private:
  double value(const Vector3& x) const {
    return shape_.f(x.x - shape_.centre.x, x.y - shape_.centre.y, x.z - shape_.centre.z);
  }
  static Vector3 along(const Vector3& x, double t, const Vector3& d) {
    return transport_kernels::along(x, t, d);
  }

  /// How far from its centre the surface begins; 1 where it goes through it. Whether it has sides.
  bool find_size() {
    bool has_positive = false, has_negative = false;
    double nearest = 0;
    for (int ray = 0; ray < 100; ++ray) {
      const Vector3 d = direction(draw_);
      const bool first = value(along(shape_.centre, 1e-4, d)) > 0;
      for (double t = 1e-4; t < 1e6; t *= 1.1) {
        const bool here = value(along(shape_.centre, t, d)) > 0;
        (here ? has_positive : has_negative) = true;
        if (here == first) continue;
        nearest = nearest > 0 ? std::min(nearest, t) : t;
        break;
      }
    }
    size_ = nearest > 0 ? nearest : 1;
    return has_positive && has_negative;
  }

  std::string problem_along_ray() {
    const Vector3 from{shape_.centre.x + size_ * draw_(-2, 2),
                       shape_.centre.y + size_ * draw_(-2, 2),
                       shape_.centre.z + size_ * draw_(-2, 2)};
    const Vector3 d = direction(draw_);
    const bool side = value(from) > 0;
    const auto view = geometry_.view();
    const double told =
        transport_kernels::exit_distance(view, 2 * surface_ + (side ? 1 : 0), from, d);
    const double found = change_of_side(from, d, side);
    const double error = unit_of_trials * (size_ + std::min(told, found));
    // A flight that grazes the surface may dip through it between two steps of the search.
    if (found < told - error)
      return fmt::format(
          "from {} along {} its side changes after {:.8g}, but its distance() is "
          "{:.8g}",
          words(from), words(d), found, told);
    if (told > longest()) return {};
    return problem_at(along(from, told, d), from, d, told);
  }
  double longest() const { return 10 * size_; }

  /// The first along the ray, by steps and bisection; infinity: none.
  double change_of_side(const Vector3& from, const Vector3& d, bool side) const {
    const auto is_same = [&](double t) { return (value(along(from, t, d)) > 0) == side; };
    constexpr int steps = 1000;
    for (int k = 1; k <= steps; ++k) {
      double upper = longest() * k / steps, lower = longest() * (k - 1) / steps;
      if (is_same(upper)) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (lower + upper);
        (is_same(middle) ? lower : upper) = middle;
      }
      return lower;
    }
    return std::numeric_limits<double>::infinity();
  }

  /// Where a flight is told to cross.
  std::string problem_at(const Vector3& x, const Vector3& from, const Vector3& d,
                         double told) const {
    const double h = 1e-3 * size_;
    const auto slope = [&](const Vector3& axis) {
      return numeric_slope([&](double t) { return value(along(x, t, axis)); }, 0, h);
    };
    const Vector3 gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
    const double steepness = std::sqrt(transport_kernels::dot(gradient, gradient));
    const double around = std::fabs(value(along(x, size_, d))) + std::fabs(value(from));
    if (!(std::fabs(value(x)) <= unit_of_trials * (steepness * size_ + around)))
      return fmt::format(
          "from {} along {} its distance() is {:.8g}, and there is no surface at that place",
          words(from), words(d), told);
    if (steepness * size_ < 1e-3 * around) return {};  // an apex, or nearly one
    const Vector3 normal = transport_kernels::surface_normal(
        geometry_.view(), geometry_.surfaces[static_cast<std::size_t>(surface_)], x);
    if (transport_kernels::dot(normal, gradient) > (1 - unit_of_trials) * steepness) return {};
    return fmt::format("at {} its normal is {}, and the slope {}", words(x), words(normal),
                       words(transport_kernels::scaled(gradient, 1 / steepness)));
  }

  const transport::Geometry& geometry_;
  std::int32_t surface_;
  transport::SurfaceShape shape_;
  double size_ = 1;
  Draws draw_{0};
};

}  // namespace

std::string surface_problem(const transport::SurfaceKind& kind, std::string_view example,
                            const transport::Geometry& geometry) {
  std::string problem;
  const auto try_one = [&](Section& s, Index) {
    std::string name, chosen;
    s.optional("name", name, {});
    s.optional("kind", chosen, {});
    if (chosen != kind.name || !problem.empty()) return;
    const auto& names = geometry.surface_names;
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    problem = SurfaceTrial(geometry, static_cast<std::int32_t>(at), kind.describe(s)).problem();
    if (!problem.empty()) problem = fmt::format("surface `{}`: {}", name, problem);
  };
  ConfigFile::parse(std::string(example), "example").read([&](Section& top) {
    top.tables(
        "surface", [](Index) {}, try_one, "");
    top.ignore_unread();
  });
  return problem;
}

}  // namespace gsim::app
