#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/engine/plugin.hpp"
#include "gsim/engine/plugin_loader.hpp"

namespace gsim {
namespace {

constexpr std::string_view mark = GSIM_PLUGIN_MARK, mark_end = GSIM_PLUGIN_MARK_END;
/// Longer than any fingerprint; the bytes of a file may be anything.
constexpr std::size_t max_characters = 4096;

/// The fields of `text`, which has a line "field=value" for each; empty if a line has another form.
std::vector<FingerprintField> parse_lines(std::string_view text) {
  std::vector<FingerprintField> fields;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return {};
    fields.push_back({std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
  }
  return fields;
}

}  // namespace

std::vector<FingerprintField> fingerprint_in(std::string_view bytes) {
  for (std::size_t at = bytes.find(mark); at != std::string_view::npos;
       at = bytes.find(mark, at + 1)) {
    const std::string_view text = bytes.substr(at + mark.size(), max_characters);
    const std::size_t end = text.find(mark_end);
    if (end == std::string_view::npos)
      continue;  // the mark without a fingerprint, as in libgsim itself
    auto fields = parse_lines(text.substr(0, end));
    if (!fields.empty()) return fields;
  }
  return {};
}

namespace {

const FingerprintField* find(const std::vector<FingerprintField>& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const FingerprintField& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

std::vector<FingerprintField> own_fingerprint() { return fingerprint_in(GSIM_PLUGIN_FINGERPRINT); }

std::vector<std::string> differences(const std::vector<FingerprintField>& theirs,
                                     const std::vector<FingerprintField>& ours) {
  std::vector<std::string> lines;
  for (const FingerprintField& own : ours) {
    const FingerprintField* other = find(theirs, own.name);
    if (other == nullptr) {
      lines.push_back(
          fmt::format("{}: not given by the plugin, this gsim has {}", own.name, own.value));
    } else if (other->value != own.value &&
               // A plugin that was built without CUDA also fits a gsim with CUDA.
               !(own.name == "CUDA" && other->value == "none")) {
      lines.push_back(fmt::format("{}: {}, this gsim has {}", own.name,
                                  escape_controls(other->value), own.value));
    }
  }
  for (const FingerprintField& other : theirs) {
    if (find(ours, other.name) == nullptr) {
      lines.push_back(fmt::format("{}: {}, which this gsim does not have",
                                  escape_controls(other.name), escape_controls(other.value)));
    }
  }
  return lines;
}

}  // namespace gsim
