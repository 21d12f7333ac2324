#include "case_set.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "expression.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "src/app/input/shared_files.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

struct ValueText {
  std::string name, formula, reference, reference_error, tolerance, floor;
  double relative_tolerance = 0, quick_error = 0, full_error = 0;
  bool printed = false, is_sampled = false;
  SourceLocation formula_at, reference_at, at;
};

struct SetText {
  std::vector<std::string> columns, rows;
  std::string config, name, reference, published, scale, foreign_file;
  std::vector<std::string> quick, full;  // settings
  double tolerance = 0;
  std::vector<ValueText> values;
  std::vector<ValidationRun> runs;
  SourceLocation rows_at, config_at, reference_at;
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

void describe_value(Section& s, ValueText& v) {
  s.required("name", v.name, {.doc = "what is compared"});
  s.required("formula", v.formula, {.doc = "of what the run found: template"});
  s.required("reference", v.reference,
             {.doc = "what it must be: template of a formula of numbers"});
  s.optional("reference_error", v.reference_error,
             {.doc = "standard error of the reference: template"});
  s.optional("tolerance", v.tolerance, {.doc = "accuracy of the reference: template"});
  s.optional("floor", v.floor,
             {.doc = "of a sampled value: a difference that nobody minds, added to the tolerance "
                     "but no doubt about the reference: template"});
  s.optional("relative_tolerance", v.relative_tolerance,
             {.doc = "the same in parts of the reference", .minimum = 0});
  s.optional("printed", v.printed,
             {.doc = "half a unit of the reference's last digit, as it is "
                     "written, is added to the tolerance"});
  v.is_sampled = s.optional_table(
      "largest_error",
      [&](Section& e) {
        e.optional("quick", v.quick_error, {.doc = "at --quick", .minimum = 0});
        e.required("full", v.full_error, {.doc = "at --full", .minimum = 0});
      },
      "for sampled values: the standard error that they may have at most");
  if (s.describing()) return;
  v.formula_at = s.location("formula");
  v.reference_at = s.location("reference");
  v.at = s.location("name");
  if (v.tolerance.empty() && v.relative_tolerance == 0 && !v.printed && !v.is_sampled)
    s.fail("name", "nothing says how near to its reference the value must be",
           "give tolerance, relative_tolerance, printed or largest_error");
}

/// A key that is required for one of the two kinds of set; it is optional in the schema, which
/// covers both.
template <class T>
void required_here(Section& s, std::string_view key, T& value, const KeyInfo& info) {
  if (s.describing())
    s.optional(key, value, info);
  else
    s.required(key, value, info);
}

/// A set that compares one estimate, sampled until its standard error is small enough.
void describe_estimate(Section& s, CaseSet& set, SetText& text) {
  s.optional("estimate", set.estimate,
             {.doc = "without [[value]]: name of the estimate that is compared"});
  required_here(s, "source_tolerance", text.tolerance,
                {.doc = "without [[value]], required: accuracy of the reference values"});
  required_here(s, "reference", text.reference,
                {.doc = "without [[value]], required: template of the reference value"});
  s.optional("published", text.published,
             {.doc = "without [[value]]: template of the printed value"});
  required_here(s, "scale", text.scale,
                {.doc = "without [[value]], required: template of the scale (spot) of the result"});
  if (!s.describing()) text.reference_at = s.location("reference");
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
}

/// A set that compares several values of runs of given length.
void describe_values(Section& s, CaseSet& set, SetText& text) {
  s.tables<ValueText>("value", text.values, describe_value, "what is compared");
  s.tables<ValidationRun>(
      "run", text.runs,
      [](Section& r, ValidationRun& run) {
        r.required("name", run.name, {.doc = "what formulas call it"});
        r.required("settings", run.settings, {.doc = "key=value, templates"});
      },
      "one of the runs of a row");
  s.optional("standard_errors", set.standard_errors,
             {.doc = "that sampled values may differ by", .minimum = 1, .maximum = 10});
  s.optional("full_only", set.is_long, {.doc = "left out at --quick"});
  s.optional("foreign_file", text.foreign_file,
             {.doc = "a file that is not ours to hand on; templates call it {foreign_file}"});
}

void describe(Section& s, CaseSet& set, SetText& text) {
  s.required("id", set.id, {.doc = "name of the set"});
  s.required("title", set.title, {.doc = "what is computed"});
  s.required("citation", set.citation, {.doc = "source of the published values"});
  s.optional("check", set.check, {.doc = "how the reference was verified"});
  s.required("columns", text.columns,
             {.doc = "column names, which templates have in braces: {name}"});
  s.required("rows", text.rows, {.doc = "a case each: its entries, separated by |"});
  s.required("name", text.name, {.doc = "of a case: template"});
  s.required("config", text.config, {.doc = "of a case: template of a gsim configuration in TOML"});
  if (!s.describing()) {
    text.rows_at = s.location("rows");
    text.config_at = s.location("config");
  }
  const bool has_values = s.has("value");
  if (has_values || s.describing()) describe_values(s, set, text);
  if (!has_values) describe_estimate(s, set, text);
  s.optional_table(
      "sampling",
      [&](Section& l) {
        l.optional("quick", text.quick, {.doc = "settings at --quick: key=value, templates"});
        l.optional("full", text.full, {.doc = "settings at --full: key=value, templates"});
      },
      "how each level samples");
}

/// Half a unit of the last digit of a number as it is written: "-4351.5" 0.05, "1.30e-2" 5e-5.
double half_of_last_digit(const std::string& text, const std::string& where) {
  number(text, where);
  const std::size_t e = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  int exponent = point == std::string::npos ? 0 : -static_cast<int>(mantissa.size() - point - 1);
  if (e != std::string::npos) exponent += std::stoi(text.substr(e + 1));
  return number(fmt::format("5e{}", exponent - 1), where);
}

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
  at_place(v.formula_at, [&] {
    value.formula = fill(v.formula);
    check_formula(value.formula, runs, functions);
  });
  at_place(v.reference_at, [&] {
    const std::string reference = fill(v.reference);
    value.reference = evaluate_number(reference);
    if (v.printed) value.tolerance += half_of_last_digit(reference, where);
  });
  at_place(v.at, [&] {
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

/// Lines of the file before the first one of `config`, which begins after the quotes' line.
int lines_before(const SourceLocation& config) {
  const bool is_of_many_lines = config.text.find("\"\"\"") != std::string::npos ||
                                config.text.find("'''") != std::string::npos;
  return std::max(is_of_many_lines ? config.line : config.line - 1, 0);
}

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
    at_place(text.reference_at, [&] { fill_estimate(c, text, fill, where); });
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
std::string find_foreign_file(const CaseSet& set, const std::string& name) {
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
      throw InputError(
          fmt::format("{}: the template asks for a column `{}`, which is not there", where, key));
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
  ConfigFile::load(path).read([&](Section& s) { describe(s, set, text); });
  std::string foreign;
  if (!text.foreign_file.empty()) {
    foreign = find_foreign_file(set, text.foreign_file);
    if (foreign.empty()) {
      set.missing_file = text.foreign_file;
      return set;
    }
    text.columns.emplace_back("foreign_file");
  }
  for (const std::string& line : text.rows) {
    auto row = split_row(line);
    if (!foreign.empty()) row.push_back(foreign);
    const std::string where = fmt::format("row `{}`", line);
    at_place(text.rows_at, [&] {
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
  const auto describe_all = [&](Section& top) { describe(top, set, text); };
  return json ? schema_json(describe_all, "gsim validation set") : schema_text(describe_all);
}

std::string config_text(const ValidationCase& one) {
  return std::string(static_cast<std::size_t>(one.lines_before), '\n') + one.config;
}

std::string config_name(const CaseSet& set, const ValidationCase& one) {
  // Without its folder: relative names of files start in the set's folder.
  const std::string file = set.path.empty() ? set.id : fs::path(set.path).filename().string();
  return fmt::format("{} [{}]", file, one.name);
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
