#include "gsim/io/report_page.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/csv.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "gsim/core/text.hpp"

namespace gsim {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* damaged = "its data are damaged; write the page again";

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw InputError(fmt::format("cannot inspect {}: {}", path, problem));
}

OrderedJson read_page(const std::string& path) {
  if (const std::string problem = regular_file_problem(path); !problem.empty()) fail(path, problem);
  std::ifstream stream(path, std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  const std::string before = R"(<script type="application/json" id="data">)";
  const std::size_t begin = page.find(before);
  const std::size_t end = begin == page.npos ? begin : page.find("</script>", begin);
  if (end == page.npos) fail(path, "it is not a page of `gsim report`");
  const std::size_t first = begin + before.size();
  OrderedJson results = OrderedJson::parse(page.substr(first, end - first), nullptr, false);
  if (!results.is_array()) fail(path, damaged);
  return results;
}

/// body(results of the page). InputError where they have another form than `gsim report` writes.
template <class Body>
std::string with_results(const std::string& path, const Body& body) {
  const OrderedJson results = read_page(path);
  try {
    return body(results);
  } catch (const OrderedJson::exception&) {
    fail(path, damaged);
  }
}

std::string text_of(const OrderedJson& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The tables of a result.
const OrderedJson& tables_of(const OrderedJson& result) {
  static const OrderedJson none = OrderedJson::object();
  const auto found = result.find("tables");
  return found != result.end() && found->is_object() ? *found : none;
}

std::string cell_of(const OrderedJson& value) {
  if (value.is_null()) return "nan";
  return value.is_string() ? csv_cell(value.get<std::string>()) : value.dump();
}

std::string csv_of(const OrderedJson& table) {
  const OrderedJson& columns = table.at("columns");
  std::string text;
  for (const auto& [name, values] : columns.items())
    text += (text.empty() ? "" : ",") + csv_cell(name);
  text += '\n';
  const auto rows = table.at("rows").get<std::size_t>();
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (const OrderedJson& values : columns)
      line += (line.empty() ? "" : ",") + cell_of(values.at(row));
    text += line + '\n';
  }
  return text;
}

std::string size_of(const OrderedJson& table) {
  return fmt::format("{}, {}", count_of(table.value("rows", 0LL), "row"),
                     count_of(static_cast<long long>(table.at("columns").size()), "column"));
}

std::string text_of_results(const OrderedJson& results) {
  std::string text;
  const auto add_line = [&](const std::string& line) { text += escape_controls(line) + "\n"; };
  for (const OrderedJson& result : results) {
    const OrderedJson provenance = result.value("provenance", OrderedJson::object());
    add_line(fmt::format("{}  module {}, digest {}", text_of(result, "file"),
                         text_of(provenance, "module"), text_of(provenance, "digest")));
    for (const auto& [name, table] : tables_of(result).items())
      add_line(fmt::format("  table {}: {}", name, size_of(table)));
    for (const OrderedJson& picture : result.value("pictures", OrderedJson::array()))
      add_line(fmt::format("  picture {}", text_of(picture, "name")));
    for (const OrderedJson& frame : result.value("frames", OrderedJson::array()))
      add_line(fmt::format("  last frame of {}", text_of(frame, "file")));
  }
  return text;
}

/// The table `table` as CSV. `path` is that of the page, for messages.
std::string table_of_results(const std::string& path, const OrderedJson& results,
                             const std::string& table) {
  std::vector<std::string> known;
  const OrderedJson* found = nullptr;
  int matches = 0;
  for (const OrderedJson& result : results)
    for (const auto& [name, content] : tables_of(result).items()) {
      const std::string full_name = fmt::format("{}:{}", text_of(result, "file"), name);
      known.push_back(full_name);
      if (name != table && full_name != table) continue;
      ++matches;
      found = &content;
    }
  if (matches == 1) return csv_of(*found);
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  if (matches == 0)
    throw InputError(fmt::format("{} has no table `{}`; its tables: {}", path, table, list));
  throw InputError(fmt::format("{} results of {} have a table `{}`; name one of: {}", matches, path,
                               table, list));
}

}  // namespace

bool is_page(const std::string& path) { return std::filesystem::path(path).extension() == ".html"; }

std::string page_json(const std::string& path) { return read_page(path).dump(); }

std::string page_text(const std::string& path) { return with_results(path, text_of_results); }

std::string page_table(const std::string& path, const std::string& table) {
  return with_results(
      path, [&](const OrderedJson& results) { return table_of_results(path, results, table); });
}

}  // namespace gsim
