// The schema for people: one line a key, tables in the order in which they are described.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "schema.hpp"
#include "toml_text.hpp"
#include "utf8.hpp"

namespace gsim {
using namespace config_detail;

namespace {

constexpr int width = 100;
constexpr int gap = 2;
constexpr std::size_t columns = 6;
// Wider cells are wrapped; the last column takes what is left.
constexpr std::array<int, columns - 1> widest = {26, 10, 14, 16, 16};

struct Line {
  std::array<std::string, columns> cells;
  std::string heading;  ///< instead of cells
  int indent = 0;
};

std::string range_cell(const KeyInfo& info) {
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

std::string type_cell(const SchemaEntry& entry) {
  if (entry.form == Form::duration) return "duration";
  if (entry.form == Form::word || entry.form == Form::alternatives) return "word";
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

std::string meaning_cell(const SchemaEntry& entry) {
  std::string words;
  for (const std::string& word : entry.words)
    words += (words.empty() ? ": " : ", ") + toml_value(word);
  return entry.info.doc + words + size_words(entry.info);
}

class Printer {
 public:
  void table(const SchemaNode& node, const std::string& path, const std::string& header,
             const std::string& doc) {
    if (!header.empty()) {
      heading("", 0);
      heading(doc.empty() ? header : header + "  " + doc, 0);
    }
    keys(node, header.empty() ? 0 : 1);
    inner_tables(node, path);
  }

  std::string text() const {
    std::array<int, columns> widths{};
    for (const Line& line : lines_)
      for (std::size_t i = 0; i + 1 < columns; ++i)
        widths[i] = std::max(widths[i], std::min(widest[i], count_characters(line.cells[i])));
    int left = width;
    for (std::size_t i = 0; i + 1 < columns; ++i) left -= widths[i] + gap;
    widths[columns - 1] = left;
    std::string out;
    for (const Line& line : lines_) print(line, widths, out);
    return out;
  }

  void heading(const std::string& words, int indent) { lines_.push_back({{}, words, indent}); }

  void titles() {
    lines_.push_back({{"key", "type", "unit", "range", "default", "meaning"}, {}, 0});
  }

 private:
  // Keys that hold values; branches of alternatives below the key that chooses.
  void keys(const SchemaNode& node, int indent) {
    for (const auto& entry : node.entries) {
      if (entry->form == Form::table || entry->form == Form::tables ||
          entry->form == Form::named_tables)
        continue;
      const std::string standard = entry->required           ? "required"
                                   : entry->standard.empty() ? "-"
                                                             : entry->standard;
      lines_.push_back(
          {{std::string(static_cast<std::size_t>(2 * indent), ' ') + entry->key, type_cell(*entry),
            entry->info.unit, range_cell(entry->info), standard, meaning_cell(*entry)},
           {},
           indent});
      for (const SchemaBranch& branch : entry->branches) {
        const std::string doc = branch.doc.empty() ? "" : "  " + branch.doc;
        heading(fmt::format("with {} = {}:{}", entry->key, toml_value(branch.word), doc),
                indent + 1);
        keys(branch.keys, indent + 2);
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

  // Breaks a text into lines of at most `room` characters, at spaces where there are any.
  static std::vector<std::string> wrap(const std::string& text, int room) {
    std::vector<std::string> out(1);
    std::string_view rest = text;
    const auto indent = std::min(rest.find_first_not_of(' '), rest.size());
    out[0].assign(indent, ' ');
    rest.remove_prefix(indent);
    bool fresh = true;  // nothing on this line yet
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, end);
      const int used = count_characters(out.back());
      if (!fresh && used + 1 + count_characters(word) > room) {
        out.emplace_back();
        fresh = true;
      }
      out.back() += fresh ? "" : " ";
      out.back() += word;
      fresh = false;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }

  static void print(const Line& line, const std::array<int, columns>& widths, std::string& out) {
    if (line.cells[0].empty()) {
      const std::string indent(static_cast<std::size_t>(2 * line.indent), ' ');
      for (const std::string& part : wrap(line.heading, width - 2 * line.indent))
        out += (part.empty() ? "" : indent + part) + "\n";
      return;
    }
    std::array<std::vector<std::string>, columns> parts;
    std::size_t height = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      parts[i] = wrap(line.cells[i], widths[i]);
      height = std::max(height, parts[i].size());
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string text;
      int target = 0;
      for (std::size_t i = 0; i < columns; ++i) {
        if (row < parts[i].size() && !parts[i][row].empty()) {
          const int behind = target - count_characters(text);
          text.append(static_cast<std::size_t>(std::max(behind, i > 0 ? 1 : 0)), ' ');
          text += parts[i][row];
        }
        target += widths[i] + gap;
      }
      out += text + "\n";
    }
  }

  std::vector<Line> lines_;
};

}  // namespace

std::string schema_text(const Section::Describe& describe) {
  const SchemaNode schema = schema_of(describe);
  Printer printer;
  printer.titles();
  printer.table(schema, "", "", "");
  return printer.text();
}

}  // namespace gsim
