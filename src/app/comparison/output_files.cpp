#include "output_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/app/replay/stored_run.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& file) {
  const fs::path path(file);
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Whether `file`, which begins with `prefix`, belongs to other results in its folder, whose name
/// begins with it, too: those of a stage, or of an earlier run.
bool is_of_other_results(const fs::path& file, const std::string& prefix) {
  const std::string name = file.filename().string();
  std::error_code none;
  for (std::size_t dot = name.find('.', prefix.size()); dot != name.npos;
       dot = name.find('.', dot + 1))
    if (fs::exists(file.parent_path() / (name.substr(0, dot) + ".h5"), none)) return true;
  return false;
}

/// Where a file that a configuration names is now.
std::string find_named(const std::string& name, const std::string& results,
                       const std::string& started_in) {
  std::error_code none;
  const fs::path there = fs::path(started_in) / name;  // `name` if that is absolute
  const fs::path beside = folder_of(results) / fs::path(name).filename();
  return (fs::exists(there, none) || !fs::exists(beside, none) ? there : beside).string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return a == b || fs::equivalent(a, b, none);
}

/// compare_files(), where a file that cannot be compared differs: the rest of the comparison goes
/// on.
FileComparison compare_or_explain(const std::string& first, const std::string& second) {
  try {
    return compare_files(first, second);
  } catch (const Error& error) {
    return {first, second, {}, {}, {error.what()}, {}};
  }
}

}  // namespace

std::vector<std::string> files_beside(const std::string& results,
                                      const std::vector<std::string>& extensions) {
  std::vector<std::string> files;
  const std::string prefix = fs::path(results).stem().string() + ".";
  std::error_code none;
  for (fs::directory_iterator at(folder_of(results), none), end; !none && at != end;
       at.increment(none)) {
    const std::string name = at->path().filename().string();
    const bool has_extension =
        std::any_of(extensions.begin(), extensions.end(),
                    [&](const std::string& extension) { return name.ends_with(extension); });
    if (has_extension && name.starts_with(prefix) && !is_of_other_results(at->path(), prefix))
      files.push_back((fs::path(results).parent_path() / name).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<OutputFile> output_files_of(const std::string& results) {
  const StoredRun run = read_stored_run(results);
  std::vector<OutputFile> files;
  for (const OutputName& output : run.outputs)
    files.push_back({output.key, find_named(output.name, results, run.folder)});
  const std::size_t stem = fs::path(results).stem().string().size();
  for (const std::string& path :
       files_beside(results, {".h5md", ".xyz", ".dump", ".vtkhdf", ".mcpl", ".mcpl.gz"})) {
    const bool is_named = std::any_of(files.begin(), files.end(), [&](const OutputFile& file) {
      return is_same_file(file.path, path);
    });
    if (!is_named) files.push_back({fs::path(path).filename().string().substr(stem), path});
  }
  return files;
}

bool ComparedFiles::same_bits() const {
  return std::all_of(files.begin(), files.end(),
                     [](const FileComparison& file) { return file.same_bits(); });
}

ComparedFiles compare_output_files(const std::string& first, const std::string& second) {
  ComparedFiles compared;
  const std::vector<OutputFile> others = output_files_of(second);
  const auto not_compared = [&](const OutputFile& file, const std::string& why) {
    compared.missing.push_back(
        fmt::format("{} is not compared: {}", escape_controls(file.path), escape_controls(why)));
  };
  std::error_code none;
  std::vector<bool> is_matched(others.size(), false);
  for (const OutputFile& file : output_files_of(first)) {
    const auto other = std::find_if(others.begin(), others.end(),
                                    [&](const OutputFile& o) { return o.key == file.key; });
    if (other == others.end()) {
      not_compared(file, fmt::format("{} has no such file", second));
      continue;
    }
    is_matched[static_cast<std::size_t>(other - others.begin())] = true;
    if (!fs::exists(file.path, none) || !fs::exists(other->path, none))
      not_compared(fs::exists(file.path, none) ? *other : file, "it is not there");
    else if (is_same_file(file.path, other->path))
      not_compared(file, "both runs wrote it, and it is that of the later one");
    else
      compared.files.push_back(compare_or_explain(file.path, other->path));
  }
  for (std::size_t i = 0; i < others.size(); ++i)
    if (!is_matched[i]) not_compared(others[i], fmt::format("{} has no such file", first));
  return compared;
}

std::string file_text(const FileComparison& c) {
  const std::string files =
      fmt::format("{} and {}", escape_controls(c.first), escape_controls(c.second));
  if (c.same_bits()) return fmt::format("{}: {}, every bit is equal\n", files, c.contents);
  std::string text = files + " differ";
  if (c.difference)
    text +=
        fmt::format(", first in {}: {} is {} and {}", c.difference->place(),
                    escape_controls(c.difference->property), escape_controls(c.difference->first),
                    escape_controls(c.difference->second));
  text += "\n";
  for (const std::string& unmatched : c.unmatched) text += "  " + escape_controls(unmatched) + "\n";
  for (const PropertyComparison& p : c.properties) {
    if (p.different == 0) continue;
    text += fmt::format("  {}: {} of {} differ", escape_controls(p.name), p.different,
                        count_of(p.values, "value"));
    text += p.largest > 0 ? fmt::format(", by up to {:.3g}\n", p.largest) : std::string("\n");
  }
  return text;
}

Json file_json(const FileComparison& c) {
  Json properties = Json::array(), unmatched = Json::array();
  for (const PropertyComparison& p : c.properties)
    properties.push(Json::object()
                        .set("name", p.name)
                        .set("values", p.values)
                        .set("different", p.different)
                        .set("largest", p.largest));
  for (const std::string& text : c.unmatched) unmatched.push(text);
  Json json = Json::object()
                  .set("first", c.first)
                  .set("second", c.second)
                  .set("equal", c.same_bits())
                  .set("contents", c.contents)
                  .set("properties", properties)
                  .set("unmatched", unmatched);
  if (c.difference)
    json.set("first_difference", Json::object()
                                     .set("frame", c.difference->frame)
                                     .set("step", c.difference->step)
                                     .set("item", c.difference->item)
                                     .set("property", c.difference->property)
                                     .set("first", c.difference->first)
                                     .set("second", c.difference->second));
  return json;
}

}  // namespace gsim::app
