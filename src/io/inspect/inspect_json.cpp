#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "src/io/inspect/inspect.hpp"

namespace gsim::io {
namespace {

constexpr Index most_values = 1000;  // maximum number of values of a dataset outside tables

std::string object_of(const TextPairs& pairs) {
  std::string out = "{";
  for (const auto& [key, value] : pairs) {
    out += (out.size() > 1 ? ", " : "") + json_quote(key) + ": " + json_quote(value);
  }
  return out + "}";
}

std::string cell_json(const Cell& cell) {
  if (cell.is_string) return json_quote(cell.text);
  return cell.finite ? cell.text : "null";
}

/// All values: an array, or an array of rows if there are several columns.
std::string values_json(const Hdf5Reader& file, const DatasetInfo& dataset) {
  const Index columns = dataset.shape.columns;
  const auto cells = read_cells(file, dataset, {0, dataset.shape.rows}, Digits::exact);
  std::string out = "[";
  Index position = 0;
  for (const Cell& cell : cells) {
    if (position > 0) out += ", ";
    if (columns > 1 && position % columns == 0) out += "[";
    out += cell_json(cell);
    ++position;
    if (columns > 1 && position % columns == 0) out += "]";
  }
  return out + "]";
}

std::string table_json(const Hdf5Reader& file, const TableInfo& table) {
  std::string columns;
  for (const DatasetInfo& dataset : table.columns) {
    columns += fmt::format("{}\n      {}: {}", columns.empty() ? "" : ",", json_quote(dataset.name),
                           values_json(file, dataset));
  }
  return fmt::format("{{\"rows\": {}, \"columns\": {{{}\n    }}}}", table.rows, columns);
}

std::string dataset_json(const Hdf5Reader& file, const DatasetInfo& dataset) {
  const StoredShape& shape = dataset.shape;
  std::string out = "{\"path\": " + json_quote(dataset.path);
  if (dataset.readable) {
    out += fmt::format(", \"type\": \"{}\", \"rows\": {}, \"columns\": {}", shape.type.name(),
                       shape.rows, shape.columns);
    if (shape.rows <= most_values / shape.columns) {
      out += ", \"values\": " + values_json(file, dataset);
    }
  } else {
    out += ", \"type\": null";
  }
  return out + ", \"attributes\": " + object_of(dataset.attributes) + "}";
}

std::string particles_json(const FileInfo& info) {
  std::string out;
  for (const ParticlesInfo& p : info.particles) {
    std::string elements;
    for (const std::string& name : p.elements)
      elements += (elements.empty() ? "" : ", ") + json_quote(name);
    const bool has_steps = p.first_step >= 0;
    out += fmt::format(
        "{}\n    {{\"path\": {}, \"frames\": {}, \"atoms\": {}, \"first_step\": {}, "
        "\"last_step\": {}, \"elements\": [{}]}}",
        out.empty() ? "" : ",", json_quote(p.path), p.frames, p.atoms,
        has_steps ? fmt::format("{}", p.first_step) : "null",
        has_steps ? fmt::format("{}", p.last_step) : "null", elements);
  }
  return out;
}

}  // namespace

std::string to_json(const Hdf5Reader& file, const FileInfo& info) {
  std::string inputs, tables, datasets;
  for (const InputFileInfo& input : info.input_files) {
    inputs +=
        fmt::format("{}\n    {{\"name\": {}, \"digest\": {}, \"bytes\": {}, \"dataset\": {}}}",
                    inputs.empty() ? "" : ",", json_quote(input.name), json_quote(input.digest),
                    input.bytes, json_quote(input.dataset));
  }
  for (const TableInfo& table : info.tables) {
    tables += fmt::format("{}\n    {}: {}", tables.empty() ? "" : ",", json_quote(table.path),
                          table_json(file, table));
  }
  for (const DatasetInfo& dataset : info.datasets) {
    datasets += (datasets.empty() ? "\n    " : ",\n    ") + dataset_json(file, dataset);
  }
  const std::string particles =
      info.kind == "h5md" ? fmt::format("  \"creator\": {},\n  \"particles\": [{}\n  ],\n",
                                        json_quote(creator_of(file)), particles_json(info))
                          : std::string();
  return fmt::format(
      "{{\n  \"file\": {},\n  \"kind\": \"{}\",\n  \"bytes\": {},\n{}  \"attributes\": {},\n"
      "  \"provenance\": {},\n  \"input_files\": [{}\n  ],\n  \"tables\": {{{}\n  }},\n  "
      "\"datasets\": [{}\n  ]\n}}\n",
      json_quote(info.path), info.kind, info.bytes, particles, object_of(info.attributes),
      object_of(info.provenance), inputs, tables, datasets);
}

}  // namespace gsim::io
