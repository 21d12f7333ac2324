#include "batch_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/input_file.hpp"
#include "gsim/core/build_info.hpp"
#include "gsim/core/csv.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/replace_file.hpp"
#include "gsim/io/result_file.hpp"
#include "scheduler.hpp"
#include "task_estimates.hpp"
#include "task_process.hpp"

namespace gsim::app {
namespace {

/// The estimates of all tasks, column by column.
struct EstimateColumns {
  std::vector<Index> tasks;
  std::vector<std::string> paths, rows, units;
  std::vector<double> values, errors;
};

/// All keys that vary in any task, in the order of the manifest.
std::vector<std::string> varied_keys(const Batch& batch) {
  std::vector<std::string> keys;
  for (const BatchTask& task : batch.tasks)
    for (const auto& [key, value] : task.parameters)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

/// The value of a varied key in a task; empty where it does not vary.
std::string value_of(const BatchTask& task, const std::string& key) {
  for (const auto& [name, value] : task.parameters)
    if (name == key) return value;
  return {};
}

/// The names of the columns of varied keys in tasks/: a key with `/` would be a group in HDF5, and
/// no two columns may have one name.
std::vector<std::string> column_names(const std::vector<std::string>& keys) {
  std::set<std::string> taken{"name", "state", "exit_code"};
  std::vector<std::string> names;
  for (std::string name : keys) {
    std::replace(name.begin(), name.end(), '/', '_');
    while (!taken.insert(name).second) name += '_';
    names.push_back(name);
  }
  return names;
}

/// Whether all texts are numbers, and the numbers; NaN for an empty text.
bool as_numbers(const std::vector<std::string>& texts, std::vector<double>& numbers) {
  numbers.clear();
  for (const std::string& text : texts) {
    char* end = nullptr;
    numbers.push_back(text.empty() ? std::numeric_limits<double>::quiet_NaN()
                                   : std::strtod(text.c_str(), &end));
    if (!text.empty() && *end != '\0') return false;
  }
  return true;
}

/// Records that the results of task `i` cannot be read: it has failed, and the file is renamed,
/// because gsim does not replace a file that holds no results.
DamagedResult set_damaged(const std::string& path, std::size_t i, std::string reason,
                          TaskRecord& record) {
  record.state = TaskState::failed;
  record.code = static_cast<int>(ExitCode::failure);
  if (std::rename(path.c_str(), (path + ".damaged").c_str()) == 0)
    reason += fmt::format("; the file is now {}.damaged", path);
  return {i, reason};
}

/// The beginning in Batch::estimates that a name has, or the end of the list.
std::size_t wanted_as(const Batch& batch, const std::string& name) {
  const auto at = std::find_if(batch.estimates.begin(), batch.estimates.end(),
                               [&](const std::string& begin) { return name.starts_with(begin); });
  return static_cast<std::size_t>(at - batch.estimates.begin());
}

EstimateColumns collect(const Batch& batch, std::vector<TaskRecord>& records,
                        std::vector<DamagedResult>& damaged, std::vector<std::string>& unknown) {
  std::vector<std::size_t> done;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    if (records[i].state != TaskState::done) continue;
    done.push_back(i);
    files.push_back(task_path(batch.folder, batch.tasks[i]) + ".h5");
  }
  const auto is_wanted = [&](const std::string& name) {
    return batch.estimates.empty() || wanted_as(batch, name) < batch.estimates.size();
  };
  EstimateColumns c;
  std::set<std::size_t> found;
  std::vector<TaskEstimates> all = read_task_estimates(files, cores_of(batch), is_wanted);
  for (std::size_t k = 0; k < done.size(); ++k) {
    if (!all[k].damage.empty())
      damaged.push_back(set_damaged(files[k], done[k], all[k].damage, records[done[k]]));
    for (StoredEstimate& e : all[k].estimates) {
      found.insert(wanted_as(batch, e.path));
      c.tasks.push_back(static_cast<Index>(done[k]));
      c.paths.push_back(std::move(e.path));
      c.rows.push_back(std::move(e.row));
      c.units.push_back(std::move(e.unit));
      c.values.push_back(e.value);
      c.errors.push_back(e.error);
    }
  }
  for (std::size_t k = 0; k < batch.estimates.size(); ++k)
    if (!found.contains(k)) unknown.push_back(batch.estimates[k]);
  return c;
}

std::uint64_t digest_of(const Batch& batch, const std::vector<TaskRecord>& records,
                        const EstimateColumns& c) {
  Digest digest;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    digest.add(batch.tasks[i].name).add(to_string(records[i].state));
    for (const auto& [key, value] : batch.tasks[i].parameters) digest.add(key).add(value);
  }
  for (std::size_t i = 0; i < c.tasks.size(); ++i)
    digest.add(c.tasks[i]).add(c.paths[i]).add(c.rows[i]).add(c.values[i]).add(c.errors[i]);
  return digest.value();
}

void write_provenance(ResultFile& file, const Batch& batch, std::uint64_t digest) {
  const BuildInfo& build = build_info();
  const auto put = [&](const char* name, const std::string& text) {
    file.attribute("provenance", name, text);
  };
  put("gsim_version", build.version);
  put("git_commit", build.git_hash);
  put("module", "batch");
  put("seed", "0");
  put("config_name", batch.manifest);
  put("config_resolved", read_input_file(batch.manifest).text);
  put("digest", hex(digest));
  put("outputs", "");
  put("repeatable", "no: a batch is repeated by `gsim batch run`, and its tasks by `gsim replay`");
}

void write_parameters(ResultFile& file, const Batch& batch) {
  const std::vector<std::string> keys = varied_keys(batch), names = column_names(keys);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string path = "tasks/" + names[k];
    std::vector<std::string> texts;
    for (const BatchTask& task : batch.tasks) texts.push_back(value_of(task, keys[k]));
    std::vector<double> numbers;
    if (as_numbers(texts, numbers))
      file.write(path, numbers);
    else
      file.write_strings(path, texts);
    if (names[k] != keys[k]) file.attribute(path, "description", "values of the key " + keys[k]);
  }
}

