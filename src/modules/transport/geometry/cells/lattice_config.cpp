#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"

namespace gsim::transport {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = text.find_first_not_of(" \t\n\r", at);
    if (first == std::string_view::npos) break;
    const std::size_t last = std::min(text.find_first_of(" \t\n\r", first), text.size());
    words.emplace_back(text.substr(first, last - first));
    at = last;
  }
  return words;
}

/// The values of the keys of a lattice. Rows are universes as the configuration gives them.
struct LatticeKeys {
  std::vector<double> pitch, lower_left, center;
  int orientation = 0;
  std::vector<std::string> legend;
  std::vector<std::string> universes;  ///< rows of a lattice of one layer
  struct Layer {
    std::vector<std::string> universes;
    Index repeat = 1;
  };
  std::vector<Layer> layers;
};

/// Describes the keys that name the universes of the elements.
void describe_elements(Section& s, LatticeKeys& keys) {
  const char* doc = "rows of universes as seen from above: the topmost (largest y) first";
  s.optional(
      "legend", keys.legend,
      {.doc = "letters that stand for universes, such as \"f = fuel_pin\"; rows are then read "
              "letter by letter; default: rows are names separated by spaces"});
  s.optional("universes", keys.universes, {.doc = doc, .min_size = 1});
  s.tables<LatticeKeys::Layer>(
      "layer", keys.layers,
      [&](Section& t, LatticeKeys::Layer& layer) {
        t.required("universes", layer.universes, {.doc = doc, .min_size = 1});
        t.optional(
            "repeat", layer.repeat,
            {.doc = "number of successive layers of this kind", .minimum = 1, .maximum = 100000});
      },
      "a layer of a lattice with several layers along z, from the lowest one upwards; in place "
      "of universes");
}

/// The universe of each letter.
using Legend = std::map<char, std::string>;

/// Parses lines such as "f = fuel_pin" or "f fuel_pin".
Legend legend_of(const Section& s, const std::vector<std::string>& lines) {
  Legend legend;
  for (const std::string& line : lines) {
    auto words = words_of(line);
    if (words.size() == 3 && words[1] == "=") words.erase(words.begin() + 1);
    if (words.size() != 2 || words[0].size() != 1)
      s.fail("legend", fmt::format("`{}` is no entry of a legend", excerpt(line)),
             "write \"letter = universe\"");
    if (!legend.emplace(words[0][0], words[1]).second)
      s.fail("legend", fmt::format("the letter `{}` has two meanings", words[0]));
  }
  return legend;
}

/// The names of a row; "." stands for an empty element.
std::vector<std::string> names_of(const Section& s, const std::string& row, const Legend& legend) {
  std::vector<std::string> names;
  if (legend.empty()) {
    names = words_of(row);
    for (std::string& name : names)
      if (name == ".") name.clear();
    return names;
  }
  for (const char letter : row) {
    if (letter == ' ' || letter == '\t') continue;
    const auto found = legend.find(letter);
    if (found == legend.end() && letter != '.')
      s.fail("universes", fmt::format("the legend has no letter `{}`", excerpt({&letter, 1})));
    names.push_back(letter == '.' ? "" : found->second);
  }
  return names;
}

/// The layers of the lattice from the bottom up; each is a list of rows of names in the order of
/// the configuration.
std::vector<Rows> layers_of(const Section& s, const LatticeKeys& keys) {
  const Legend legend = legend_of(s, keys.legend);
  if (s.has("universes") == s.has("layer"))
    s.fail(s.has("layer") ? "universes" : "name",
           "a lattice has either universes or a [[lattice.layer]] for each layer");
  const auto rows_of = [&](const std::vector<std::string>& lines) {
    Rows rows;
    for (const std::string& line : lines) rows.push_back(names_of(s, line, legend));
    return rows;
  };
  std::vector<Rows> layers;
  if (keys.layers.empty()) layers.push_back(rows_of(keys.universes));
  for (const LatticeKeys::Layer& layer : keys.layers)
    layers.insert(layers.end(), static_cast<std::size_t>(layer.repeat), rows_of(layer.universes));
  return layers;
}

/// Sets the division along z; `height` is the pitch along z, 0 for none.
void set_axial(Lattice& lattice, std::size_t layers, double height) {
  lattice.has_layers = height > 0 ? 1 : 0;
  lattice.count[2] = static_cast<std::int32_t>(layers);
  lattice.pitch[2] = height;
  lattice.inverse_pitch[2] = height > 0 ? 1 / height : 0;
}

