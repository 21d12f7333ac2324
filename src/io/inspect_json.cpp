#include <fmt/format.h>

#include "inspect.hpp"

namespace gsim::io {
namespace {

constexpr Index most_values = 1000;  // of a dataset outside the tables

/// Length of the valid UTF-8 sequence at `text[at]`, or 0 (RFC 3629, section 4).
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(at), second = byte(at + 1);
  const auto follows = [&](std::size_t n) {
    for (std::size_t i = 1; i <= n; ++i) {
      if ((byte(at + i) & 0xC0u) != 0x80u) return false;
    }
    return true;
  };
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
    return follows(3) ? 4 : 0;
  }
  return 0;
}

/// A JSON string (RFC 8259, section 7); bytes that are no UTF-8 become U+FFFD.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out + "\"";
}

std::string object_of(const TextPairs& pairs) {
  std::string out = "{";
  for (const auto& [key, value] : pairs) {
    out += (out.size() > 1 ? ", " : "") + quoted(key) + ": " + quoted(value);
  }
  return out + "}";
}

std::string cell_json(const Cell& cell) {
  if (cell.is_string) return quoted(cell.text);
  return cell.finite ? cell.text : "null";
}

/// All values: an array, or an array of rows where there are several columns.
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
    columns += fmt::format("{}\n      {}: {}", columns.empty() ? "" : ",", quoted(dataset.name),
                           values_json(file, dataset));
  }
  return fmt::format("{{\"rows\": {}, \"columns\": {{{}\n    }}}}", table.rows, columns);
}

std::string dataset_json(const Hdf5Reader& file, const DatasetInfo& dataset) {
  const StoredShape& shape = dataset.shape;
  std::string out = "{\"path\": " + quoted(dataset.path);
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

}  // namespace

std::string to_json(const Hdf5Reader& file, const FileInfo& info) {
  std::string tables, datasets;
  for (const TableInfo& table : info.tables) {
    tables += fmt::format("{}\n    {}: {}", tables.empty() ? "" : ",", quoted(table.path),
                          table_json(file, table));
  }
  for (const DatasetInfo& dataset : info.datasets) {
    datasets += (datasets.empty() ? "\n    " : ",\n    ") + dataset_json(file, dataset);
  }
  return fmt::format(
      "{{\n  \"file\": {},\n  \"kind\": \"{}\",\n  \"bytes\": {},\n  \"attributes\": {},\n"
      "  \"provenance\": {},\n  \"tables\": {{{}\n  }},\n  \"datasets\": [{}\n  ]\n}}\n",
      quoted(info.path), info.kind, info.bytes, object_of(info.attributes),
      object_of(info.provenance), tables, datasets);
}

}  // namespace gsim::io
