#include "value_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "cases/expression.hpp"
#include "gsim/config/input_file.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/memory_datasets.hpp"

namespace gsim::app {
namespace {

/// The results of one run.
struct RunResults {
  std::vector<Estimate> estimates;
  MemoryDatasets::Contents contents;
};

/// "data/powers.toml#power": the numbers of a key of a file beside the set.
bool is_of_file(const std::string& name) { return name.find(".toml#") != std::string::npos; }
std::vector<double> numbers_of_file(const std::filesystem::path& folder, const std::string& name) {
  const std::size_t hash = name.find('#');
  const std::string path = (folder / name.substr(0, hash)).string();
  ConfigFile file = ConfigFile::load(path);
  std::vector<double> numbers;
  file.read([&](Section& top) {
    top.required(name.substr(hash + 1), numbers, {.doc = "reference values"});
    top.ignore_unread();
  });
  return numbers;
}

/// "thermo/pressure[10:]" is "thermo/pressure" without its first ten rows.
struct ColumnName {
  std::string run, path;
  Index first = 0;
  bool has_last = false;
  Index last = 0;
};

Index row_number(const std::string& text, const std::string& name) {
  const double value = evaluate_number(text);
  if (!(value >= 0) || value != std::floor(value))
    throw InputError(fmt::format("`{}`: `{}` is no row number", name, text));
  return static_cast<Index>(value);
}

ColumnName parse_name(const std::string& name, bool has_runs) {
  ColumnName n;
  n.path = name;
  if (has_runs) {
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos)
      throw InputError(fmt::format("`{}` needs the name of a run: write 'run:{}'", name, name));
    n.run = name.substr(0, colon);
    n.path = name.substr(colon + 1);
  }
  const std::size_t open = n.path.find('[');
  if (open == std::string::npos) return n;
  const std::string rows = n.path.substr(open + 1, n.path.find(']', open) - open - 1);
  n.path.resize(open);
  const std::size_t colon = rows.find(':');
  if (colon == std::string::npos)
    throw InputError(fmt::format("`{}`: rows are [first:last], the last one not included", name));
  if (colon > 0) n.first = row_number(rows.substr(0, colon), name);
  n.has_last = colon + 1 < rows.size();
  if (n.has_last) n.last = row_number(rows.substr(colon + 1), name);
  return n;
}

class ResultsOfRuns : public NamedResults {
 public:
  ResultsOfRuns(const Communicator& communicator, std::filesystem::path folder,
                std::map<std::string, RunResults> runs)
      : communicator_(communicator), folder_(std::move(folder)), runs_(std::move(runs)) {}

  Estimate estimate(const std::string& name) const override {
    const ColumnName n = parse_name(name, has_runs());
    const RunResults& run = find(n.run);
    for (const Estimate& e : run.estimates)
      if (e.name == n.path) return e;
    throw InputError(fmt::format("the run has no estimate named `{}`", n.path));
  }

  std::vector<double> column(const std::string& name) const override {
    if (is_of_file(name)) return numbers_of_file(folder_, name);
    const ColumnName n = parse_name(name, has_runs());
    const std::vector<double> all = read(find(n.run), n.path);
    const auto rows = static_cast<Index>(all.size());
    const Index first = std::min(n.first, rows);
    const Index last = std::clamp(n.has_last ? n.last : rows, first, rows);
    return {all.begin() + first, all.begin() + last};
  }

 private:
  bool has_runs() const { return runs_.size() > 1 || !runs_.begin()->first.empty(); }
  const RunResults& find(const std::string& run) const {
    const auto found = runs_.find(run);
    if (found == runs_.end()) throw InputError(fmt::format("there is no [[run]] named `{}`", run));
    return found->second;
  }
  std::vector<double> read(const RunResults& run, const std::string& path) const {
    if (!run.contents.datasets.contains(path))
      throw InputError(fmt::format("the run's results have no dataset `{}`", path));
    MemoryDatasets results(communicator_, run.contents);
    if (results.shape(path).type == ElementType::int64) {
      const auto integers = results.read<std::int64_t>(path);
      return {integers.begin(), integers.end()};
    }
    return results.read<double>(path);
  }

