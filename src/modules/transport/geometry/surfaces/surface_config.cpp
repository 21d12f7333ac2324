#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"
#include "src/modules/transport/geometry/surfaces/surface_kinds.hpp"

namespace gsim::transport {
namespace {

constexpr std::string_view boundary_words[] = {"transmission", "vacuum", "reflective", "periodic",
                                               "white"};
constexpr const char* boundary_doc =
    "what happens to a particle that reaches it from inside the geometry: it goes on, is lost "
    "from it, is mirrored, comes back at the partner, or is sent back with a cosine distribution";

using Form = SurfaceForm;

std::vector<double> read_vector(Section& s, const char* key, const std::string& doc,
                                std::size_t size, bool is_required, const char* unit = "cm") {
  std::vector<double> v(size, 0.0);
  const auto n = static_cast<Index>(size);
  const KeyInfo info{.doc = doc, .unit = unit, .min_size = n, .max_size = n};
  if (is_required)
    s.required(key, v, info);
  else
    s.optional(key, v, info);
  return v;
}

double read_radius(Section& s, const char* key, const char* doc) {
  double radius = 1;
  s.required(key, radius, {.doc = doc, .unit = "cm", .minimum = 0, .exclusive_minimum = true});
  return radius;
}

/// The unit vector along what `key` gives.
Vector3 read_axis(Section& s, const char* key, const char* doc, double& length) {
  const auto v = read_vector(s, key, doc, 3, true, "");
  length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (s.describing()) return {0, 0, 1};
  if (!(length > 0)) s.fail(key, "this vector has no length", "give one that is not zero");
  return {v[0] / length, v[1] / length, v[2] / length};
}

void describe_axis_plane(Section& s, Surface& surface, const char* key) {
  s.required(key, surface.p[0], {.doc = "where it cuts the axis", .unit = "cm"});
}

void describe_plane(Section& s, Surface& surface) {
  double length = 1;
  const Vector3 n = read_axis(s, "normal", "(a, b, c), towards the positive side", length);
  double offset = 0;
  s.required("offset", offset, {.doc = "d of a x + b y + c z = d", .unit = "cm"});
  const double p[4] = {n.x, n.y, n.z, offset / length};
  std::copy(std::begin(p), std::end(p), surface.p);
}

void describe_sphere(Section& s, Surface& surface) {
  const auto centre = read_vector(s, "center", "of the sphere", 3, false);
  const double radius = read_radius(s, "radius", "of the sphere");
  std::copy(centre.begin(), centre.end(), surface.p);
  surface.p[3] = radius * radius;
}

void describe_axis_cylinder(Section& s, Surface& surface, const char* plane) {
  const auto centre =
      read_vector(s, "center", fmt::format("where the axis cuts the plane of {}", plane), 2, false);
  const double radius = read_radius(s, "radius", "of the cylinder");
  std::copy(centre.begin(), centre.end(), surface.p);
  surface.p[2] = radius * radius;
}

/// |r|^2 - s (r a)^2 - k, a quadric about a point of the axis a.
void set_axial_quadric(SurfaceConfig& c, const std::vector<double>& point, const Vector3& a,
                       double s, double k) {
  std::copy(point.begin(), point.end(), c.surface.p);
  c.coefficients = {1 - s * a.x * a.x,
                    1 - s * a.y * a.y,
                    1 - s * a.z * a.z,
                    -2 * s * a.x * a.y,
                    -2 * s * a.y * a.z,
                    -2 * s * a.x * a.z,
                    0,
                    0,
                    0,
                    -k};
}

void describe_cylinder(Section& s, SurfaceConfig& c) {
  const auto point = read_vector(s, "center", "a point of the axis", 3, false);
  double length = 1;
  const Vector3 axis = read_axis(s, "axis", "direction of the axis", length);
  const double radius = read_radius(s, "radius", "of the cylinder");
  set_axial_quadric(c, point, axis, 1, radius * radius);
}

/// The squared tangent of a cone's half angle.
double read_opening(Section& s) {
  double angle = -1, tangent = -1;
  s.optional("half_angle", angle,
             {.doc = "between axis and surface; or give tangent",
              .unit = "degrees",
              .minimum = 0,
              .maximum = 90,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.optional(
      "tangent", tangent,
      {.doc = "of the half angle; or give half_angle", .minimum = 0, .exclusive_minimum = true});
  if (s.describing()) return 1;
  if (s.has("half_angle") == s.has("tangent"))
    s.fail(s.has("tangent") ? "tangent" : "kind", "a cone has either a half_angle or a tangent",
           "give one of them");
  if (s.has("tangent")) return tangent * tangent;
  const auto turn = sincospi<Strict>(angle / 180);
  return turn.sin * turn.sin / (turn.cos * turn.cos);
}

void describe_axis_cone(Section& s, Surface& surface) {
  const auto apex = read_vector(s, "apex", "where both halves of the cone meet", 3, false);
  std::copy(apex.begin(), apex.end(), surface.p);
  surface.p[3] = read_opening(s);
}

void describe_cone(Section& s, SurfaceConfig& c) {
  const auto apex = read_vector(s, "apex", "where both halves of the cone meet", 3, false);
  double length = 1;
  const Vector3 axis = read_axis(s, "axis", "direction of the axis", length);
  set_axial_quadric(c, apex, axis, 1 + read_opening(s), 0);
}

void describe_quadric(Section& s, SurfaceConfig& c) {
  auto v = read_vector(s, "coefficients",
                       "A, B, C, D, E, F, G, H, J, K of A x^2 + B y^2 + C z^2 + D x y + E y z + "
                       "F x z + G x + H y + J z + K = 0",
                       10, true, "");
  if (!s.describing() && std::all_of(v.begin(), v.begin() + 9, [](double a) { return a == 0; }))
    s.fail("coefficients", "this is no surface: all but the last coefficient are zero");
  c.coefficients = std::move(v);
}

void describe_torus(Section& s, Surface& surface) {
  const auto centre = read_vector(s, "center", "of the torus", 3, false);
  std::copy(centre.begin(), centre.end(), surface.p);
  surface.p[3] = read_radius(s, "major_radius", "from the axis to the middle of the tube");
  double minor = -1;
  std::vector<double> radii;
  s.optional("minor_radius", minor,
             {.doc = "of the tube; or give minor_radii",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("minor_radii", radii,
             {.doc = "of a tube with an elliptic section: along the axis, and across it",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 2,
              .max_size = 2});
  if (s.describing()) return;
  if (s.has("minor_radius") == s.has("minor_radii"))
    s.fail("kind", "a torus has either a minor_radius or minor_radii", "give one of them");
  surface.p[4] = radii.empty() ? minor : radii[0];
  surface.p[5] = radii.empty() ? minor : radii[1];
}

/// The surface f = 0 in the form of its degree.
void set_polynomial(const Section& s, const SurfaceShape& shape, SurfaceConfig& c) {
  const Polynomial& f = shape.f;
  const auto all = f.coefficients();
  if (f.degree() == 0 ||
      !std::all_of(all.begin(), all.end(), [](double a) { return std::isfinite(a); }))
    s.fail("kind", "these keys make no surface",
           "its polynomial is constant, or has no finite coefficients");
  c.surface.p[0] = shape.centre.x;
  c.surface.p[1] = shape.centre.y;
  c.surface.p[2] = shape.centre.z;
  c.surface.form = f.degree() <= 2 ? Form::quadric : Form::quartic;
  if (c.surface.form == Form::quartic)
    c.coefficients.assign(all.begin(), all.end());
  else
    c.coefficients = {f.coefficient(2, 0, 0), f.coefficient(0, 2, 0), f.coefficient(0, 0, 2),
                      f.coefficient(1, 1, 0), f.coefficient(0, 1, 1), f.coefficient(1, 0, 1),
                      f.coefficient(1, 0, 0), f.coefficient(0, 1, 0), f.coefficient(0, 0, 1),
                      f.coefficient(0, 0, 0)};
}

Section::Alternative alternative_of(const SurfaceKind& kind, SurfaceConfig& c) {
  return {std::string(kind.name), std::string(kind.doc), [&kind, &c](Section& s) {
            const SurfaceShape shape = kind.describe(s);
            if (!s.describing()) set_polynomial(s, shape, c);
          }};
}

std::vector<Section::Alternative> kinds_of(SurfaceConfig& c) {
  Surface& f = c.surface;
  const auto axis_plane = [&f](const char* key) {
    return [&f, key](Section& s) { describe_axis_plane(s, f, key); };
  };
  const auto axis_cylinder = [&f](const char* plane) {
    return [&f, plane](Section& s) { describe_axis_cylinder(s, f, plane); };
  };
  const auto cone = [&f](Section& s) { describe_axis_cone(s, f); };
  const auto torus = [&f](Section& s) { describe_torus(s, f); };
  const auto quadric = [&c](void (*describe)(Section&, SurfaceConfig&)) {
    return [&c, describe](Section& s) {
      c.surface.form = Form::quadric;
      describe(s, c);
    };
  };
  return {{"x_plane", "positive where x is larger", axis_plane("x")},
          {"y_plane", "positive where y is larger", axis_plane("y")},
          {"z_plane", "positive where z is larger", axis_plane("z")},
          {"plane", "any plane", [&f](Section& s) { describe_plane(s, f); }},
          {"sphere", "positive outside", [&f](Section& s) { describe_sphere(s, f); }},
          {"x_cylinder", "endless, along x", axis_cylinder("y and z")},
          {"y_cylinder", "endless, along y", axis_cylinder("x and z")},
          {"z_cylinder", "endless, along z", axis_cylinder("x and y")},
          {"x_cone", "a double cone along x", cone},
          {"y_cone", "a double cone along y", cone},
          {"z_cone", "a double cone along z", cone},
          {"quadric", "any surface of second order", quadric(describe_quadric)},
          {"x_torus", "about an axis along x", torus},
          {"y_torus", "about an axis along y", torus},
          {"z_torus", "about an axis along z", torus},
          {"cylinder", "about any axis", quadric(describe_cylinder)},
          {"cone", "a double cone about any axis", quadric(describe_cone)}};
}

void check_name(const Section& s, const std::string& name) {
  const bool is_valid = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
  if (!is_valid)
    s.fail("name", fmt::format("`{}` cannot be written in a region", excerpt(name)),
           "use letters, digits, _ and .");
}

/// All kinds: those that have a form of their own, in the order of the forms up to the tori, then
/// polynomials.
std::vector<Section::Alternative> all_kinds(SurfaceConfig& c,
                                            std::span<const SurfaceKind* const> extra) {
  std::vector<Section::Alternative> kinds = kinds_of(c);
  for (const SurfaceKind& kind : own_surface_kinds()) kinds.push_back(alternative_of(kind, c));
  for (const SurfaceKind* kind : extra) kinds.push_back(alternative_of(*kind, c));
  return kinds;
}

void describe_surface(Section& s, SurfaceConfig& c, std::span<const SurfaceKind* const> extra) {
  s.required("name", c.name, {.doc = "letters, digits, _ and ."});
  const int kind = s.alternatives("kind", all_kinds(c, extra), -1, {.doc = "the form"});
  s.optional("boundary", c.surface.boundary, boundary_words, {.doc = boundary_doc});
  s.optional("partner", c.partner.name,
             {.doc = "of a periodic plane: the plane where particles come back"});
  if (s.describing()) return;
  check_name(s, c.name);
  c.where = s.location("name");
  if (kind <= static_cast<int>(Form::z_torus)) c.surface.form = static_cast<Form>(kind);
  const bool is_periodic = c.surface.boundary == SurfaceBoundary::periodic;
  if (is_periodic == c.partner.name.empty())
    s.fail(is_periodic ? "boundary" : "partner",
           is_periodic ? "a periodic plane needs a partner" : "only periodic planes have a partner",
           is_periodic ? "add partner = \"…\"" : "add boundary = \"periodic\"");
  if (is_periodic && c.surface.form > Form::plane)
    s.fail("boundary", "only planes can be periodic");
  if (is_periodic) c.partner.where = s.location("partner");
}

/// Adds the planes of a box, and their intersection.
void add_planes(Section& s, const BoxConfig& box, const std::vector<double>& lower,
                const std::vector<double>& upper, const std::vector<SurfaceBoundary>& boundary,
                GeometryConfig& config, Region& inside) {
  constexpr const char* ends[] = {"min", "max"};
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2, end = side % 2;
    SurfaceConfig plane;
    plane.name = fmt::format("{}.{}_{}", box.name, "xyz"[axis], ends[end]);
    plane.where = box.where;
    plane.surface.form = static_cast<Form>(axis);
    plane.surface.p[0] = end == 0 ? lower[axis] : upper[axis];
    plane.surface.boundary = boundary[side];
    const bool is_infinite = std::isinf(plane.surface.p[0]);
    if (boundary[side] == SurfaceBoundary::periodic) {
      if (boundary[side ^ 1] != SurfaceBoundary::periodic || is_infinite ||
          std::isinf(end == 0 ? upper[axis] : lower[axis]))
        s.fail("boundaries", fmt::format("the side {}_{} is periodic, and its opposite is not",
                                         "xyz"[axis], ends[end]));
      plane.partner = {fmt::format("{}.{}_{}", box.name, "xyz"[axis], ends[1 - end]), box.where};
    }
    if (is_infinite) continue;
    const auto index = static_cast<std::int32_t>(config.surfaces.size());
    inside.parts.push_back(Region::of(2 * index + (end == 0 ? 1 : 0)));
    config.surfaces.push_back(std::move(plane));
  }
}

void describe_box(Section& s, BoxConfig& box, GeometryConfig& config) {
  std::vector<double> lower(3, -1.0), upper(3, 1.0);
  std::vector<std::string> words;
  SurfaceBoundary all = SurfaceBoundary::transmission;
  const auto corner = [&s](const char* key, std::vector<double>& v, const char* doc) {
    s.required(key, v,
               {.doc = doc, .unit = "cm", .allow_infinity = true, .min_size = 3, .max_size = 3});
  };
  s.required("name", box.name, {.doc = "letters, digits, _ and ."});
  corner("lower", lower, "corner; -inf where the box has no side");
  corner("upper", upper, "corner; inf where the box has no side");
  s.optional("boundary", all, boundary_words,
             {.doc = "of all sides; opposite sides are partners of periodic ones"});
  s.optional("boundaries", words,
             {.doc = "of each side, instead: x_min, x_max, y_min, y_max, z_min, z_max",
              .min_size = 6,
              .max_size = 6});
  if (s.describing()) return;
  check_name(s, box.name);
  box.where = s.location("name");
  for (std::size_t a = 0; a < 3; ++a)
    if (!(lower[a] < upper[a]))
      s.fail("upper",
             fmt::format("the box reaches from {} to {} cm along {}", lower[a], upper[a], "xyz"[a]),
             "each number of upper must be above that of lower");
  if (!words.empty() && all != SurfaceBoundary::transmission)
    s.fail("boundaries", "a box has boundary or boundaries, and not both");
  std::vector<SurfaceBoundary> boundary(6, all);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto found = std::find(std::begin(boundary_words), std::end(boundary_words), words[i]);
    if (found == std::end(boundary_words))
      s.fail("boundaries", fmt::format("`{}` is no boundary", excerpt(words[i])),
             "write transmission, vacuum, reflective, periodic or white");
    boundary[i] = static_cast<SurfaceBoundary>(found - std::begin(boundary_words));
  }
  for (std::size_t side = 0; side < 6 && words.empty(); ++side)
    if (std::isinf(lower[side / 2]) && std::isinf(upper[side / 2]))
      boundary[side] = SurfaceBoundary::transmission;  // no sides, so none that are periodic
  Region inside;
  add_planes(s, box, lower, upper, boundary, config, inside);
  if (inside.parts.empty()) s.fail("lower", "this box has no side");
  box.inside = inside.parts.size() == 1 ? inside.parts.front() : inside;
}

}  // namespace

void describe_surfaces(Section& top, GeometryConfig& config,
                       std::span<const SurfaceKind* const> extra) {
  top.tables<SurfaceConfig>(
      "surface", config.surfaces,
      [extra](Section& s, SurfaceConfig& c) { describe_surface(s, c, extra); },
      "a surface, which divides space in two");
}

void describe_boxes(Section& top, GeometryConfig& config) {
  top.tables<BoxConfig>(
      "box", config.boxes, [&config](Section& s, BoxConfig& box) { describe_box(s, box, config); },
      "a block whose inside is -name: planes name.x_min to name.z_max");
}

}  // namespace gsim::transport
