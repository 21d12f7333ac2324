// CSV (RFC 4180; blank lines are skipped, and so are comments above the header). Each record below
// the header is a row, which is converted to a Node.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"
#include "node.hpp"
#include "src/config/sections/reading.hpp"

namespace gsim {
using namespace config_detail;

namespace {

struct Cell {
  std::string text;  // without quotes, and without spaces around it where it is not quoted
  Place place;
};

// Where a record starts.
struct Record {
  std::size_t offset = 0;
  int line = 1;
};

class Reader {
 public:
  Reader(const Source& source, Record at) : source_(source), text_(source.text()), at_(at) {}

  /// The lines that are skipped before a record. Below the header a line that begins with # is
  /// data, in agreement with RFC 4180: an id may begin with #.
  enum class Skip { blank_lines, blank_lines_and_comments };

  /// Moves to the next record; false at the end of the text.
  bool find_record(Skip skip) {
    const bool skips_comments = skip == Skip::blank_lines_and_comments;
    while (at_.offset < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_.offset), text_.size());
      const std::string_view line = text_.substr(at_.offset, end - at_.offset);
      const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
      if (!is_blank && !(skips_comments && line.starts_with('#'))) return true;
      at_ = {end + 1, at_.line + 1};
    }
    return false;
  }

  const Record& record() const { return at_; }

  /// Reads the record that starts here into `cells`, whose strings are reused.
  void read(std::vector<Cell>& cells) {
    column_ = 1;
    std::size_t count = 0;
    while (true) {
      if (count == cells.size()) cells.emplace_back();
      read_cell(cells[count++]);
      if (at_end() || text_[at_.offset] != ',') break;
      advance();
    }
    cells.resize(count);
    if (!at_end() && text_[at_.offset] == '\r') advance();
    if (!at_end()) advance();  // the line end
  }

 private:
  bool at_end() const { return at_.offset >= text_.size(); }
  bool at_line_end() const {
    return at_end() || text_[at_.offset] == '\n' || text_.substr(at_.offset, 2) == "\r\n" ||
           (text_[at_.offset] == '\r' && at_.offset + 1 == text_.size());
  }
  bool at_cell_end() const { return at_line_end() || text_[at_.offset] == ','; }

  Place here() const { return {&source_, at_.line, column_, 1}; }

  [[noreturn]] void fail(const Place& place, const std::string& problem,
                         const std::string& suggestion) const {
    throw ConfigError(place.location(), problem, suggestion);
  }

  // Moves on by one character.
  void advance() {
    const char head = text_[at_.offset];
    if (head == '\n') {
      ++at_.offset;
      ++at_.line;
      column_ = 1;
      return;
    }
    std::size_t bytes = 1;
    if (static_cast<unsigned char>(head) >= 0x80) {
      const Utf8Character c = decode_utf8(text_.substr(at_.offset));
      if (!c.valid) fail(here(), "this byte is not UTF-8 text", "save the file as UTF-8");
      bytes = static_cast<std::size_t>(c.bytes);
    } else if (static_cast<unsigned char>(head) < 0x20 && head != '\t' && head != '\r') {
      fail(here(), fmt::format("control character U+{:04X} is not allowed", int{head}),
           "remove it");
    }
    at_.offset += bytes;
    ++column_;
  }

  void skip_spaces() {
    while (!at_cell_end() && (text_[at_.offset] == ' ' || text_[at_.offset] == '\t')) advance();
  }

  void read_cell(Cell& cell) {
    skip_spaces();
    cell.text.clear();
    cell.place = here();
    const bool quoted = !at_end() && text_[at_.offset] == '"';
    const int end = quoted ? read_quoted(cell) : read_plain(cell);
    if (at_.line == cell.place.line) cell.place.length = std::max(1, end - cell.place.column);
    skip_spaces();
    if (!at_cell_end())
      fail(here(), "text after the closing quote", "write quotes inside a cell twice");
  }

