#include "src/io/inspect/inspect.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "gsim/io/result_file.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/processes/reader_process.hpp"

namespace gsim {
namespace io {
namespace {

template <class T>
std::vector<Cell> number_cells(const Hdf5Reader& file, const DatasetInfo& dataset, IndexRange rows,
                               Digits digits) {
  std::vector<T> values(static_cast<std::size_t>(rows.size() * dataset.shape.columns));
  file.read(dataset.path, dataset.shape.type, rows, values.data());
  std::vector<Cell> cells;
  for (const T value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      const bool few = digits == Digits::few;
      cells.push_back({few ? fmt::format("{:.7g}", value) : fmt::format("{}", value), false,
                       std::isfinite(value)});
    } else {
      cells.push_back({fmt::format("{}", value), false, true});
    }
  }
  return cells;
}

std::vector<Cell> string_cells(const Hdf5Reader& file, const DatasetInfo& dataset,
                               IndexRange rows) {
  const std::size_t length = dataset.shape.type.string_length;
  std::vector<char> bytes(static_cast<std::size_t>(rows.size() * dataset.shape.columns) * length);
  file.read(dataset.path, dataset.shape.type, rows, bytes.data());
  std::vector<Cell> cells;
  for (auto& text : unpack_strings(bytes, length)) cells.push_back({std::move(text), true, true});
  return cells;
}

DatasetInfo describe(const Hdf5Reader& file, const std::string& path) {
  DatasetInfo info{path, path.substr(path.rfind('/') + 1), {}, true, file.attributes(path)};
  try {
    info.shape = file.shape(path);
  } catch (const IoError&) {
    info.readable = false;  // a type of another program, listed as such
  }
  return info;
}

bool is_column(const DatasetInfo& dataset) {
  return dataset.readable && dataset.shape.columns == 1;
}

std::string path_in(const std::string& group, const std::string& name) {
  return group == "/" ? name : fmt::format("{}/{}", group, name);
}

/// Whether the datasets of a group may be columns of a table.
bool may_be_table(const std::string& group) {
  return group != "/" && group != "checkpoint" && group != "provenance" &&
         !group.starts_with("provenance/");
}

/// Groups nested deeper than this form a loop of links.
constexpr int max_levels = 64;

/// Lists the datasets of a group, determines whether they form a table, and recurses into its
/// groups.
void list_group(const Hdf5Reader& file, const std::string& group, FileInfo& info, Contents contents,
                int level = 0) {
  if (level > max_levels)
    throw IoError(fmt::format("its groups are nested more than {} deep", max_levels));
  TableInfo table{group, 0, {}};
  std::vector<std::string> groups;
  for (const auto& name : file.children(group)) {
    const std::string path = path_in(group, name);
    if (path == "provenance" && contents == Contents::tables) continue;
    if (file.has(path)) {
      info.datasets.push_back(describe(file, path));
      if (is_column(info.datasets.back())) table.columns.push_back(info.datasets.back());
    } else if (file.has_group(path)) {
      groups.push_back(path);
    }
  }
  if (!table.columns.empty() && may_be_table(group)) {
    table.rows = table.columns.front().shape.rows;
    const bool equal = std::all_of(table.columns.begin(), table.columns.end(),
                                   [&](const auto& c) { return c.shape.rows == table.rows; });
    if (equal) info.tables.push_back(std::move(table));
  }
  for (const auto& path : groups) list_group(file, path, info, contents, level + 1);
}

/// The attributes of a group, and its datasets with one element.
TextPairs properties_of(const Hdf5Reader& file, const std::string& group) {
  TextPairs properties;
  if (!file.has_group(group)) return properties;
  properties = file.attributes(group);
  for (const auto& name : file.children(group)) {
    const std::string path = path_in(group, name);
    if (!file.has(path)) continue;
    const DatasetInfo dataset = describe(file, path);
    if (!dataset.readable || dataset.shape.rows * dataset.shape.columns != 1) continue;
    properties.emplace_back(name, read_cells(file, dataset, {0, 1}, Digits::exact)[0].text);
  }
  return properties;
}

/// Whether a group has a text of that name.
bool has_attribute(const Hdf5Reader& file, const std::string& group, std::string_view name) {
  if (!file.has_group(group) || !file.has_attribute(group, name)) return false;
  try {
    file.attribute(group, name);
  } catch (const IoError&) {
    return false;  // not a text: a file of another program
  }
  return true;
}

/// The kind of a file, see FileInfo::kind.
std::string kind_of(const Hdf5Reader& file) {
  for (const auto& [group, kind] :
       {std::pair{"checkpoint", "checkpoint"}, {"provenance", "results"}})
    if (has_attribute(file, group, "gsim_version")) return kind;
  // The attribute `version` of H5MD is numeric.
  if (file.has_group("h5md") && file.has_attribute("h5md", "version")) return "h5md";
  return "other";
}

std::vector<InputFileInfo> input_files_of(const std::vector<DatasetInfo>& datasets) {
  std::vector<InputFileInfo> files;
  for (const DatasetInfo& dataset : datasets) {
    if (!dataset.path.starts_with("provenance/input_files/") || !dataset.readable) continue;
    InputFileInfo file{
        dataset.name, {}, dataset.path, static_cast<Index>(dataset.shape.type.size())};
    for (const auto& [name, text] : dataset.attributes) {
      if (name == "name") file.name = text;
      if (name == "digest") file.digest = text;
    }
    files.push_back(std::move(file));
  }
  return files;
}

/// A damaged checkpoint is recognised by its name.
bool is_named_checkpoint(const std::string& path) {
  return path.find(".ckpt.") != std::string::npos && !path.ends_with(".partial");
}

/// Throws InputError if the checksums show damage, or are missing where one is required: HDF5 must
/// not parse such a file. Otherwise returns the result of the verification.
ChecksumResult refuse_damaged(const std::string& path) {
  ChecksumResult result = verify_checksums(Communicator::self(), path);
  if (result.kind == TrailerKind::checkpoint || is_named_checkpoint(path)) {
    if (const auto reason = damage_of_checkpoint(path))
      throw InputError(fmt::format("checkpoint {} {}; use the one before it", path, *reason));
  }
  if (!result.damage.empty())
    throw InputError(
        fmt::format("{} {}; its contents cannot be trusted: use a copy of it, or run again", path,
                    result.damage));
  return result;
}

/// The output for a checkpoint whose structure and contents are valid.
Inspection inspect_checkpoint(const std::string& path, InspectForm form, const std::string& table) {
  const VerifiedCheckpoint checkpoint = verify_checkpoint(Communicator::self(), path);
  if (!checkpoint.file)
    throw InputError(fmt::format("checkpoint {}; use the one before it", checkpoint.damage));
  return inspect_open_file(*checkpoint.file, form, table);
}

bool is_from_gsim(const Hdf5Reader& file, const FileInfo& info) {
  if (info.kind == "results" || info.kind == "checkpoint") return true;
  if (info.kind == "h5md" && creator_of(file).starts_with("gsim")) return true;
  return has_attribute(file, "gsim", "digest");
}

}  // namespace

std::vector<Cell> read_cells(const Hdf5Reader& file, const DatasetInfo& dataset, IndexRange rows,
                             Digits digits) {
  if (dataset.shape.type.is_string()) return string_cells(file, dataset, rows);
  switch (dataset.shape.type.element) {
    case ElementType::float64:
      return number_cells<double>(file, dataset, rows, digits);
    case ElementType::float32:
      return number_cells<float>(file, dataset, rows, digits);
    case ElementType::int64:
      return number_cells<std::int64_t>(file, dataset, rows, digits);
    case ElementType::uint64:
      return number_cells<std::uint64_t>(file, dataset, rows, digits);
    case ElementType::int32:
      return number_cells<std::int32_t>(file, dataset, rows, digits);
    case ElementType::uint32:
      return number_cells<std::uint32_t>(file, dataset, rows, digits);
    case ElementType::uint8:
      return number_cells<std::uint8_t>(file, dataset, rows, digits);
  }
  throw Error("internal error: unknown element type");
}

FileInfo summarize_file(const Hdf5Reader& file, Contents contents) {
  FileInfo info;
  info.path = file.path();
  info.bytes = file_size(file.path());
  info.kind = kind_of(file);
  if (contents == Contents::all) {
    info.attributes = file.attributes("/");
    info.provenance = properties_of(file, info.kind == "checkpoint" ? "checkpoint" : "provenance");
  }
  list_group(file, "/", info, contents);
  info.input_files = input_files_of(info.datasets);
  if (info.kind == "h5md") info.particles = summarize_particles(file);
  return info;
}

}  // namespace io

