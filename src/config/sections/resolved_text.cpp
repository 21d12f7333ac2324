#include <utility>

#include "reading.hpp"
#include "toml_text.hpp"

namespace gsim::config_detail {
namespace {

struct Output {
  bool with_run_lengths = true;
  std::string text = {};
};

void write_table(const Node& table, const std::string& path, const std::string& header,
                 Output& out);

void write_child(const ReadKey& read_key, const std::string& path, Output& out) {
  const Node& node = *read_key.node;
  if (read_key.is_named_tables) {
    for (const auto& table : node.children) {
      const std::string inner = path + "." + toml_key(table->key);
      write_table(*table, inner, "[" + inner + "]", out);
    }
    if (node.children.empty()) out.text += "\n[" + path + "]\n";
  } else if (node.kind == Kind::array) {
    for (const auto& element : node.children) write_table(*element, path, "[[" + path + "]]", out);
  } else {
    write_table(node, path, "[" + path + "]", out);
  }
}

// Plain keys come first: after a sub-table's header they would belong to the sub-table.
void write_table(const Node& table, const std::string& path, const std::string& header,
                 Output& out) {
  if (!header.empty()) out.text += (out.text.empty() ? "" : "\n") + header + "\n";
  for (const ReadKey& read_key : table.read_keys)
    if (!read_key.value.empty() && (out.with_run_lengths || !read_key.is_run_length))
      out.text += toml_key(read_key.key) + " = " + read_key.value + "\n";
  for (const ReadKey& read_key : table.read_keys)
    if (read_key.node != nullptr)
      write_child(read_key,
                  path.empty() ? toml_key(read_key.key) : path + "." + toml_key(read_key.key), out);
}

}  // namespace

std::string resolved_text(const Node& root, bool with_run_lengths) {
  Output out{with_run_lengths};
  write_table(root, "", "", out);
  return std::move(out.text);
}

}  // namespace gsim::config_detail