void write_hdf5(const std::string& path, const Batch& batch, const std::vector<TaskRecord>& records,
                const EstimateColumns& c, std::uint64_t digest) {
  ResultFile file(Communicator::self(), path);
  write_provenance(file, batch, digest);
  std::vector<std::string> names, states;
  std::vector<Index> codes;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    names.push_back(batch.tasks[i].name);
    states.emplace_back(to_string(records[i].state));
    codes.push_back(records[i].code);
  }
  file.write_strings("tasks/name", names);
  write_parameters(file, batch);
  file.write_strings("tasks/state", states);
  file.write("tasks/exit_code", codes);
  file.write("estimates/task", c.tasks);
  file.attribute("estimates/task", "description", "row of the task in tasks/");
  file.write_strings("estimates/estimate", c.paths);
  file.write_strings("estimates/row", c.rows);
  file.write("estimates/value", c.values);
  file.write("estimates/standard_error", c.errors);
  file.write_strings("estimates/unit", c.units);
  file.commit();
}

void write_csv(const std::string& path, const Batch& batch, const EstimateColumns& c) {
  const std::vector<std::string> keys = varied_keys(batch);
  std::string text = "task";
  for (const std::string& key : keys) text += "," + csv_cell(key);
  text += ",estimate,row,value,standard_error,unit\n";
  for (std::size_t i = 0; i < c.tasks.size(); ++i) {
    const BatchTask& task = batch.tasks[static_cast<std::size_t>(c.tasks[i])];
    text += task.name;
    for (const std::string& key : keys) text += "," + csv_cell(value_of(task, key));
    text += fmt::format(",{},{},{},{},{}\n", csv_cell(c.paths[i]), csv_cell(c.rows[i]), c.values[i],
                        c.errors[i], csv_cell(c.units[i]));
  }
  replace_file(path, text);
}

}  // namespace

BatchResults write_batch_results(const Batch& batch, std::vector<TaskRecord>& records) {
  std::vector<DamagedResult> damaged;
  std::vector<std::string> unknown;
  const EstimateColumns columns = collect(batch, records, damaged, unknown);
  BatchResults results{batch.folder + "/batch.h5",
                       batch.folder + "/estimates.csv",
                       static_cast<Index>(columns.tasks.size()),
                       digest_of(batch, records, columns),
                       std::move(damaged),
                       std::move(unknown)};
  write_csv(results.csv, batch, columns);
  write_hdf5(results.hdf5, batch, records, columns, results.digest);
  return results;
}

}  // namespace gsim::app
