#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"

namespace gsim::transport {
namespace {

constexpr std::string_view boundary_words[] = {"transmission", "vacuum", "reflective", "periodic",
                                               "white"};
constexpr const char* boundary_doc =
    "what happens to a particle that reaches it from inside the geometry: it goes on, is lost "
    "from it, is mirrored, comes back at the partner, or is sent back with a cosine distribution";

using Form = SurfaceForm;

/// Sets the form and the parameters of a surface; of a polynomial the form follows from its degree.
void set_shape(const Section& s, const SurfaceShape& shape, SurfaceConfig& c) {
  if (shape.form) {
    c.surface.form = *shape.form;
    std::copy(shape.p.begin(), shape.p.end(), c.surface.p);
    return;
  }
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

std::vector<Section::Alternative> alternatives_of(SurfaceConfig& c, SurfaceKinds kinds) {
  std::vector<Section::Alternative> alternatives;
  for (const SurfaceKind* kind : kinds)
    alternatives.push_back(
        {std::string(kind->name), std::string(kind->doc), [kind, &c](Section& s) {
           const SurfaceShape shape = kind->describe(s);
           if (!s.describing()) set_shape(s, shape, c);
         }});
  return alternatives;
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

void describe_surface(Section& s, SurfaceConfig& c, SurfaceKinds kinds) {
  s.required("name", c.name, {.doc = "letters, digits, _ and ."});
  s.alternatives("kind", alternatives_of(c, kinds), -1, {.doc = "the form"});
  s.optional("boundary", c.surface.boundary, boundary_words, {.doc = boundary_doc});
  s.optional("partner", c.partner.name,
             {.doc = "of a periodic plane: the plane where particles come back"});
  if (s.describing()) return;
  check_name(s, c.name);
  c.where = s.location("name");
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

void describe_surfaces(Section& top, GeometryConfig& config, SurfaceKinds kinds) {
  top.tables<SurfaceConfig>(
      "surface", config.surfaces,
      [kinds](Section& s, SurfaceConfig& c) { describe_surface(s, c, kinds); },
      "a surface, which divides space in two");
}

void describe_boxes(Section& top, GeometryConfig& config) {
  top.tables<BoxConfig>(
      "box", config.boxes, [&config](Section& s, BoxConfig& box) { describe_box(s, box, config); },
      "a block whose inside is -name: planes name.x_min to name.z_max");
}

}  // namespace gsim::transport
