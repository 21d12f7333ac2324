#include "case_set.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "case_set_keys.hpp"
#include "expression.hpp"
#include "gsim/core/error.hpp"
#include "src/app/input/shared_files.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

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

/// Half a unit of the last digit of a number as it is written: 0.05 for "-4351.5", 5e-5 for
/// "1.30e-2".
double half_of_last_digit(const std::string& text, const std::string& where) {
  number(text, where);
  const std::size_t e = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  int exponent = point == std::string::npos ? 0 : -static_cast<int>(mantissa.size() - point - 1);
  if (e != std::string::npos) exponent += std::stoi(text.substr(e + 1));
  return number(fmt::format("5e{}", exponent - 1), where);
}

/// Replaces the placeholders {column} of a template by the entries of a row.
using Fill = std::function<std::string(const std::string&)>;

std::vector<std::string> names_of(const std::vector<ValidationRun>& runs) {
  std::vector<std::string> names;
  names.reserve(runs.size());
  for (const ValidationRun& run : runs) names.push_back(run.name);
  return names;
}

ValidationValue make_value(const ValueText& v, const std::vector<std::string>& runs,
                           const ColumnFunctions& functions, const Fill& fill,
                           const std::string& where) {
  ValidationValue value;
  value.name = fill(v.name);
  locate_errors(v.formula_at, [&] {
    value.formula = fill(v.formula);
    check_formula(value.formula, runs, functions);
  });
  locate_errors(v.reference_at, [&] {
    const std::string reference = fill(v.reference);
    value.reference = evaluate_number(reference);
    if (v.printed) value.tolerance += half_of_last_digit(reference, where);
  });
  locate_errors(v.at, [&] {
    const auto number_of = [&](const std::string& text) {
      return text.empty() ? 0.0 : evaluate_number(fill(text));
    };
    value.reference_error = number_of(v.reference_error);
    value.tolerance += number_of(v.tolerance);
    value.floor = number_of(v.floor);
  });
  value.tolerance += v.relative_tolerance * std::fabs(value.reference);
  value.is_sampled = v.is_sampled;
  value.quick_error = v.quick_error > 0 ? v.quick_error : v.full_error;
  value.full_error = v.full_error;
  return value;
}

/// Number of lines of the file before the first line of `config`; a multi-line string begins below
/// the line of its opening quotes.
int lines_before(const SourceLocation& config) {
  const bool is_multi_line = config.text.find("\"\"\"") != std::string::npos ||
                             config.text.find("'''") != std::string::npos;
  return std::max(is_multi_line ? config.line : config.line - 1, 0);
}

/// Sets the numbers by which the estimate of a case without [[value]] tables is judged.
void fill_estimate(ValidationCase& c, const SetText& text, const Fill& fill,
                   const std::string& where) {
  c.reference = number(fill(text.reference), where);
  c.scale = number(fill(text.scale), where);
  c.tolerance = text.tolerance;
  const std::string published = text.published.empty() ? "" : fill(text.published);
  if (!published.empty() && published != "-") {
    c.published = number(published, where);
    c.has_published = true;
  }
}

ValidationCase make_case(const SetText& text, const ColumnFunctions& functions, const Fill& fill,
                         const std::string& where) {
  ValidationCase c;
  c.name = fill(text.name);
  c.config = fill(text.config);
  c.lines_before = lines_before(text.config_at);
  if (text.values.empty())
    locate_errors(text.reference_at, [&] { fill_estimate(c, text, fill, where); });
  const std::vector<std::string> runs = names_of(text.runs);
  for (const ValueText& v : text.values)
    c.values.push_back(make_value(v, runs, functions, fill, where));
  for (const ValidationRun& run : text.runs) {
    c.runs.push_back({run.name, {}});
    for (const std::string& setting : run.settings) c.runs.back().settings.push_back(fill(setting));
  }
  for (const std::string& setting : text.quick) c.quick_settings.push_back(fill(setting));
  for (const std::string& setting : text.full) c.full_settings.push_back(fill(setting));
  return c;
}

