// The schema as Markdown. The order of tables and keys is that in which they are described.

#include "gsim/config/schema_markdown.hpp"

#include <fmt/format.h>

#include "schema_facts.hpp"
#include "src/config/sections/toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

bool is_table(const SchemaEntry& entry) {
  return entry.form == Form::table || entry.form == Form::tables ||
         entry.form == Form::named_tables;
}

/// `text` for a cell of a table: a vertical bar would end the cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// `text` as code, unless it is empty.
std::string code(const std::string& text) { return text.empty() ? text : "`" + cell(text) + "`"; }

/// The row of a key in the table of keys.
std::string row(const SchemaEntry& entry) {
  std::string type = schema_type(entry);
  if (type.front() == '"') type = code(type);
  if (!entry.info.unit.empty()) type += fmt::format(" [{}]", entry.info.unit);
  const std::string default_text = entry.required               ? "required"
                                   : entry.default_text.empty() ? "optional"
                                                                : code(entry.default_text);
  std::string meaning = entry.info.doc + schema_size(entry.info);
  if (entry.info.is_run_length) meaning += "; can be changed on `--resume`";
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", entry.key, type,
                     cell(schema_range(entry.info)), default_text, cell(meaning));
}

class MarkdownPrinter {
 public:
  void table(const SchemaNode& node, const std::string& path, const std::string& header,
             const std::string& doc) {
    std::string block;
    if (!header.empty()) block = fmt::format("\n## `{}`\n", header);
    if (!doc.empty()) block += "\n" + doc + "\n";
    keys(node, "", block);
    // Alternatives may hold tables of the same name and contents, which are printed once.
    if (text_.find(block) == std::string::npos) text_ += block;
    print_inner_tables(node, path,
                       [this](const SchemaNode& keys, const std::string& inner_path,
                              const std::string& inner_header, const std::string& inner_doc) {
                         table(keys, inner_path, inner_header, inner_doc);
                       });
  }

  const std::string& text() const { return text_; }

 private:
  // Appends to `block` a Markdown table of the keys of `node` that hold values and then, for each
  // value of a key with alternatives, a section with the keys of that alternative. `chosen`: the
  // alternatives that `node` belongs to, such as "`product = "lookback"`"; empty: none.
  static void keys(const SchemaNode& node, const std::string& chosen, std::string& block) {
    std::string rows;
    for (const auto& entry : node.entries)
      if (!is_table(*entry)) rows += row(*entry);
    if (!rows.empty())
      block +=
          "\n| key | type | range | default | meaning |\n| --- | --- | --- | --- | --- |\n" + rows;
    for (const auto& entry : node.entries) {
      if (is_table(*entry)) continue;
      for (const SchemaBranch& branch : entry->branches) {
        const std::string choice = fmt::format("{}{}`{} = {}`", chosen, chosen.empty() ? "" : ", ",
                                               entry->key, toml_value(branch.word));
        block += fmt::format("\n### {}\n", choice);
        if (!branch.doc.empty()) block += "\n" + branch.doc + "\n";
        keys(branch.keys, choice, block);
      }
    }
  }

  std::string text_;
};

}  // namespace

std::string schema_markdown(const Section::Describe& describe, const std::string& title) {
  const SchemaNode schema = schema_of(describe);
  MarkdownPrinter printer;
  printer.table(schema, "", "", "");
  return fmt::format("# {}\n", title) + printer.text();
}

}  // namespace gsim