void check_axial_pitch(const Section& s, std::size_t layers, bool has_axial_pitch) {
  if (layers > 1 && !has_axial_pitch)
    s.fail("pitch", fmt::format("{} layers, and no pitch along z", layers));
}

void describe_rectangular(Section& s, LatticeKeys& keys) {
  s.required("pitch", keys.pitch,
             {.doc = "pitch along x, y and, with several layers, z",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 2,
              .max_size = 3});
  s.optional("lower_left", keys.lower_left,
             {.doc = "corner with the smallest x, y (and z), in place of center",
              .unit = "cm",
              .min_size = 2,
              .max_size = 3});
  s.optional("center", keys.center,
             {.doc = "centre of the lattice, in place of lower_left",
              .unit = "cm",
              .min_size = 2,
              .max_size = 3});
  describe_elements(s, keys);
}

/// Checks that all layers have `ny` rows of `nx` elements.
void check_rows(const std::vector<Rows>& layers, std::size_t nx, std::size_t ny,
                const SourceLocation& where) {
  for (const Rows& rows : layers) {
    if (rows.size() != ny)
      throw ConfigError(
          where, fmt::format("a layer has {} rows, and the first layer {}", rows.size(), ny));
    for (std::size_t j = 0; j < ny; ++j)
      if (rows[j].size() != nx)
        throw ConfigError(where, fmt::format("row {} has {} elements, the first one {}", j + 1,
                                             rows[j].size(), nx));
  }
}

void set_rectangular(const Section& s, const LatticeKeys& keys, LatticeConfig& c) {
  c.elements_where = s.location(s.has("layer") ? "layer" : "universes");
  const auto layers = layers_of(s, keys);
  const bool is_centred = s.has("center");
  if (is_centred == s.has("lower_left"))
    s.fail(is_centred ? "center" : "kind", "a lattice has either lower_left or center");
  const auto& pitch = keys.pitch;
  const auto& position = is_centred ? keys.center : keys.lower_left;
  if (position.size() != pitch.size())
    s.fail(is_centred ? "center" : "lower_left",
           fmt::format("{} numbers are given, but pitch has {}", position.size(), pitch.size()));
  check_axial_pitch(s, layers.size(), pitch.size() == 3);
  const std::size_t ny = layers[0].size(), nx = ny == 0 ? 0 : layers[0][0].size();
  if (nx == 0) s.fail("universes", "this lattice has no elements");
  check_rows(layers, nx, ny, c.elements_where);
  for (const Rows& rows : layers)
    for (std::size_t j = 0; j < ny; ++j)
      c.elements.insert(c.elements.end(), rows[ny - 1 - j].begin(), rows[ny - 1 - j].end());
  Lattice& l = c.lattice;
  l.kind = LatticeKind::rectangular;
  l.count[0] = static_cast<std::int32_t>(nx);
  l.count[1] = static_cast<std::int32_t>(ny);
  set_axial(l, layers.size(), pitch.size() == 3 ? pitch[2] : 0);
  double* origin[3] = {&l.origin.x, &l.origin.y, &l.origin.z};
  for (std::size_t a = 0; a < pitch.size(); ++a) {
    l.pitch[a] = pitch[a];
    l.inverse_pitch[a] = 1 / pitch[a];
    *origin[a] = position[a] + pitch[a] * 0.5 * (is_centred ? 1 - l.count[a] : 1);
  }
}

/// Writes the rows of a hexagon into its table of (2 rings - 1)^2 elements. The rows are in the
/// order of increasing second coordinate if `is_upward`, else of decreasing; the elements of a row
/// are in the order of increasing first coordinate.
void place_hexagon(const LatticeConfig& c, const Rows& rows, bool is_upward,
                   std::vector<std::string>& table) {
  const int radius = c.lattice.count[0] - 1, side = 2 * radius + 1;
  for (int r = 0; r < side; ++r) {
    const int j = is_upward ? r - radius : radius - r;
    const int first = std::max(-radius, -radius - j);
    const auto& row = rows[static_cast<std::size_t>(r)];
    for (std::size_t n = 0; n < row.size(); ++n) {
      const int i = first + static_cast<int>(n);
      const int element = (j + radius) * side + i + radius;
      table[static_cast<std::size_t>(element)] = row[n];
    }
  }
}

