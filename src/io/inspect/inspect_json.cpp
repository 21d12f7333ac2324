#include <nlohmann/json.hpp>

#include "src/io/inspect/inspect.hpp"

namespace gsim::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr Index max_values =
    1000;  // maximum number of values shown of a dataset outside the tables

OrderedJson object_of(const TextPairs& pairs) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

/// A number is parsed from its exact digits, so that it is printed with as many.
OrderedJson cell_json(const Cell& cell) {
  if (cell.is_string) return cell.text;
  return cell.finite ? OrderedJson::parse(cell.text) : OrderedJson();
}

/// All values: an array, or an array of rows where there are several columns.
OrderedJson values_json(const Hdf5Reader& file, const DatasetInfo& dataset) {
  const Index columns = dataset.shape.columns;
  OrderedJson values = OrderedJson::array();
  Index position = 0;
  for (const Cell& cell : read_cells(file, dataset, {0, dataset.shape.rows}, Digits::exact)) {
    if (columns <= 1) {
      values.push_back(cell_json(cell));
      continue;
    }
    if (position++ % columns == 0) values.push_back(OrderedJson::array());
    values.back().push_back(cell_json(cell));
  }
  return values;
}

OrderedJson table_json(const Hdf5Reader& file, const TableInfo& table) {
  OrderedJson columns = OrderedJson::object();
  for (const DatasetInfo& dataset : table.columns)
    columns[dataset.name] = values_json(file, dataset);
  return {{"rows", table.rows}, {"columns", std::move(columns)}};
}

OrderedJson dataset_json(const Hdf5Reader& file, const DatasetInfo& dataset) {
  const StoredShape& shape = dataset.shape;
  OrderedJson json;
  json["path"] = dataset.path;
  json["type"] = nullptr;
  if (dataset.readable) {
    json["type"] = shape.type.name();
    json["rows"] = shape.rows;
    json["columns"] = shape.columns;
    if (shape.rows <= max_values / shape.columns) json["values"] = values_json(file, dataset);
  }
  json["attributes"] = object_of(dataset.attributes);
  return json;
}

OrderedJson particles_json(const ParticlesInfo& p) {
  const bool has_steps = p.first_step >= 0;
  return {{"path", p.path},
          {"frames", p.frames},
          {"atoms", p.atoms},
          {"first_step", has_steps ? OrderedJson(p.first_step) : OrderedJson()},
          {"last_step", has_steps ? OrderedJson(p.last_step) : OrderedJson()},
          {"elements", p.elements}};
}

}  // namespace

std::string to_json(const Hdf5Reader& file, const FileInfo& info) {
  OrderedJson json;
  json["file"] = info.path;
  json["kind"] = info.kind;
  json["bytes"] = info.bytes;
  if (info.kind == "h5md") {
    json["creator"] = creator_of(file);
    json["particles"] = OrderedJson::array();
    for (const ParticlesInfo& p : info.particles) json["particles"].push_back(particles_json(p));
  }
  json["attributes"] = object_of(info.attributes);
  json["provenance"] = object_of(info.provenance);
  json["input_files"] = OrderedJson::array();
  for (const InputFileInfo& input : info.input_files)
    json["input_files"].push_back({{"name", input.name},
                                   {"digest", input.digest},
                                   {"bytes", input.bytes},
                                   {"dataset", input.dataset}});
  json["tables"] = OrderedJson::object();
  for (const TableInfo& table : info.tables) json["tables"][table.path] = table_json(file, table);
  json["datasets"] = OrderedJson::array();
  for (const DatasetInfo& dataset : info.datasets)
    json["datasets"].push_back(dataset_json(file, dataset));
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace gsim::io
