#include "gsim/config/schema_gaps.hpp"

#include "schema.hpp"

namespace gsim {
namespace {

void find_undocumented(const config_detail::SchemaNode& node, const std::string& path,
                       std::vector<std::string>& undocumented) {
  for (const auto& entry : node.entries) {
    const std::string name = path.empty() ? entry->key : path + "." + entry->key;
    if (entry->info.doc.empty()) undocumented.push_back(name);
    find_undocumented(entry->inner, name, undocumented);
    for (const auto& branch : entry->branches) find_undocumented(branch.keys, path, undocumented);
  }
}

}  // namespace

std::vector<std::string> undocumented_keys(const Section::Describe& describe) {
  std::vector<std::string> undocumented;
  find_undocumented(config_detail::schema_of(describe), "", undocumented);
  return undocumented;
}

}  // namespace gsim
