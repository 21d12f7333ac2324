// Metadata of checkpoints for messages: their progress, and the keys in which configurations
// differ.

#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/checksum_trailer.hpp"

namespace gsim {

std::optional<CheckpointSummary> read_checkpoint_summary(const std::string& path) {
  try {
    const io::ChecksumResult result = io::check_structure(path);
    if (!result.damage.empty() || !result.kind) return {};
    const io::Hdf5Reader file(path);
    CheckpointSummary summary;
    summary.config_digest = file.attribute("checkpoint", "config_digest");
    summary.units_done = file.read_all<Index>("checkpoint/units_done").at(0);
    const std::string end = fmt::format("state/{}", is_final_path);
    summary.is_final = file.has(end) && file.read_all<Index>(end).at(0) != 0;
    return summary;
  } catch (const std::exception&) {  // errors are reported where the file is needed
    return {};
  }
}

namespace io {
namespace {

/// Values by dotted key. Elements of arrays of tables are numbered: "trade.2.strike".
std::map<std::string, std::string> values_in(const std::string& toml) {
  std::map<std::string, std::string> values;
  std::map<std::string, int> elements;
  std::string table;
  std::size_t at = 0;
  while (at < toml.size()) {
    std::size_t end = toml.find('\n', at);
    if (end == std::string::npos) end = toml.size();
    const std::string line = toml.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = line.find(" = ");
    if (line.starts_with("[[")) {
      const std::string name = line.substr(2, line.size() - 4);
      table = fmt::format("{}.{}", name, ++elements[name]);
    } else if (line.starts_with("[")) {
      table = line.substr(1, line.size() - 2);
    } else if (equals != std::string::npos) {
      const std::string key = line.substr(0, equals);
      values[table.empty() ? key : fmt::format("{}.{}", table, key)] = line.substr(equals + 3);
    }
  }
  return values;
}

std::string shortened(const std::string& value) {
  constexpr std::size_t max_length = 40;
  if (value.size() <= max_length) return value;
  std::size_t length = max_length;  // do not cut within a multi-byte character
  while (length > 0 && (static_cast<unsigned char>(value[length]) & 0xC0U) == 0x80U) --length;
  return value.substr(0, length) + "…";
}

}  // namespace

std::vector<std::string> differing_keys(const std::string& before, const std::string& now) {
  const auto values_before = values_in(before), values_now = values_in(now);
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_before) {
    const auto found = values_now.find(key);
    if (found == values_now.end())
      keys.push_back(fmt::format("{} ({}, now absent)", key, shortened(value)));
    else if (found->second != value)
      keys.push_back(
          fmt::format("{} ({}, now {})", key, shortened(value), shortened(found->second)));
  }
  for (const auto& [key, value] : values_now)
    if (!values_before.contains(key))
      keys.push_back(fmt::format("{} (absent, now {})", key, shortened(value)));
  return keys;
}

}  // namespace io
}  // namespace gsim
