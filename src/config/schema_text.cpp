// The schema for people: what a key takes, and below what it means; tables in the order in which
// they are described.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gsim/core/log.hpp"
#include "schema.hpp"
#include "toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

constexpr int width = 100;
constexpr int facts_column = 28;

std::string range_words(const KeyInfo& info) {
  const bool low = info.minimum > -std::numeric_limits<double>::infinity();
  const bool high = info.maximum < std::numeric_limits<double>::infinity();
  const std::string from = plain_number(info.minimum), to = plain_number(info.maximum);
  if (low && high)
    return fmt::format("{}{}, {}{}", info.exclusive_minimum ? "(" : "[", from, to,
                       info.exclusive_maximum ? ")" : "]");
  if (low) return (info.exclusive_minimum ? "> " : ">= ") + from;
  if (high) return (info.exclusive_maximum ? "< " : "<= ") + to;
  return {};
}

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

std::string type_words(const SchemaEntry& entry) {
  if (entry.form == Form::duration) return "duration";
  if (!entry.words.empty()) {
    std::string words;
    for (const std::string& word : entry.words)
      words += (words.empty() ? "" : " | ") + toml_value(word);
    return words;
  }
  if (entry.form == Form::number_or_table) return "number or table";
  constexpr std::array names = {"number",  "integer",  "boolean", "string",
                                "numbers", "integers", "strings", "number rows"};
  return names[static_cast<std::size_t>(entry.type)];
}

std::string size_words(const KeyInfo& info) {
  const bool high = info.max_size < std::numeric_limits<Index>::max();
  const auto elements = [](Index n) { return fmt::format("{} element{}", n, n == 1 ? "" : "s"); };
  if (high && info.min_size == info.max_size) return fmt::format(" ({})", elements(info.max_size));
  if (high && info.min_size == 0) return fmt::format(" (at most {})", elements(info.max_size));
  if (high) return fmt::format(" ({} to {})", info.min_size, elements(info.max_size));
  if (info.min_size > 0) return fmt::format(" (at least {})", elements(info.min_size));
  return {};
}

/// "number [years] · > 0 · default 1.0"
std::string facts(const SchemaEntry& entry) {
  std::string text = type_words(entry);
  if (!entry.info.unit.empty()) text += fmt::format(" [{}]", entry.info.unit);
  if (const std::string range = range_words(entry.info); !range.empty()) text += " · " + range;
  text += entry.required           ? " · required"
          : entry.standard.empty() ? " · optional"
                                   : " · default " + entry.standard;
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
    inner_tables(node, path);
  }

  const std::string& text() const { return text_; }

 private:
  static void key(const SchemaEntry& entry, int indent, std::string& block) {
    const std::string name = std::string(static_cast<std::size_t>(indent), ' ') + entry.key;
    const std::string takes = indented(facts(entry), facts_column);
    const int behind = std::max(2, facts_column - display_width(name));
    block += name + std::string(static_cast<std::size_t>(behind), ' ');
    block += takes.substr(facts_column);
    const std::string means = entry.info.doc + size_words(entry.info);
    if (!means.empty()) block += indented(means, facts_column);
  }

  // Keys that hold values; branches of alternatives below the key that chooses.
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

  void inner_tables(const SchemaNode& node, const std::string& path) {
    for (const auto& entry : node.entries) {
      const std::string name =
          path.empty() ? toml_key(entry->key) : fmt::format("{}.{}", path, toml_key(entry->key));
      const std::string doc =
          entry->info.doc + (entry->form == Form::table && !entry->required ? " (optional)" : "");
      if (entry->form == Form::table)
        table(entry->inner, name, fmt::format("[{}]", name), doc);
      else if (entry->form == Form::tables)
        table(entry->inner, name, fmt::format("[[{}]]", name), doc);
      else if (entry->form == Form::named_tables)
        table(entry->inner, name + ".NAME", fmt::format("[{}.NAME]", name), doc);
      else if (entry->form == Form::number_or_table)
        table(entry->inner, name, fmt::format("[{}]", name), doc + ", as a table");
      for (const SchemaBranch& branch : entry->branches) inner_tables(branch.keys, path);
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
