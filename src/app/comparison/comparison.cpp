#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/text_columns.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/validation/statistics.hpp"

namespace gsim::app {
namespace {

constexpr std::size_t shown_differences = 12;  // of keys, and of columns without errors

std::string describe_run(const ResultReader& file) {
  const auto get = [&](const char* name) { return file.attribute("provenance", name); };
  return fmt::format("{}, seed {}, digest {}", get("module"), get("seed"),
                     get("digest").substr(0, 12));
}

std::string describe_program(const ResultReader& file) {
  return fmt::format(", gsim {} ({})", file.attribute("provenance", "gsim_version"),
                     file.attribute("provenance", "git_commit"));
}

/// Digests of the input files by name.
std::map<std::string, std::string> input_files(const ResultReader& file) {
  std::map<std::string, std::string> digests;
  for (const std::string& path : file.list("provenance"))
    if (path.starts_with("provenance/input_files/"))
      digests[file.attribute(path, "name")] = file.attribute(path, "digest");
  return digests;
}

/// Whether a key says where a run takes place and where its files are, not what it computes.
bool is_of_the_machine(const std::string& key) {
  return key == "device" || key == "threads" || key.starts_with("output.") ||
         key.starts_with("checkpoint.") || key.starts_with("comm.");
}

/// Whether one configuration gives a key as an empty list or text, and the other leaves it out, as
/// resolved configurations do that were written by newer programs.
bool is_empty_or_absent(const KeyDifference& k) {
  const auto is_empty = [](const std::string& value) {
    return value.empty() || value == "[]" || value == "\"\"";
  };
  return is_empty(k.first) && is_empty(k.second);
}

/// P(|Z| >= |z|) of a standard normal Z.
double tail(double z) { return std::isfinite(z) ? 1 - incomplete_gamma(0.5, 0.5 * z * z) : 0; }

/// P(X >= x) of a chi-square with n degrees of freedom.
double chi_square_tail(double x, Index n) {
  return 1 - incomplete_gamma(0.5 * static_cast<double>(n), 0.5 * x);
}

std::string z_text(double z) {
  return std::isfinite(z) ? fmt::format("{:+.1f}", z) : std::string(z > 0 ? "+inf" : "-inf");
}

std::string difference_text(const ValueDifference& d) {
  return fmt::format("{}: {} and {}", escape_controls(d.row), escape_controls(d.first),
                     escape_controls(d.second));
}

std::string estimates_text(const ResultComparison& comparison) {
  std::vector<TextColumn> columns(6);
  const char* headings[] = {"estimate", "values", "other bits", "chi²", "p", "largest z"};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].cells.push_back(headings[c]);
    columns[c].is_right_aligned = c > 0 && c < 5;
  }
  bool has_p = false;
  for (const DatasetComparison& d : comparison.datasets) {
    if (!d.is_estimate || d.is_secondary || d.values == 0) continue;
    has_p = has_p || d.with_errors > 1;
    const std::vector<std::string> cells{
        escape_controls(d.path),
        fmt::format("{}", d.values),
        fmt::format("{}", d.different),
        d.with_errors > 0 ? fmt::format("{:.4g} / {}", d.chi_square, d.with_errors) : "",
        d.with_errors > 0 ? fmt::format("{:.2g}", chi_square_tail(d.chi_square, d.with_errors))
                          : "",
        d.with_errors > 0 && d.largest.z != 0
            ? fmt::format("{}  {}", z_text(d.largest.z), difference_text(d.largest))
            : ""};
    for (std::size_t c = 0; c < cells.size(); ++c) columns[c].cells.push_back(cells[c]);
  }
  if (columns[0].cells.size() == 1) return {};
  return align_columns(columns) +
         (has_p ? "  (p assumes that the values of a row are independent)\n\n" : "\n");
}

/// "3 estimates without a known error differ, the first trades/price, A: 1 and 2"; empty: none.
std::string unknown_text(const ResultComparison& comparison) {
  Index count = 0;
  std::string first;
  for (const DatasetComparison& d : comparison.datasets) {
    if (d.is_secondary || d.unknown == 0) continue;
    if (count == 0)
      first = fmt::format("{}, {}", escape_controls(d.path), difference_text(d.first_unknown));
    count += d.unknown;
  }
  if (count == 0) return {};
  return fmt::format("{} without a known error differ{}, the first {}", count_of(count, "estimate"),
                     count == 1 ? "s" : "", first);
}

/// The values without errors that differ, and the number of columns that depend on the samples.
std::string others_text(const ResultComparison& comparison) {
  std::string text;
  std::size_t count = 0, secondary = 0;
  for (const DatasetComparison& d : comparison.datasets) {
    if (d.different == 0 || (d.is_estimate && !d.is_secondary)) continue;
    if (d.is_secondary) {
      ++secondary;
    } else if (++count <= shown_differences) {
      text += fmt::format("  {}: {} of {} differ, the first {}\n", escape_controls(d.path),
                          d.different, d.values, difference_text(d.first_difference));
    }
  }
  if (count > shown_differences)
    text += fmt::format("  … {} more datasets; --json shows all\n", count - shown_differences);
  if (count > 0) text = "values without errors\n" + text + "\n";
  if (secondary > 0)
    text += fmt::format(
        "{} that depend{} on the samples (errors, intervals, remarks) differ{}; "
        "--json shows them\n\n",
        count_of(static_cast<long long>(secondary), "column"), secondary == 1 ? "s" : "",
        secondary == 1 ? "s" : "");
  return text;
}

