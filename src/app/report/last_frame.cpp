#include "last_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "gsim/io/read_numbers.hpp"
#include "gsim/io/result_file.hpp"
#include "report.hpp"

namespace gsim::app {
namespace {

constexpr Index most_atoms = 20'000;  // that are shown, apart from chance
constexpr std::size_t most_kinds = 256;

using Corner = std::array<double, 3>;

/// The path of the first group of particles with positions in time and a box; empty if none.
std::string group_of(const ResultReader& file) {
  for (const std::string& path : file.list("particles")) {
    const std::size_t end = path.rfind("/position/value");
    if (end == std::string::npos) continue;
    std::string group = path.substr(0, end);
    if (!group.starts_with("particles/")) group.insert(0, "particles/");
    if (file.has(group + "/box/edges/value") || file.has(group + "/box/edges")) return group;
  }
  return {};
}

/// Indices of the atoms that are shown, ascending: a selection by Knuth's multiplicative hash (The
/// Art of Computer Programming 3, 1998, section 6.4), which has no pattern on a crystal.
std::vector<Index> shown_atoms(Index atoms) {
  std::vector<Index> shown;
  const double share = static_cast<double>(most_atoms) / static_cast<double>(atoms);
  for (Index i = 0; i < atoms; ++i) {
    const auto hash = static_cast<std::uint32_t>(i) * 2654435761u;
    if (atoms <= most_atoms || hash < share * 0x1p32) shown.push_back(i);
  }
  return shown;
}

/// Numbers of kinds in the order of their species, and the names of the kinds.
struct Kinds {
  std::string numbers;  ///< a byte for each shown atom
  Json names = Json::array();
};

Kinds kinds_of(ResultReader& file, const std::string& group, const std::vector<Index>& shown,
               Index atoms) {
  Kinds kinds;
  std::vector<double> species;
  if (file.has(group + "/species")) species = read_numbers(file, group + "/species", {0, atoms});
  if (static_cast<Index>(species.size()) != atoms)
    species.assign(static_cast<std::size_t>(atoms), 1);
  std::map<double, std::size_t> numbers;
  for (const double s : species) numbers.emplace(s, 0);
  std::vector<std::string> names;
  if (file.has("parameters/type_names")) names = file.read_strings("parameters/type_names");
  std::size_t next = 0;
  for (auto& [kind, number] : numbers) {
    number = std::min(next++, most_kinds - 1);
    if (number + 1 < next) continue;  // the last kind stands for all further ones
    const bool is_named = kind >= 1 && kind <= static_cast<double>(names.size());
    kinds.names.push(is_named ? names[static_cast<std::size_t>(kind) - 1]
                              : fmt::format("species {:g}", kind));
  }
  for (const Index i : shown)
    kinds.numbers += static_cast<char>(numbers.at(species[static_cast<std::size_t>(i)]));
  return kinds;
}

/// Corners of the smallest box around finite positions.
std::array<Corner, 2> bounds_of(const std::vector<double>& positions) {
  std::array<Corner, 2> bounds{Corner{HUGE_VAL, HUGE_VAL, HUGE_VAL},
                               Corner{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!std::isfinite(positions[i])) continue;
    bounds[0][i % 3] = std::min(bounds[0][i % 3], positions[i]);
    bounds[1][i % 3] = std::max(bounds[1][i % 3], positions[i]);
  }
  return bounds;
}

/// The positions of atoms as 16-bit integers within `bounds`, little-endian.
std::string packed(const std::vector<double>& positions, const std::vector<Index>& shown,
                   const std::array<Corner, 2>& bounds) {
  std::string bytes;
  for (const Index atom : shown)
    for (std::size_t a = 0; a < 3; ++a) {
      const double width = bounds[1][a] - bounds[0][a];
      const double x = positions[static_cast<std::size_t>(3 * atom) + a] - bounds[0][a];
      const double share = width > 0 && std::isfinite(x) ? x / width : 0;
      const auto value = static_cast<std::uint32_t>(std::lround(65535 * share));
      bytes += static_cast<char>(value & 255);
      bytes += static_cast<char>(value >> 8);
    }
  return bytes;
}

template <class Numbers>
Json json_of(const Numbers& numbers) {
  Json array = Json::array();
  for (const double x : numbers) array.push(x);
  return array;
}

/// The box in the frame `frame` as three vectors; of a rectangular box only the lengths are stored.
std::vector<double> edges_of(ResultReader& file, const std::string& group, Index frame) {
  const std::string fixed = group + "/box/edges", varying = fixed + "/value";
  std::vector<double> edges;
  if (file.has(varying)) {
    edges = read_numbers(file, varying, {frame, frame + 1});
  } else {
    const std::vector<Index> sizes = file.extents(fixed);
    edges = read_numbers(file, fixed, {0, sizes.empty() ? 1 : sizes.front()});
  }
  if (edges.size() == 3) edges = {edges[0], 0, 0, 0, edges[1], 0, 0, 0, edges[2]};
  return edges;
}

}  // namespace

std::optional<Json> last_frame(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  const std::string group = group_of(file), position = group + "/position";
  if (group.empty()) return std::nullopt;
  const std::vector<Index> sizes = file.extents(position + "/value");
  if (sizes.size() != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] != 3) return std::nullopt;
  const Index frame = sizes[0] - 1, atoms = sizes[1];
  const std::vector<double> edges = edges_of(file, group, frame);
  if (edges.size() != 9) return std::nullopt;
  const std::vector<double> positions = read_numbers(file, position + "/value", {frame, frame + 1});
  const std::vector<Index> shown = shown_atoms(atoms);
  const Kinds kinds = kinds_of(file, group, shown, atoms);
  const std::array<Corner, 2> bounds = bounds_of(positions);
  Json object = Json::object()
                    .set("file", std::filesystem::path(path).filename().string())
                    .set("atoms", atoms)
                    .set("shown", static_cast<Index>(shown.size()))
                    .set("kinds", kinds.names)
                    .set("edges", json_of(edges))
                    .set("low", json_of(bounds[0]))
                    .set("high", json_of(bounds[1]))
                    .set("positions", base64(packed(positions, shown, bounds)))
                    .set("species", base64(kinds.numbers));
  for (const char* axis : {"step", "time"})
    if (const std::string at = fmt::format("{}/{}", position, axis);
        file.has(at) && file.extents(at) == std::vector<Index>{sizes[0]})
      object.set(axis, read_numbers(file, at, {frame, frame + 1}).front());
  const bool has_origin = file.has_attribute(group + "/box", "origin");
  const std::vector<double> origin =
      has_origin ? file.attribute_numbers(group + "/box", "origin") : std::vector<double>(3, 0.0);
  return object.set("origin", json_of(origin));
}

}  // namespace gsim::app