  // Both return the column after the cell's last character.
  int read_plain(Cell& cell) {
    const std::size_t first = at_.offset;
    std::size_t last = first;
    int end = column_;
    while (true) {
      // Most characters are printable ASCII, which only need to be counted.
      for (; at_.offset < text_.size(); ++at_.offset) {
        const auto c = static_cast<unsigned char>(text_[at_.offset]);
        if (c < 0x20 || c >= 0x7f || c == ',' || c == '"') break;
        ++column_;
        if (c == ' ') continue;
        last = at_.offset + 1;
        end = column_;
      }
      if (at_cell_end()) break;
      const char c = text_[at_.offset];
      if (c == '"') fail(here(), "a quote inside a cell", "put the whole cell in quotes");
      advance();
      if (c == ' ' || c == '\t') continue;
      last = at_.offset;
      end = column_;
    }
    cell.text.assign(text_.substr(first, last - first));
    return end;
  }

  int read_quoted(Cell& cell) {
    const Place open = here();
    advance();
    while (true) {
      if (at_end()) fail(open, "this quote is not closed", "");
      if (text_[at_.offset] == '"') {
        advance();
        if (at_end() || text_[at_.offset] != '"') return column_;
      }
      const std::size_t first = at_.offset;
      advance();
      cell.text.append(text_.substr(first, at_.offset - first));
    }
  }

  const Source& source_;
  std::string_view text_;
  Record at_;
  int column_ = 1;
};

std::vector<std::string> split_name(const Cell& cell) {
  std::vector<std::string> path;
  std::string_view rest = cell.text;
  while (true) {
    const auto end = std::min(rest.find('.'), rest.size());
    path.emplace_back(rest.substr(0, end));
    if (path.back().empty())
      throw ConfigError(cell.place.location(),
                        fmt::format("`{}` is not a valid name of a column", excerpt(cell.text)),
                        "write key or table.key");
    if (end == rest.size()) return path;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

struct CsvTable::Impl {
  Impl(std::string name, std::string text)
      : source_owner(std::make_shared<const Source>(std::move(name), std::move(text))),
        source(*source_owner) {}

  void read_header(Reader& reader);
  void index_rows(Reader& reader);
  /// Fills `row` from the cells of the record.
  void fill(const Record& record);
  /// Adds a cell of a column whose key is directly in the row.
  void add_plain(std::size_t column);
  /// Adds a cell of any column; needed where some columns have keys in tables of the row.
  void add_nested(std::size_t column);

  std::shared_ptr<const Source> source_owner;
  const Source& source;
  std::vector<Cell> header;
  std::vector<std::vector<std::string>>
      paths;  // path of the key of each column; empty: a column without a name
  std::vector<Record> records;
  std::vector<Cell> cells;  // cells of the current row
  // The row. Its nodes are reused from row to row, since files have millions of rows and new nodes
  // would take longer than parsing the cells.
  Node row;
  bool is_flat = true;  // no column has a key in a table of the row
  std::vector<std::unique_ptr<Node>>
      unused_nodes;                  // by column: its node for reuse; null while the row has it
  std::vector<std::size_t> columns;  // column number of each element of row.children
};

void CsvTable::Impl::read_header(Reader& reader) {
  if (!reader.find_record(Reader::Skip::blank_lines_and_comments))
    throw ConfigError(SourceLocation{source.name(), 0, 0, {}}, "there is no header line",
                      "name the columns in the first line");
  reader.read(header);
  if (header.size() == 1 && header[0].text.find_first_of(";\t") != std::string::npos)
    throw ConfigError(header[0].place.location(), "the header is a single cell",
                      "separate cells by commas");
  for (std::size_t i = 0; i < header.size(); ++i) {
    const Cell& cell = header[i];
    paths.push_back(cell.text.empty() ? std::vector<std::string>{} : split_name(cell));
    is_flat = is_flat && paths.back().size() <= 1;
    for (std::size_t j = 0; j < i; ++j)
      if (!cell.text.empty() && header[j].text == cell.text)
        throw ConfigError(cell.place.location(),
                          fmt::format("column `{}` is given twice", excerpt(cell.text)));
  }
}

void CsvTable::Impl::index_rows(Reader& reader) {
  while (reader.find_record(Reader::Skip::blank_lines)) {
    const Record at = reader.record();
    reader.read(cells);
    if (cells.size() != header.size()) {
      const bool has_extra_cells = cells.size() > header.size();
      const Place& place = has_extra_cells ? cells[header.size()].place : cells.back().place;
      const char* suggestion = has_extra_cells ? "put cells that hold commas in quotes"
                               : cells.front().text.starts_with('#')
                                   ? "leave absent cells empty; comments must be above the header"
                                   : "leave absent cells empty";
      throw ConfigError(place.location(),
                        fmt::format("the row has {} cell{}, the header has {}", cells.size(),
                                    cells.size() == 1 ? "" : "s", header.size()),
                        suggestion);
    }
    records.push_back(at);
  }
}

void CsvTable::Impl::fill(const Record& record) {
  unused_nodes.resize(header.size());
  for (std::size_t i = 0; is_flat && i < row.children.size(); ++i)
    unused_nodes[columns[i]] = std::move(row.children[i]);
  row.children.clear();
  columns.clear();
  row.read_keys.clear();
  row.from_csv = true;
  row.place = row.key_place = Place{&source, record.line, 1, 1};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].text.empty()) continue;
    if (paths[i].empty())
      throw ConfigError(cells[i].place.location(), "this column has no name",
                        "name it in the header");
    is_flat ? add_plain(i) : add_nested(i);
  }
}