std::string describe(const Unmatched& u, const std::string& first, const std::string& second) {
  const std::string& file = u.in_first > 0 ? first : second;
  if (u.is_whole && u.in_first > 0 && u.in_second > 0)
    return fmt::format("{}: {} differs", escape_controls(u.path), u.example);
  if (u.is_whole) return fmt::format("only {} has {}", file, escape_controls(u.path));
  return fmt::format("{}: {} only in {}, {} only in {}; the first is {}", escape_controls(u.path),
                     count_of(u.in_first, "row"), first, u.in_second, second,
                     escape_controls(u.example));
}

std::string keys_text(const ComparedRuns& runs) {
  std::string text;
  if (!runs.keys.empty()) {
    TextColumn names, values;
    for (std::size_t i = 0; i < std::min(runs.keys.size(), shown_differences); ++i) {
      const KeyDifference& k = runs.keys[i];
      const auto shown = [](const std::string& value) {
        return value.empty() ? std::string("(absent)") : shorten(escape_controls(value), 40);
      };
      names.cells.push_back(escape_controls(k.key));
      values.cells.push_back(fmt::format("{} → {}", shown(k.first), shown(k.second)));
    }
    text = fmt::format("{} of the configuration {}\n{}",
                       count_of(static_cast<long long>(runs.keys.size()), "key"),
                       runs.keys.size() == 1 ? "differs" : "differ",
                       align_columns(std::vector<TextColumn>{names, values}));
    if (runs.keys.size() > shown_differences)
      text += fmt::format("  … {} more; --json shows all\n", runs.keys.size() - shown_differences);
  }
  for (const std::string& name : runs.input_files)
    text += fmt::format("the input file {} differs\n", escape_controls(name));
  return text.empty() ? text : text + "\n";
}

std::string verdict_text(const Verdict& v) {
  if (v.agreement == Agreement::same_bits) return "every bit of the results is equal\n";
  if (v.agreement == Agreement::different) return fmt::format("they differ: {}\n", v.reason);
  if (v.estimates == 0) return "they agree: estimates without errors are equal up to rounding\n";
  return fmt::format("they agree within their errors: {}, probability of a larger |z| {:.2g}\n",
                     count_of(v.estimates, "estimate"), v.probability);
}

Json json_of(const ValueDifference& d) {
  return Json::object()
      .set("row", d.row)
      .set("first", d.first)
      .set("second", d.second)
      .set("z", d.z);
}

/// The verdict where no estimate has an error: all bits must be equal, but estimates up to
/// rounding, and what depends on them not at all.
template <class Differ>
void judge_without_errors(const ResultComparison& comparison, const Differ& differ) {
  bool has_estimates = false;
  for (const DatasetComparison& d : comparison.datasets) {
    has_estimates = has_estimates || (d.is_estimate && !d.is_secondary);
    if (d.different > 0 && !d.is_estimate && !d.is_secondary)
      differ(fmt::format("{}, {}", escape_controls(d.path), difference_text(d.first_difference)));
  }
  if (!has_estimates) {
    for (const DatasetComparison& d : comparison.datasets)
      if (d.different > 0)
        differ(fmt::format("{}, {}", escape_controls(d.path), difference_text(d.first_difference)));
    if (!comparison.same_order) differ("the order of rows");
  }
}

}  // namespace

ComparedRuns compare_runs(const std::string& first, const std::string& second) {
  const ResultReader a(Communicator::self(), first), b(Communicator::self(), second);
  ComparedRuns runs{first, second, describe_run(a), describe_run(b), {}, {}};
  if (const std::string program = describe_program(a), other = describe_program(b);
      program != other) {
    runs.first_run += program;
    runs.second_run += other;
  }
  runs.keys = key_differences(a.attribute("provenance", "config_resolved"),
                              b.attribute("provenance", "config_resolved"));
  std::erase_if(runs.keys, [](const KeyDifference& k) {
    return is_of_the_machine(k.key) || is_empty_or_absent(k);
  });
  const auto files = input_files(a), others = input_files(b);
  for (const auto& [name, digest] : files)
    if (const auto found = others.find(name); found != others.end() && found->second != digest)
      runs.input_files.push_back(name);
  return runs;
}

