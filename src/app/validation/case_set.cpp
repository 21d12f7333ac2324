#include "case_set.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

struct SetText {
  std::vector<std::string> columns, rows;
  std::string config, name, reference, published, scale;
  std::vector<std::string> quick, full;  // settings
  double tolerance = 0;
};

std::string trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(s.substr(first, s.find_last_not_of(" \t") - first + 1));
}

// Entries are separated by "|": they may themselves be TOML arrays with commas.
std::vector<std::string> split_row(const std::string& row) {
  std::vector<std::string> entries;
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = row.find('|', start);
    entries.push_back(trimmed(std::string_view(row).substr(start, end - start)));
    if (end == std::string::npos) return entries;
    start = end + 1;
  }
}

double number(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("{}: `{}` is not a number", where, text));
  return value;
}

void describe(Section& s, CaseSet& set, SetText& text) {
  s.required("id", set.id, {.doc = "name of the set"});
  s.required("title", set.title, {.doc = "what is computed"});
  s.required("citation", set.citation, {.doc = "source of the published values"});
  s.optional("check", set.check, {.doc = "how the reference was verified"});
  s.optional("estimate", set.estimate, {.doc = "name of the estimate that is compared"});
  s.required("source_tolerance", text.tolerance, {.doc = "accuracy of the reference values"});
  s.required("columns", text.columns, {.doc = "column names"});
  s.required("rows", text.rows, {.doc = "rows, entries separated by |"});
  s.required("name", text.name, {.doc = "template of a case's name"});
  s.required("reference", text.reference, {.doc = "template of the reference value"});
  s.optional("published", text.published, {.doc = "template of the printed value"});
  s.required("scale", text.scale, {.doc = "template of the scale (spot) of the result"});
  s.required("config", text.config, {.doc = "template of the configuration"});
  s.optional_table(
      "refinement",
      [&](Section& r) {
        r.required("keys", set.refinement.keys, {.doc = "configuration keys of the step count"});
        r.required("quick", set.refinement.quick, {.doc = "steps at --quick", .minimum = 1});
        r.required("full", set.refinement.full, {.doc = "steps at --full", .minimum = 1});
        r.optional("order", set.refinement.order, {.doc = "weak order", .minimum = 0.5});
        r.optional("coarser", set.refinement.coarser,
                   {.doc = "step of the coarsest run, in steps of the finest", .minimum = 3});
        r.optional("extrapolate", set.refinement.extrapolate,
                   {.doc = "remove the leading term of the bias"});
      },
      "how the discretisation bias is bounded");
  s.optional_table(
      "sampling",
      [&](Section& l) {
        l.optional("quick", text.quick, {.doc = "settings at --quick: key=value, templates"});
        l.optional("full", text.full, {.doc = "settings at --full: key=value, templates"});
      },
      "how each level samples");
}

}  // namespace

std::string fill_template(const std::string& text, const std::vector<std::string>& columns,
                          const std::vector<std::string>& row, const std::string& where) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find('}', i);
    const std::string key = text.substr(i + 1, end - i - 1);
    const auto column = std::find(columns.begin(), columns.end(), key);
    if (end == std::string::npos || column == columns.end())
      throw InputError(
          fmt::format("{}: the template asks for a column `{}`, which is not there", where, key));
    out += row[static_cast<std::size_t>(column - columns.begin())];
    i = end;
  }
  return out;
}

CaseSet load_case_set(const std::string& path) {
  CaseSet set;
  set.estimate = "case";
  SetText text;
  ConfigFile::load(path).read([&](Section& s) { describe(s, set, text); });
  for (const std::string& line : text.rows) {
    const auto row = split_row(line);
    const std::string where = fmt::format("{}: row `{}`", path, line);
    if (row.size() != text.columns.size())
      throw InputError(
          fmt::format("{} has {} entries for {} columns", where, row.size(), text.columns.size()));
    auto fill = [&](const std::string& t) { return fill_template(t, text.columns, row, where); };
    ValidationCase c;
    c.name = fill(text.name);
    c.config = fill(text.config);
    c.reference = number(fill(text.reference), where);
    c.scale = number(fill(text.scale), where);
    c.tolerance = text.tolerance;
    const std::string published = text.published.empty() ? "" : fill(text.published);
    if (!published.empty() && published != "-") {
      c.published = number(published, where);
      c.has_published = true;
    }
    for (const std::string& setting : text.quick) c.quick_settings.push_back(fill(setting));
    for (const std::string& setting : text.full) c.full_settings.push_back(fill(setting));
    set.cases.push_back(std::move(c));
  }
  return set;
}

std::vector<CaseSet> load_case_sets(const std::string& directory, const std::string& module) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(directory) / module))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CaseSet> sets;
  sets.reserve(files.size());
  for (const auto& file : files) sets.push_back(load_case_set(file.string()));
  return sets;
}

std::string find_validation_data(const std::string& given) {
  if (!given.empty()) {
    GSIM_VALIDATE(fs::is_directory(given), fmt::format("there is no folder {}", given),
                  "--data names the folder that holds pricing/*.toml");
    return given;
  }
  std::vector<fs::path> places;
  if (const char* variable = std::getenv("GSIM_VALIDATION_DATA")) places.emplace_back(variable);
  std::error_code ignored;  // no /proc: fall through to the next place
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty())
    places.push_back(program.parent_path().parent_path() / "share/gsim/validation");
  places.emplace_back(GSIM_SOURCE_DIR "/validation");
  for (const auto& place : places)
    if (fs::is_directory(place)) return place.string();
  throw InputError("the validation data was not found; name its folder with --data");
}

}  // namespace gsim::app