void CsvTable::Impl::add_plain(std::size_t column) {
  if (unused_nodes[column] == nullptr) {
    row.add(paths[column].front(), Kind::cell);
    row.children.back()->key_place = header[column].place;
  } else {
    row.children.push_back(std::move(unused_nodes[column]));
    row.children.back()->consumed = false;
  }
  Node& node = *row.children.back();
  node.place = cells[column].place;
  node.text = cells[column].text;
  columns.push_back(column);
}

void CsvTable::Impl::add_nested(std::size_t column) {
  const Cell& cell = cells[column];
  Node* node = &row;
  for (const std::string& part : paths[column]) {
    const bool is_last = &part == &paths[column].back();
    Node* next = node->find(part);
    if (next != nullptr && (is_last || next->kind != Kind::table))
      throw ConfigError(cell.place.location(),
                        fmt::format("columns `{}` and `{}` cannot both have a value",
                                    header[column].text, next->path()));
    if (next == nullptr) {
      next = &node->add(part, is_last ? Kind::cell : Kind::table);
      next->key_place = header[column].place;
      next->place = cell.place;
    }
    node = next;
  }
  node->text = cell.text;
}

CsvTable::CsvTable() = default;
CsvTable::~CsvTable() = default;
CsvTable::CsvTable(CsvTable&&) noexcept = default;

CsvTable CsvTable::parse(std::string text, std::string name) {
  CsvTable table;
  table.impl_ = std::make_unique<Impl>(std::move(name), std::move(text));
  const std::string& all = table.impl_->source.text();
  const std::size_t byte_order_mark_bytes = all.size() - skip_byte_order_mark(all).size();
  Reader reader(table.impl_->source, {byte_order_mark_bytes, 1});
  table.impl_->read_header(reader);
  table.impl_->index_rows(reader);
  return table;
}

Index CsvTable::rows() const { return static_cast<Index>(impl_->records.size()); }

void CsvTable::read_dates_as(const Section& section) {
  impl_->row.date_reader = section.node_->root().date_reader;
}

void CsvTable::read_row(Index i, const Section::Describe& describe) {
  GSIM_EXPECT(i >= 0 && i < rows());
  const Record& record = impl_->records[static_cast<std::size_t>(i)];
  Reader(impl_->source, record).read(impl_->cells);
  impl_->fill(record);
  Section section(&impl_->row, nullptr);
  try {
    describe(section);
  } catch (const MissingKey& missing) {
    refuse_misspelt(missing, describe);
    // The next row replaces this one, so that a MissingKey, which refers to it, must not be
    // rethrown.
    throw ConfigError(std::string(missing.what()));
  }
  refuse_unknown(impl_->row, describe);
}

}  // namespace gsim