Verdict judge(const ResultComparison& comparison, double significance, const ComparedFiles& files) {
  Verdict v;
  if (comparison.same_bits) {
    for (const FileComparison& file : files.files)
      if (!file.same_bits() && v.agreement == Agreement::same_bits)
        v = {Agreement::different, 0, 1,
             fmt::format("every bit of the results is equal, but not of {} and {}",
                         escape_controls(file.first), escape_controls(file.second))};
    return v;
  }
  v.agreement = Agreement::within_error;
  const auto differ = [&](const std::string& reason) {
    if (v.agreement != Agreement::different) v.reason = reason;
    v.agreement = Agreement::different;
  };
  const DatasetComparison* worst = nullptr;
  for (const DatasetComparison& d : comparison.datasets) {
    if (d.is_secondary || d.with_errors == 0) continue;
    v.estimates += d.with_errors;
    if (worst == nullptr || std::fabs(d.largest.z) > std::fabs(worst->largest.z)) worst = &d;
  }
  for (const Unmatched& u : comparison.unmatched)
    if (u.is_of_estimates || v.estimates == 0)
      differ(u.is_whole ? fmt::format("{} is not the same dataset, or is in one file alone",
                                      escape_controls(u.path))
                        : fmt::format("rows of {} are in one file alone", escape_controls(u.path)));
  if (const std::string unknown = unknown_text(comparison); !unknown.empty()) differ(unknown);
  if (worst == nullptr) {
    judge_without_errors(comparison, differ);
    return v;
  }
  v.probability = std::min(1.0, static_cast<double>(v.estimates) * tail(worst->largest.z));
  if (v.probability < significance)
    differ(fmt::format("{}, {}, z {} (probability {:.2g} among {})", escape_controls(worst->path),
                       difference_text(worst->largest), z_text(worst->largest.z), v.probability,
                       count_of(v.estimates, "estimate")));
  return v;
}

std::string comparison_text(const ComparedRuns& runs, const ResultComparison& comparison,
                            const Verdict& verdict, const ComparedFiles& files) {
  TextColumn names, descriptions;
  names.cells = {escape_controls(runs.first), escape_controls(runs.second)};
  descriptions.cells = {escape_controls(runs.first_run), escape_controls(runs.second_run)};
  std::string text = align_columns(std::vector<TextColumn>{names, descriptions}) + "\n";
  text += keys_text(runs);
  if (!comparison.same_bits) {
    text += estimates_text(comparison);
    if (const std::string unknown = unknown_text(comparison); !unknown.empty())
      text += unknown + "\n\n";
    text += others_text(comparison);
    for (const Unmatched& u : comparison.unmatched)
      text += describe(u, runs.first, runs.second) + "\n";
    if (!comparison.unmatched.empty()) text += "\n";
  }
  for (const FileComparison& file : files.files) text += file_text(file);
  for (const std::string& sentence : files.missing) text += sentence + "\n";
  if (!files.files.empty() || !files.missing.empty()) text += "\n";
  return text + verdict_text(verdict);
}

std::string comparison_json(const ComparedRuns& runs, const ResultComparison& comparison,
                            const Verdict& verdict, const ComparedFiles& files) {
  Json keys = Json::array(), input_files = Json::array(), datasets = Json::array(),
       unmatched = Json::array(), output_files = Json::array(), missing = Json::array();
  for (const KeyDifference& k : runs.keys)
    keys.push(Json::object().set("key", k.key).set("first", k.first).set("second", k.second));
  for (const std::string& name : runs.input_files) input_files.push(name);
  for (const FileComparison& file : files.files) output_files.push(file_json(file));
  for (const std::string& sentence : files.missing) missing.push(sentence);
  for (const DatasetComparison& d : comparison.datasets) {
    Json dataset = Json::object()
                       .set("path", d.path)
                       .set("estimate", d.is_estimate)
                       .set("secondary", d.is_secondary)
                       .set("values", d.values)
                       .set("different", d.different);
    if (d.different > 0) dataset.set("first_difference", json_of(d.first_difference));
    if (d.unknown > 0)
      dataset.set("unknown", d.unknown).set("first_unknown", json_of(d.first_unknown));
    if (d.with_errors > 0)
      dataset.set("with_errors", d.with_errors)
          .set("chi_square", d.chi_square)
          .set("p_value", chi_square_tail(d.chi_square, d.with_errors))
          .set("largest", json_of(d.largest));
    datasets.push(dataset);
  }
  for (const Unmatched& u : comparison.unmatched)
    unmatched.push(Json::object()
                       .set("path", u.path)
                       .set("whole", u.is_whole)
                       .set("of_estimates", u.is_of_estimates)
                       .set("in_first", u.in_first)
                       .set("in_second", u.in_second)
                       .set("example", u.example));
  constexpr const char* words[] = {"same_bits", "within_error", "different"};
  return Json::object()
             .set("agreement", words[static_cast<int>(verdict.agreement)])
             .set("estimates", verdict.estimates)
             .set("probability", verdict.probability)
             .set("reason", verdict.reason)
             .set("first", Json::object().set("file", runs.first).set("run", runs.first_run))
             .set("second", Json::object().set("file", runs.second).set("run", runs.second_run))
             .set("keys", keys)
             .set("input_files", input_files)
             .set("datasets", datasets)
             .set("unmatched", unmatched)
             .set("output_files", output_files)
             .set("not_compared", missing)
             .text(2) +
         "\n";
}

}  // namespace gsim::app
