// The schema as text: type and range of each key, and below them its meaning; tables in the order
// in which they are described.

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "schema_facts.hpp"
#include "src/config/sections/toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

constexpr int width = 100;
constexpr int facts_column = 28;

/// `words` in lines that all begin at column `indent`.
std::string indented(const std::string& words, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text = margin;
  for (const char c : wrap(words, width - indent, 0)) {
    text += c;
    if (c == '\n') text += margin;
  }
  return text + "\n";
}

/// "number [years] · > 0 · default 1.0"
std::string facts(const SchemaEntry& entry) {
  std::string text = schema_type(entry);
  if (!entry.info.unit.empty()) text += fmt::format(" [{}]", entry.info.unit);
  if (const std::string range = schema_range(entry.info); !range.empty()) text += " · " + range;
  text += entry.required               ? " · required"
          : entry.default_text.empty() ? " · optional"
                                       : " · default " + entry.default_text;
  return entry.info.is_run_length ? text + " · can be changed on --resume" : text;
}

class Printer {
 public:
  void table(const SchemaNode& node, const std::string& path, const std::string& header,
             const std::string& doc) {
    std::string block;
    if (!header.empty()) block = "\n" + indented(doc.empty() ? header : header + "  " + doc, 0);
    keys(node, header.empty() ? 0 : 2, block);
    // alternatives may hold tables of the same name and contents
    if (text_.find(block) == std::string::npos) text_ += block;
    print_inner_tables(node, path,
                       [this](const SchemaNode& keys, const std::string& inner_path,
                              const std::string& inner_header, const std::string& inner_doc) {
                         table(keys, inner_path, inner_header, inner_doc);
                       });
  }

  const std::string& text() const { return text_; }

 private:
  static void key(const SchemaEntry& entry, int indent, std::string& block) {
    const std::string name = std::string(static_cast<std::size_t>(indent), ' ') + entry.key;
    const std::string facts_text = indented(facts(entry), facts_column);
    const int spaces = std::max(2, facts_column - display_width(name));
    block += name + std::string(static_cast<std::size_t>(spaces), ' ');
    block += facts_text.substr(facts_column);
    const std::string meaning = entry.info.doc + schema_size(entry.info);
    if (!meaning.empty()) block += indented(meaning, facts_column);
  }

  // Keys that hold values; branches of alternatives below the key that selects one.
  static void keys(const SchemaNode& node, int indent, std::string& block) {
    for (const auto& entry : node.entries) {
      if (entry->form == Form::table || entry->form == Form::tables ||
          entry->form == Form::named_tables)
        continue;
      key(*entry, indent, block);
      for (const SchemaBranch& branch : entry->branches) {
        const std::string doc = branch.doc.empty() ? "" : "  " + branch.doc;
        block += indented(fmt::format("with {} = {}:{}", entry->key, toml_value(branch.word), doc),
                          indent + 2);
        keys(branch.keys, indent + 4, block);
      }
    }
  }

  std::string text_;
};

}  // namespace

std::string schema_text(const Section::Describe& describe) {
  const SchemaNode schema = schema_of(describe);
  Printer printer;
  printer.table(schema, "", "", "");
  return printer.text();
}

}  // namespace gsim
