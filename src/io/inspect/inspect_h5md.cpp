// H5MD trajectories: P. de Buyl, P. H. Colberg and F. Höfling, Comput. Phys. Commun. 185 (2014)
// 1546.

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/inspect/inspect.hpp"

namespace gsim::io {
namespace {

/// The path of the values of an element, which is time-dependent or fixed in time; empty if there
/// is none.
std::string values_of(const Hdf5Reader& file, const std::string& element) {
  for (const std::string& path : {element + "/value", element})
    if (file.has(path)) return path;
  return {};
}

ParticlesInfo describe_group(const Hdf5Reader& file, const std::string& group) {
  ParticlesInfo info;
  info.path = group;
  for (const std::string& name : file.children(group))
    if (name != "box" && !values_of(file, fmt::format("{}/{}", group, name)).empty())
      info.elements.push_back(name);
  const std::string position = group + "/position";
  const std::string path = values_of(file, position);
  if (path.empty()) return info;
  const std::vector<Index> sizes = file.extents(path);
  const bool is_fixed = path == position;
  info.frames = is_fixed || sizes.empty() ? 1 : sizes.front();
  const std::size_t axis = is_fixed ? 0 : 1;
  info.atoms = sizes.size() > axis ? sizes[axis] : 0;
  const std::string step = position + "/step";
  if (is_fixed || info.frames == 0 || !file.has(step)) return info;
  const StoredShape shape = file.shape(step);
  if (shape.type.is_string() || shape.rows != info.frames)
    return info;  // frames at a fixed interval
  if (shape.type.element != ElementType::int64) return info;
  const auto steps = file.read_all<Index>(step);
  info.first_step = steps.front();
  info.last_step = steps.back();
  return info;
}

}  // namespace

std::vector<ParticlesInfo> summarize_particles(const Hdf5Reader& file) {
  std::vector<ParticlesInfo> all;
  if (!file.has_group("particles")) return all;
  for (const std::string& name : file.children("particles"))
    if (const std::string group = "particles/" + name; file.has_group(group))
      all.push_back(describe_group(file, group));
  return all;
}

std::string creator_of(const Hdf5Reader& file) {
  std::string creator;
  for (const char* part : {"name", "version"}) {
    if (!file.has_group("h5md/creator") || !file.has_attribute("h5md/creator", part)) continue;
    const auto texts = file.attribute_texts("h5md/creator", part);
    if (texts.size() == 1) creator += (creator.empty() ? "" : " ") + texts.front();
  }
  return creator;
}

}  // namespace gsim::io
