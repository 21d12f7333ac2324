#include "gsim/config/schema_gaps.hpp"

#include "schema.hpp"

namespace gsim {
namespace {

void find_gaps(const config_detail::SchemaNode& node, const std::string& path,
               std::vector<std::string>& gaps) {
  for (const auto& entry : node.entries) {
    const std::string name = path.empty() ? entry->key : path + "." + entry->key;
    if (entry->info.doc.empty()) gaps.push_back(name);
    find_gaps(entry->inner, name, gaps);
    for (const auto& branch : entry->branches) find_gaps(branch.keys, path, gaps);
  }
}

}  // namespace

std::vector<std::string> undocumented_keys(const Section::Describe& describe) {
  std::vector<std::string> gaps;
  find_gaps(config_detail::schema_of(describe), "", gaps);
  return gaps;
}

}  // namespace gsim
