#include "src/modules/md/integrators/groups.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::md {
namespace {

/// Type and groups as one number that sorts by type first.
using ClassKey = std::uint64_t;
ClassKey key_of(std::int32_t type, std::uint32_t groups) {
  return static_cast<ClassKey>(static_cast<std::uint32_t>(type)) << 32 | groups;
}

std::vector<ClassKey> sorted_unique(std::vector<ClassKey> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

/// Whether each type belongs to the group.
std::vector<bool> types_of(const GroupConfig& group, std::span<const std::string> names) {
  std::vector<bool> is_in(names.size(), group.types.empty());
  for (const std::string& name : group.types) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(
          fmt::format("group `{}` selects atoms of type `{}`, which do not exist; "
                      "types are: {}",
                      excerpt(group.name), excerpt(name), excerpt(names)));
    is_in[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return is_in;
}

bool is_inside(const GroupConfig& group, std::int64_t id, const Vector3& point) {
  if (!group.ids.empty() && (id < group.ids[0] || id > group.ids[1])) return false;
  if (group.lower.empty()) return true;
  for (std::size_t a = 0; a < 3; ++a)
    if (!(point[a] >= group.lower[a] && point[a] < group.upper[a])) return false;
  return true;
}

}  // namespace

std::vector<std::uint32_t> group_bits(std::span<const GroupConfig> groups,
                                      std::span<const std::string> type_names,
                                      std::span<const std::int64_t> ids,
                                      std::span<const std::int32_t> types,
                                      std::span<const Vector3> points) {
  GSIM_EXPECT(groups.size() <= max_groups);
  std::vector<std::uint32_t> bits(ids.size(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<bool> is_in = types_of(groups[g], type_names);
    for (std::size_t k = 0; k < ids.size(); ++k)
      if (is_in[static_cast<std::size_t>(types[k])] && is_inside(groups[g], ids[k], points[k]))
        bits[k] |= std::uint32_t{1} << g;
  }
  return bits;
}

Classification classify(const Communicator& communicator, std::span<const std::int32_t> types,
                        std::span<const std::uint32_t> groups,
                        std::span<const double> masses_by_type) {
  std::vector<ClassKey> local_keys(types.size());
  for (std::size_t k = 0; k < types.size(); ++k) local_keys[k] = key_of(types[k], groups[k]);
  const std::vector<ClassKey> local_classes = sorted_unique(local_keys);
  const std::vector<ClassKey> all_classes =
      sorted_unique(communicator.allgather(std::span<const ClassKey>(local_classes)));
  Classification result;
  for (const ClassKey key : all_classes) {
    const auto type = static_cast<std::int32_t>(key >> 32);
    result.classes.push_back({.type = type,
                              .groups = static_cast<std::uint32_t>(key),
                              .mass = masses_by_type[static_cast<std::size_t>(type)]});
  }
  for (const ClassKey key : local_keys) {
    const auto c =
        std::lower_bound(all_classes.begin(), all_classes.end(), key) - all_classes.begin();
    ++result.classes[static_cast<std::size_t>(c)].atoms;
    result.of_atom.push_back(static_cast<std::int32_t>(c));
  }
  for (AtomClass& c : result.classes) c.atoms = communicator.sum(c.atoms);
  return result;
}

void refuse_empty_groups(std::span<const GroupConfig> groups, std::span<const AtomClass> classes) {
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (std::none_of(classes.begin(), classes.end(),
                     [&](const AtomClass& c) { return (c.groups >> g & 1) != 0; }))
      throw ConfigError(groups[g].where,
                        fmt::format("group `{}` holds no atom", excerpt(groups[g].name)),
                        "correct its types, ids or region, or leave it out");
}

void save_classes(DatasetWriter& writer, std::span<const AtomClass> classes) {
  std::vector<std::int64_t> numbers;
  std::vector<double> masses;
  for (const AtomClass& c : classes) {
    numbers.insert(numbers.end(), {c.type, c.groups, c.atoms});
    masses.push_back(c.mass);
  }
  writer.write("motion/classes", numbers, 3);
  writer.write("motion/class_masses", masses);
}

std::vector<AtomClass> restore_classes(DatasetReader& reader) {
  const auto numbers = reader.read<std::int64_t>("motion/classes");
  const auto masses = reader.read<double>("motion/class_masses");
  std::vector<AtomClass> classes;
  for (std::size_t c = 0; c < masses.size(); ++c)
    classes.push_back({.type = static_cast<std::int32_t>(numbers.at(3 * c)),
                       .groups = static_cast<std::uint32_t>(numbers.at(3 * c + 1)),
                       .mass = masses[c],
                       .atoms = numbers.at(3 * c + 2)});
  return classes;
}

}  // namespace gsim::md