namespace io {

Inspection inspect_open_file(const Hdf5Reader& file, InspectForm form, const std::string& table) {
  const FileInfo info = summarize_file(file);
  Inspection result{{}, is_from_gsim(file, info)};
  result.text = form == InspectForm::text   ? to_text(file, info)
                : form == InspectForm::json ? to_json(file, info)
                                            : to_csv(file, info, table);
  return result;
}

namespace {

Inspection inspect_verified(const ChecksumResult& result, const std::string& path, InspectForm form,
                            const std::string& table) {
  if (result.kind == TrailerKind::checkpoint) return inspect_checkpoint(path, form, table);
  return inspect_open_file(Hdf5Reader(path), form, table);
}

std::string inspect(const std::string& path, InspectForm form, const std::string& table,
                    const WarningHandler& warn) {
  if (const std::string reason = regular_file_problem(path); !reason.empty())
    throw InputError(fmt::format("cannot inspect {}: {}", path, reason));
  const ChecksumResult checksums = refuse_damaged(path);
  try {
    if (checksums.kind) return inspect_verified(checksums, path, form, table).text;
    Inspection result = ReaderProcess(path).inspect(form, table);
    if (result.is_from_gsim && warn)
      warn(
          fmt::format("{} claims to be written by gsim but has no checksums: its end is damaged or "
                      "missing, and other parts may be, too (or an early gsim wrote it)",
                      path));
    return std::move(result.text);
  } catch (const IoError& error) {
    std::string reason = error.what();
    if (const std::string prefix = fmt::format("cannot read {}: ", path);
        reason.starts_with(prefix))
      reason.erase(0, prefix.size());
    throw InputError(fmt::format("cannot inspect {}: {}", path, reason));
  }
}

}  // namespace
}  // namespace io

std::string inspect_file(const std::string& path, bool json, const WarningHandler& warn) {
  return io::inspect(path, json ? io::InspectForm::json : io::InspectForm::text, "", warn);
}

std::string inspect_table(const std::string& path, const std::string& table,
                          const WarningHandler& warn) {
  return io::inspect(path, io::InspectForm::table, table, warn);
}

}  // namespace gsim