/// The path of a third-party file on this machine; empty where it is missing.
std::string find_third_party_file(const CaseSet& set, const std::string& name) {
  std::vector<fs::path> places;
  if (const char* variable = std::getenv("LAMMPS_POTENTIALS")) places.emplace_back(variable);
  places.push_back(fs::path(set.directory) / "data");
  places.emplace_back("/usr/share/lammps/potentials");
  for (const auto& place : places)
    if (fs::is_regular_file(place / name)) return fs::absolute(place / name).string();
  return {};
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
      throw InputError(fmt::format("{}: the template refers to a column `{}`, which does not exist",
                                   where, key));
    out += row[static_cast<std::size_t>(column - columns.begin())];
    i = end;
  }
  return out;
}

CaseSet load_case_set(const std::string& path, const ColumnFunctions& functions) {
  CaseSet set;
  set.estimate = "case";
  set.path = path;
  set.directory = fs::path(path).parent_path().string();
  SetText text;
  ConfigFile file = ConfigFile::load(path);
  read_set(file, set, text);
  std::string third_party_path;
  if (!text.foreign_file.empty()) {
    third_party_path = find_third_party_file(set, text.foreign_file);
    if (third_party_path.empty()) {
      set.missing_file = text.foreign_file;
      return set;
    }
    text.columns.emplace_back("foreign_file");
  }
  for (const std::string& line : text.rows) {
    auto row = split_row(line);
    if (!third_party_path.empty()) row.push_back(third_party_path);
    const std::string where = fmt::format("row `{}`", line);
    locate_errors(text.rows_at, [&] {
      if (row.size() != text.columns.size())
        throw InputError(fmt::format("{} has {} entries for {} columns", where, row.size(),
                                     text.columns.size()));
      set.cases.push_back(make_case(
          text, functions,
          [&](const std::string& t) { return fill_template(t, text.columns, row, where); }, where));
    });
  }
  return set;
}

std::string case_set_schema(bool json) {
  CaseSet set;
  SetText text;
  set.estimate = "case";
  const auto describe = [&](Section& top) { describe_set(top, set, text); };
  return json ? schema_json(describe, "gsim validation set") : schema_text(describe);
}

std::string config_text(const ValidationCase& validation_case) {
  return std::string(static_cast<std::size_t>(validation_case.lines_before), '\n') +
         validation_case.config;
}

std::string config_name(const CaseSet& set, const ValidationCase& validation_case) {
  // Without its folder: relative names of files start in the set's folder.
  const std::string file = set.path.empty() ? set.id : fs::path(set.path).filename().string();
  return fmt::format("{} [{}]", file, validation_case.name);
}

Index count_values(const CaseSet& set) {
  Index count = 0;
  for (const ValidationCase& c : set.cases)
    count += c.values.empty() ? 1 : static_cast<Index>(c.values.size());
  return count;
}

std::vector<CaseSet> load_case_sets(const std::string& directory, const std::string& module,
                                    const ColumnFunctions& functions) {
  std::vector<fs::path> files;
  if (!fs::is_directory(fs::path(directory) / module)) return {};
  for (const auto& entry : fs::directory_iterator(fs::path(directory) / module))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CaseSet> sets;
  sets.reserve(files.size());
  for (const auto& file : files) sets.push_back(load_case_set(file.string(), functions));
  return sets;
}

std::string find_validation_data(const std::string& given) {
  if (!given.empty()) {
    GSIM_VALIDATE(fs::is_directory(given), fmt::format("there is no folder {}", given),
                  "--data names the folder that holds pricing/*.toml");
    return given;
  }
  const char* variable = std::getenv("GSIM_VALIDATION_DATA");
  if (variable != nullptr && fs::is_directory(variable)) return variable;
  return find_shared("validation", "validation");
}

}  // namespace gsim::app