void describe_hexagonal(Section& s, LatticeKeys& keys) {
  static constexpr std::string_view orientations[] = {"x", "y"};
  s.required("pitch", keys.pitch,
             {.doc = "distance of opposite flat sides of an element and, with several layers, "
                     "pitch along z",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 1,
              .max_size = 2});
  s.required("center", keys.center,
             {.doc = "centre of the lattice along x, y and, with several layers, z",
              .unit = "cm",
              .min_size = 2,
              .max_size = 3});
  s.optional_word(
      "orientation", keys.orientation, orientations,
      {.doc = "axis of the rows of adjacent elements; x: rows along x, the topmost "
              "first, each from left to right; y: rows along y, the leftmost first, each "
              "from below"});
  describe_elements(s, keys);
}

void set_hexagonal(const Section& s, const LatticeKeys& keys, LatticeConfig& c) {
  c.elements_where = s.location(s.has("layer") ? "layer" : "universes");
  const auto layers = layers_of(s, keys);
  const auto &pitch = keys.pitch, &centre = keys.center;
  if (centre.size() != pitch.size() + 1)
    s.fail("center",
           fmt::format("{} numbers are given, but pitch has {}", centre.size(), pitch.size()));
  check_axial_pitch(s, layers.size(), pitch.size() == 2);
  const std::size_t side = layers[0].size();
  if (side % 2 == 0)
    s.fail(s.has("layer") ? "layer" : "universes", fmt::format("{} rows make no hexagon", side),
           "n rings have 2 n - 1 rows");
  Lattice& l = c.lattice;
  l.kind = LatticeKind::hexagonal;
  l.is_swapped = keys.orientation;
  l.count[0] = l.count[1] = static_cast<std::int32_t>(side / 2 + 1);
  l.pitch[0] = l.pitch[1] = pitch[0];
  l.inverse_pitch[0] = l.inverse_pitch[1] = 1 / pitch[0];
  set_axial(l, layers.size(), pitch.size() == 2 ? pitch[1] : 0);
  l.origin = {centre[0], centre[1], 0};
  if (l.has_layers != 0) l.origin.z = centre[2] + pitch[1] * 0.5 * (1 - l.count[2]);
  for (const Rows& rows : layers) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t length = side - (r < side / 2 ? side / 2 - r : r - side / 2);
      if (rows.size() != side || rows[r].size() != length)
        throw ConfigError(c.elements_where,
                          fmt::format("row {} has {} elements; a hexagon of {} rings has {} there",
                                      r + 1, rows[r].size(), l.count[0], length));
    }
    std::vector<std::string> table(side * side);
    place_hexagon(c, rows, keys.orientation == 1, table);
    c.elements.insert(c.elements.end(), table.begin(), table.end());
  }
}

/// The keys of a kind of lattice, which `set` converts into the lattice.
Section::Describe keys_of(LatticeConfig& c, void (*describe)(Section&, LatticeKeys&),
                          void (*set)(const Section&, const LatticeKeys&, LatticeConfig&)) {
  return [&c, describe, set](Section& s) {
    LatticeKeys keys;
    validated(describe, [&c, set](const Section& t, const LatticeKeys& k) { set(t, k, c); })(s,
                                                                                             keys);
  };
}

void describe_lattice(Section& s, LatticeConfig& c) {
  s.required("name", c.name, {.doc = "name of the lattice, for `fill`"});
  s.alternatives(
      "kind",
      {{"rectangular", "a grid", keys_of(c, describe_rectangular, set_rectangular)},
       {"hexagonal", "rings of hexagons", keys_of(c, describe_hexagonal, set_hexagonal)}},
      -1, {.doc = "shape of the elements"});
  s.optional("outer", c.outer.name,
             {.doc = "universe that fills the elements around the lattice, and elements `.`"});
}

void validate_lattice(const Section& s, LatticeConfig& c) {
  c.where = s.location("name");
  c.outer.where = s.location("outer");
}

}  // namespace

void describe_lattices(Section& top, GeometryConfig& config) {
  top.tables<LatticeConfig>("lattice", config.lattices,
                            validated(describe_lattice, validate_lattice),
                            "universes in a regular grid");
}

}  // namespace gsim::transport
