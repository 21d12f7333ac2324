#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/text_columns.hpp"
#include "src/io/inspect/inspect.hpp"

namespace gsim::io {
namespace {

constexpr Index max_rows = 20;  // tables with more rows are truncated
constexpr Index cut_rows = 10;  // number of rows of a truncated table
constexpr int max_cell_width = 100;

/// A short text of one line as it is, else its size in lines and bytes.
std::string shorten_to_line(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n'));
  if (first.size() == text.size() && display_width(text) <= 72) return text;
  const auto lines = std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
  return fmt::format("({} lines, {} bytes; --json shows all)", lines, text.size());
}

/// A text for one cell: control characters escaped, truncated to the widest cell.
std::string printable(const std::string& text) {
  return shorten(escape_controls(text), max_cell_width);
}

std::string find_text(const TextPairs& pairs, const std::string& name) {
  for (const auto& [key, value] : pairs) {
    if (key == name) return escape_controls(value);
  }
  return {};
}

std::string pairs_text(const std::string& title, const TextPairs& pairs) {
  if (pairs.empty()) return {};
  TextColumn keys, values;
  for (const auto& [key, value] : pairs) {
    keys.cells.push_back(key);
    values.cells.push_back(printable(shorten_to_line(value)));
  }
  return "\n" + title + "\n" + align_columns(std::vector<TextColumn>{keys, values});
}

std::string input_files_text(const std::vector<InputFileInfo>& files) {
  if (files.empty()) return {};
  TextColumn names, sizes, digests, datasets;
  for (const InputFileInfo& file : files) {
    names.cells.push_back(printable(file.name));
    sizes.cells.push_back(fmt::format("{} bytes", file.bytes));
    digests.cells.push_back("digest " + printable(file.digest));
    datasets.cells.push_back(file.dataset);
  }
  sizes.is_right_aligned = true;
  return "\ninput files\n" +
         align_columns(std::vector<TextColumn>{names, sizes, digests, datasets});
}

std::string table_text(const Hdf5Reader& file, const TableInfo& table) {
  const Index shown = table.rows > max_rows ? cut_rows : table.rows;
  std::vector<TextColumn> columns;
  for (const DatasetInfo& dataset : table.columns) {
    const std::string unit = find_text(dataset.attributes, "unit");
    TextColumn column;
    column.is_right_aligned = !dataset.shape.type.is_string();
    column.cells.push_back(unit.empty() ? dataset.name
                                        : fmt::format("{} [{}]", dataset.name, unit));
    for (const auto& cell : read_cells(file, dataset, {0, shown}, Digits::few)) {
      column.cells.push_back(printable(cell.text));
    }
    columns.push_back(std::move(column));
  }
  std::string text = fmt::format("\n{} ({} row{})\n{}", table.path, table.rows,
                                 table.rows == 1 ? "" : "s", align_columns(columns));
  if (shown < table.rows) text += fmt::format("  … {} more rows\n", table.rows - shown);
  return text;
}

std::string datasets_text(const Hdf5Reader& file, const std::vector<DatasetInfo>& datasets) {
  if (datasets.empty()) return "\nno datasets\n";
  TextColumn paths, types, shapes, values, units, descriptions;
  for (const DatasetInfo& dataset : datasets) {
    const StoredShape& shape = dataset.shape;
    paths.cells.push_back(dataset.path);
    types.cells.push_back(dataset.readable ? shape.type.name() : "other type");
    shapes.cells.push_back(!dataset.readable ? ""
                           : shape.columns == 1
                               ? fmt::format("{}", shape.rows)
                               : fmt::format("{} × {}", shape.rows, shape.columns));
    const bool single = dataset.readable && shape.rows * shape.columns == 1;
    values.cells.push_back(single
                               ? "= " + printable(shorten_to_line(
                                            read_cells(file, dataset, {0, 1}, Digits::few)[0].text))
                               : "");
    units.cells.push_back(find_text(dataset.attributes, "unit"));
    descriptions.cells.push_back(find_text(dataset.attributes, "description"));
  }
  shapes.is_right_aligned = true;
  return "\ndatasets\n" +
         align_columns(std::vector<TextColumn>{paths, types, shapes, values, units, descriptions});
}

std::string kind_in_words(const Hdf5Reader& file, const FileInfo& info) {
  if (info.kind == "other") return "HDF5 of another program than gsim";
  if (info.kind != "h5md") return info.kind;
  const std::string creator = creator_of(file);
  return creator.empty() ? "H5MD" : fmt::format("H5MD by {}", printable(creator));
}

std::string particles_text(const std::vector<ParticlesInfo>& groups) {
  std::string text;
  for (const ParticlesInfo& p : groups) {
    text += fmt::format("\n{}: {} frame{} of {} atoms", printable(p.path), p.frames,
                        p.frames == 1 ? "" : "s", p.atoms);
    if (p.first_step >= 0) text += fmt::format(", steps {} to {}", p.first_step, p.last_step);
    text += fmt::format("\n  {}\n", printable(fmt::format("{}", fmt::join(p.elements, ", "))));
  }
  return text;
}

}  // namespace

std::string to_text(const Hdf5Reader& file, const FileInfo& info) {
  std::string text =
      fmt::format("{} ({}, {} bytes)\n", info.path, kind_in_words(file, info), info.bytes);
  text += particles_text(info.particles);
  text += pairs_text("attributes", info.attributes);
  text += pairs_text(info.kind == "checkpoint" ? "checkpoint" : "provenance", info.provenance);
  text += input_files_text(info.input_files);
  // The rows of a trajectory are frames and atoms: too many for useful tables.
  if (info.kind != "h5md")
    for (const TableInfo& table : info.tables) text += table_text(file, table);
  return text + datasets_text(file, info.datasets);
}

}  // namespace gsim::io
