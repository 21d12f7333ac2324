#include "surface_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "example.hpp"
#include "gsim/engine/numeric_checks.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "kernels/transport/geometry/surfaces.hpp"

namespace gsim::transport {
namespace {

constexpr double relative_accuracy = 1e-6;  // of distances, relative to the surface's size

Vector3 random_direction(UniformSequence& draw) {
  const double z = draw(-1, 1), angle = draw(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
  return {r * gsim::cos<Strict>(angle), r * gsim::sin<Strict>(angle), z};
}

std::string to_text(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

class SurfaceTest {
 public:
  SurfaceTest(const Geometry& geometry, std::int32_t surface, const SurfaceShape& shape)
      : geometry_(geometry), surface_(surface), shape_(shape) {}

  std::string problem() {
    if (!find_size())
      return fmt::format("its polynomial is {} everywhere: the surface has only one side",
                         value(shape_.centre) > 0 ? "positive" : "not positive");
    for (int ray = 0; ray < 200; ++ray)
      if (std::string found = problem_along_ray(); !found.empty()) return found;
    return {};
  }

 private:
  double value(const Vector3& x) const {
    if (shape_.form)
      return transport_kernels::surface_value(
          geometry_.view(), geometry_.surfaces[static_cast<std::size_t>(surface_)], x);
    return shape_.f(x.x - shape_.centre.x, x.y - shape_.centre.y, x.z - shape_.centre.z);
  }

  /// Sets the size to the smallest distance of the surface from its centre, or to 1 where it goes
  /// through the centre. Returns whether it has two sides.
  bool find_size() {
    bool has_positive = false, has_negative = false;
    double nearest = 0;
    for (int ray = 0; ray < 100; ++ray) {
      const Vector3 d = random_direction(draw_);
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
    const Vector3 d = random_direction(draw_);
    const bool side = value(from) > 0;
    const auto view = geometry_.view();
    const double distance =
        transport_kernels::exit_distance(view, 2 * surface_ + (side ? 1 : 0), from, d);
    const double searched_distance = change_of_side(from, d, side);
    const double error = relative_accuracy * (size_ + std::min(distance, searched_distance));
    // A flight that grazes the surface may cross it twice between two steps of the search.
    if (searched_distance < distance - error)
      return fmt::format(
          "from {} along {} the side changes after {:.8g} cm, but the computed distance is "
          "{:.8g} cm",
          to_text(from), to_text(d), searched_distance, distance);
    if (distance > search_length()) return {};
    return problem_at(along(from, distance, d), from, d, distance);
  }
  double search_length() const { return 10 * size_; }

  /// Distance to the first change of side along the ray, by steps and bisection; infinity where
  /// there is none.
  double change_of_side(const Vector3& from, const Vector3& d, bool side) const {
    const auto is_same = [&](double t) { return (value(along(from, t, d)) > 0) == side; };
    constexpr int steps = 1000;
    for (int k = 1; k <= steps; ++k) {
      double upper = search_length() * k / steps, lower = search_length() * (k - 1) / steps;
      if (is_same(upper)) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (lower + upper);
        (is_same(middle) ? lower : upper) = middle;
      }
      return lower;
    }
    return std::numeric_limits<double>::infinity();
  }

  /// The problem at the position `x` where a flight crosses the surface after `distance`.
  std::string problem_at(const Vector3& x, const Vector3& from, const Vector3& d,
                         double distance) const {
    const double h = 1e-3 * size_;
    const auto slope = [&](const Vector3& axis) {
      return numeric_slope([&](double t) { return value(along(x, t, axis)); }, 0, h);
    };
    const Vector3 gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
    const double steepness = std::sqrt(dot(gradient, gradient));
    const double scale = std::fabs(value(along(x, size_, d))) + std::fabs(value(from));
    if (!(std::fabs(value(x)) <= relative_accuracy * (steepness * size_ + scale)))
      return fmt::format(
          "from {} along {} the computed distance is {:.8g} cm, but there is no surface at that "
          "position",
          to_text(from), to_text(d), distance);
    if (steepness * size_ < 1e-3 * scale) return {};  // near an apex
    const Vector3 normal = transport_kernels::surface_normal(
        geometry_.view(), geometry_.surfaces[static_cast<std::size_t>(surface_)], x);
    if (dot(normal, gradient) > (1 - relative_accuracy) * steepness) return {};
    return fmt::format(
        "at {} the computed normal is {}, but the gradient of the polynomial is along {}",
        to_text(x), to_text(normal), to_text(gradient * (1 / steepness)));
  }

  const Geometry& geometry_;
  std::int32_t surface_;
  SurfaceShape shape_;
  double size_ = 1;
  UniformSequence draw_{0};
};

/// The problem of the first surface of the kind in `example`, from which `geometry` was built.
std::string surface_problem(const SurfaceKind& kind, std::string_view example,
                            const Geometry& geometry) {
  std::string problem;
  const auto check_one = [&](Section& s, Index) {
    std::string name, chosen;
    s.optional("name", name, {});
    s.optional("kind", chosen, {});
    if (chosen != kind.name || !problem.empty()) return;
    const auto& names = geometry.surface_names;
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    problem = SurfaceTest(geometry, static_cast<std::int32_t>(at), kind.describe(s)).problem();
    if (!problem.empty()) problem = fmt::format("surface `{}`: {}", name, problem);
  };
  ConfigFile::parse(std::string(example), "example").read([&](Section& top) {
    top.tables(
        "surface", [](Index) {}, check_one, "");
    top.ignore_unread();
  });
  return problem;
}

}  // namespace

void check_surface(const ConformanceSubject& subject, const ReportFinding& report) {
  report_problem(report, "is crossed where its polynomial changes sign", [&]() -> std::string {
    const TransportConfig example = read_example(subject);
    std::vector<std::string> materials;
    for (const Material& m : example.materials.materials) materials.push_back(m.name);
    return surface_problem(subject.part_as<SurfaceKind>(), subject.config,
                           build_geometry(example.geometry, materials));
  });
}

void register_surface_check(Registry& registry);
void register_surface_check(Registry& registry) {
  registry.extend(ConformanceCheck{.module = "transport",
                                   .name = "distances_to_surfaces",
                                   .doc = "is crossed where its polynomial changes sign",
                                   .kind = SurfaceKind::extends,
                                   .check = check_surface});
}

}  // namespace gsim::transport