  Communicator communicator_;
  std::filesystem::path folder_;
  std::map<std::string, RunResults> runs_;
};

RunResults run_one(const ValidationContext& v, const CaseSet& set, const ValidationCase& c,
                   const ValidationRun& validation_run) {
  ModuleRun run(v, set, c, validation_run.settings, seed_of(fmt::format("{}/{}", set.id, c.name)));
  while (!run.is_done()) run.advance();
  run.module().update_estimates();
  MemoryDatasets results(v.communicator);
  run.module().write_results(results);
  return {run.module().estimates(), results.contents()};
}

ResultsOfRuns run_all(const ValidationContext& v, const CaseSet& set, const ValidationCase& c) {
  std::map<std::string, RunResults> found;
  if (c.runs.empty()) found[""] = run_one(v, set, c, {});
  for (const ValidationRun& run : c.runs) found[run.name] = run_one(v, set, c, run);
  return {v.communicator, set.directory, std::move(found)};
}

CaseOutcome outcome_without_value(const CaseSet& set, const ValidationCase& c,
                                  const ValidationValue& value) {
  CaseOutcome o;
  o.set = set.id, o.name = fmt::format("{} {}", c.name, value.name);
  o.citation = set.citation, o.check = set.check;
  o.reference = value.reference, o.reference_error = value.reference_error;
  o.tolerance = value.tolerance, o.floor = value.floor;
  o.is_exact = !value.is_sampled;
  o.computed = std::nan("");  // until the value is computed
  return o;
}

void judge_exact(CaseOutcome& o) {
  o.z = o.score = std::nan("");
  if (o.standard_error != 0)
    o.reason =
        "the value has a standard error: add largest_error to its [[value]], or compare a value "
        "without one";
  else if (!(std::fabs(o.computed - o.reference) <= o.tolerance))
    o.reason = "differs by more than the tolerance";
}

void judge_sampled(CaseOutcome& o, double largest_error, double standard_errors) {
  const double error = std::hypot(o.standard_error, o.reference_error);
  const double difference = std::fabs(o.computed - o.reference);
  o.z = difference == 0 ? 0 : (o.computed - o.reference) / error;
  o.score = normal_score(o.z, o.degrees_of_freedom);
  o.in_chi_square = o.tolerance < error / 3 && error > 0;
  if (!(o.standard_error <= largest_error))
    o.reason = fmt::format("the standard error exceeds {:.2g}", largest_error);
  else if (!(difference <= standard_errors * error + o.tolerance + o.floor))
    o.reason =
        fmt::format("differs by more than {:g} standard errors + tolerance", standard_errors);
}

void compare(const ValidationValue& value, const NamedResults& results,
             const ColumnFunctions& functions, double largest_error, double standard_errors,
             CaseOutcome& o) {
  const Quantity q = evaluate(value.formula, results, functions);
  o.computed = q.value, o.standard_error = q.standard_error,
  o.degrees_of_freedom = q.degrees_of_freedom;
  o.samples = static_cast<double>(q.samples);
  if (o.is_exact)
    judge_exact(o);
  else
    judge_sampled(o, largest_error, standard_errors);
  o.passed = o.reason.empty();
}

}  // namespace

std::vector<CaseOutcome> run_values(const ValidationContext& v, const CaseSet& set,
                                    const ValidationCase& c) {
  std::vector<CaseOutcome> outcomes;
  for (const ValidationValue& value : c.values)
    outcomes.push_back(outcome_without_value(set, c, value));
  const auto start = std::chrono::steady_clock::now();
  bool is_first_sampled = true;
  const ColumnFunctions functions(*v.registry);
  try {
    const ResultsOfRuns results = run_all(v, set, c);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const ValidationValue& value = c.values[i];
      const bool quick = v.level == ValidationLevel::quick;
      try {
        compare(value, results, functions, quick ? value.quick_error : value.full_error,
                set.standard_errors, outcomes[i]);
      } catch (const InputError& error) {  // an error of a formula, which occurs on every rank
        outcomes[i].reason = error.what();
      }
      // Values of one case are correlated: only its first sampled value is in chi-square.
      outcomes[i].in_chi_square = outcomes[i].in_chi_square && is_first_sampled;
      is_first_sampled = is_first_sampled && outcomes[i].is_exact;
    }
  } catch (const Error& error) {
    if (v.communicator.size() > 1 && !error.is_agreed())
      throw;  // an error of this rank alone ends all ranks
    for (CaseOutcome& o : outcomes)
      o.reason = "the case did not run: the reason is given at its first value";
    outcomes.front().reason = error.what();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (CaseOutcome& o : outcomes) o.seconds = seconds / static_cast<double>(outcomes.size());
  return outcomes;
}

}  // namespace gsim::app
