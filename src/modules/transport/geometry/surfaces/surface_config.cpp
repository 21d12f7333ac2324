#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"

namespace gsim::transport {
namespace {

constexpr std::string_view boundary_names[] = {"transmission", "vacuum", "reflective", "periodic",
                                               "white"};
constexpr const char* boundary_doc =
    "boundary condition for particles that reach the surface from inside the "
    "geometry: transmission, leakage, specular reflection, translation to the "
    "partner, or diffuse reflection with a cosine distribution";

using Form = SurfaceForm;

/// Sets the form and the parameters of a surface; the form of a polynomial follows from its degree.
void set_form(const Section& s, SurfaceConfig& c) {
  const SurfaceShape& shape = c.shape;
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
    alternatives.push_back({std::string(kind->name), std::string(kind->doc),
                            validated([kind, &c](Section& s) { c.shape = kind->describe(s); },
                                      [kind, &c](const Section& s) {
                                        if (kind->validate != nullptr) kind->validate(s, c.shape);
                                        set_form(s, c);
                                      })});
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
  s.required("name", c.name, {.doc = "name of the surface: letters, digits, _ and ."});
  s.alternatives("kind", alternatives_of(c, kinds), -1, {.doc = "shape of the surface"});
  s.optional("boundary", c.surface.boundary, boundary_names, {.doc = boundary_doc});
  s.optional("partner", c.partner.name,
             {.doc = "partner of a periodic plane: the plane at which particles enter again"});
}

void validate_surface(const Section& s, SurfaceConfig& c) {
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

/// Adds the planes of a box with these boundary conditions to `config.surfaces`, and sets the
/// region inside them.
void add_planes(const Section& s, BoxConfig& box, const std::array<SurfaceBoundary, 6>& boundary,
                GeometryConfig& config) {
  constexpr const char* ends[] = {"min", "max"};
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2, end = side % 2;
    SurfaceConfig plane;
    plane.name = fmt::format("{}.{}_{}", box.name, "xyz"[axis], ends[end]);
    plane.where = box.where;
    plane.surface.form = static_cast<Form>(axis);
    plane.surface.p[0] = end == 0 ? box.lower[axis] : box.upper[axis];
    plane.surface.boundary = boundary[side];
    const bool is_infinite = std::isinf(plane.surface.p[0]);
    if (boundary[side] == SurfaceBoundary::periodic) {
      if (boundary[side ^ 1] != SurfaceBoundary::periodic || is_infinite ||
          std::isinf(end == 0 ? box.upper[axis] : box.lower[axis]))
        s.fail("boundaries", fmt::format("the side {}_{} is periodic, and its opposite is not",
                                         "xyz"[axis], ends[end]));
      plane.partner = {fmt::format("{}.{}_{}", box.name, "xyz"[axis], ends[1 - end]), box.where};
    }
    if (is_infinite) continue;
    const auto index = static_cast<std::int32_t>(config.surfaces.size());
    box.inside.parts.push_back(Region::of(2 * index + (end == 0 ? 1 : 0)));
    config.surfaces.push_back(std::move(plane));
  }
}

void describe_box(Section& s, BoxConfig& box) {
  const auto corner = [&s](const char* key, std::array<double, 3>& v, const char* doc) {
    s.required(key, v, {.doc = doc, .unit = "cm", .allow_infinity = true});
  };
  s.required("name", box.name, {.doc = "name of the box: letters, digits, _ and ."});
  corner("lower", box.lower, "lower corner; -inf where the box has no side");
  corner("upper", box.upper, "upper corner; inf where the box has no side");
  s.optional("boundary", box.boundary, boundary_names,
             {.doc = "boundary condition of all sides; opposite sides are the partners of "
                     "periodic ones"});
  s.optional("boundaries", box.boundaries,
             {.doc = "boundary conditions of the sides x_min, x_max, y_min, y_max, z_min, "
                     "z_max, in place of boundary",
              .min_size = 6,
              .max_size = 6});
}

/// The boundary conditions of the sides x_min, x_max, … z_max of a box.
std::array<SurfaceBoundary, 6> boundaries_of(const Section& s, const BoxConfig& box) {
  std::array<SurfaceBoundary, 6> boundary;
  boundary.fill(box.boundary);
  const auto& words = box.boundaries;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto found = std::find(std::begin(boundary_names), std::end(boundary_names), words[i]);
    if (found == std::end(boundary_names))
      s.fail("boundaries", fmt::format("`{}` is no boundary", excerpt(words[i])),
             "write transmission, vacuum, reflective, periodic or white");
    boundary[i] = static_cast<SurfaceBoundary>(found - std::begin(boundary_names));
  }
  for (std::size_t side = 0; side < 6 && words.empty(); ++side)
    if (std::isinf(box.lower[side / 2]) && std::isinf(box.upper[side / 2]))
      boundary[side] = SurfaceBoundary::transmission;  // no sides, so none that are periodic
  return boundary;
}

void validate_box(const Section& s, BoxConfig& box, GeometryConfig& config) {
  check_name(s, box.name);
  box.where = s.location("name");
  for (std::size_t a = 0; a < 3; ++a)
    if (!(box.lower[a] < box.upper[a]))
      s.fail("upper",
             fmt::format("the box reaches from {} to {} cm along {}", box.lower[a], box.upper[a],
                         "xyz"[a]),
             "each number of upper must be above that of lower");
  if (!box.boundaries.empty() && box.boundary != SurfaceBoundary::transmission)
    s.fail("boundaries", "a box has boundary or boundaries, and not both");
  add_planes(s, box, boundaries_of(s, box), config);
  if (box.inside.parts.empty()) s.fail("lower", "this box has no side");
  if (box.inside.parts.size() == 1) box.inside = Region(box.inside.parts.front());
}

}  // namespace

void describe_surfaces(Section& top, GeometryConfig& config, SurfaceKinds kinds) {
  top.tables<SurfaceConfig>(
      "surface", config.surfaces,
      validated([kinds](Section& s, SurfaceConfig& c) { describe_surface(s, c, kinds); },
                validate_surface),
      "a surface, which divides space in two");
}

void describe_boxes(Section& top, GeometryConfig& config) {
  top.tables<BoxConfig>(
      "box", config.boxes,
      validated(describe_box,
                [&config](const Section& s, BoxConfig& box) { validate_box(s, box, config); }),
      "a block bounded by planes name.x_min to name.z_max, whose inside is -name");
}

}  // namespace gsim::transport
