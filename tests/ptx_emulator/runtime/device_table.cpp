#include "runtime/device_table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "runtime/settings.hpp"

namespace ptxemu {
namespace {

[[noreturn]] void reject(const std::string& setting_name, const std::string& why) {
  std::fprintf(stderr, "emulated GPU: %s %s\n", setting_name.c_str(), why.c_str());
  std::fflush(nullptr);
  std::_Exit(64);  // no exit handlers: they may use the runtime, which is being constructed
}

std::uint64_t number(const char* setting_name, const std::string& text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end != '\0' || text[0] == '-')
    reject(setting_name, "contains \"" + text + "\", which is not a number");
  return value;
}

/// The entry of a list for device `n` of `count`; a list of one entry is for all devices.
std::string entry(const char* setting_name, const std::vector<std::string>& list, std::size_t n,
                  std::size_t count) {
  if (list.size() != 1 && list.size() != count)
    reject(setting_name, "has " + std::to_string(list.size()) + " entries for " +
                             std::to_string(count) + " devices");
  return list[list.size() == 1 ? 0 : n];
}

/// Writes the bytes of "GPU-…" or "MIG-…"; returns whether the text has that form.
bool parse_uuid(const std::string& text, std::array<unsigned char, 16>& uuid) {
  if (text.size() != 40 || (text.rfind("GPU-", 0) != 0 && text.rfind("MIG-", 0) != 0)) return false;
  std::string digits;
  for (std::size_t n = 4; n < text.size(); ++n) {
    const bool dash = n == 12 || n == 17 || n == 22 || n == 27;
    if (dash ? text[n] != '-' : std::isxdigit(static_cast<unsigned char>(text[n])) == 0)
      return false;
    if (!dash) digits += text[n];
  }
  for (std::size_t n = 0; n < uuid.size(); ++n)
    uuid[n] = static_cast<unsigned char>(std::stoi(digits.substr(2 * n, 2), nullptr, 16));
  return true;
}

/// The compute capability that a text such as "8.6" states.
int capability(const std::string& text) {
  int major = 0, minor = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%2d.%1d%c", &major, &minor, &rest) != 2 || major < 5 || minor < 0)
    reject("PTXEMU_CAPABILITY", "contains \"" + text + "\", which is not of the form 9.0");
  return 10 * major + minor;
}

/// The number at the start of the text, as strtol() reads it; -1 if there is none.
long leading_number(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  return end == text.c_str() ? -1 : value;
}

/// The index in `all` of the device that an entry of CUDA_VISIBLE_DEVICES names; -1 if none or
/// several.
int find(const std::vector<DeviceDescription>& all, const std::string& text, bool by_uuid) {
  if (!by_uuid) {
    const long value = leading_number(text);
    return value >= 0 && value < static_cast<long>(all.size()) ? static_cast<int>(value) : -1;
  }
  int found = -1;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (!text.empty() && all[n].uuid_text.rfind(text, 0) == 0) {
      if (found >= 0) return -1;
      found = static_cast<int>(n);
    }
  return found;
}

}  // namespace

std::vector<DeviceDescription> devices_of_node() {
  const auto count = static_cast<std::size_t>(
      std::min<std::uint64_t>(number("PTXEMU_DEVICES", setting("PTXEMU_DEVICES", "1")), 64));
  const auto names = list_setting("PTXEMU_NAME", "Emulated GPU");
  const auto memories = list_setting("PTXEMU_MEMORY", std::to_string(std::uint64_t{8} << 30));
  const auto multiprocessors = list_setting("PTXEMU_MULTIPROCESSORS", "4");
  const auto capabilities = list_setting("PTXEMU_CAPABILITY", "9.0");
  const auto uuids = list_setting("PTXEMU_UUID", "");
  const auto is_listed = [](const char* setting_name, std::size_t n) {
    for (const std::string& text : list_setting(setting_name, ""))
      if (!text.empty() && number(setting_name, text) == n) return true;
    return false;
  };
  if (!uuids[0].empty() && uuids.size() != count)
    reject("PTXEMU_UUID", "does not have one entry for each device");
  std::vector<DeviceDescription> devices(count);
  for (std::size_t n = 0; n < count; ++n) {
    DeviceDescription& device = devices[n];
    device.number = static_cast<int>(n);
    device.name = entry("PTXEMU_NAME", names, n, count);
    device.memory = number("PTXEMU_MEMORY", entry("PTXEMU_MEMORY", memories, n, count));
    device.multiprocessors = static_cast<int>(number(
        "PTXEMU_MULTIPROCESSORS", entry("PTXEMU_MULTIPROCESSORS", multiprocessors, n, count)));
    device.capability = capability(entry("PTXEMU_CAPABILITY", capabilities, n, count));
    char default_uuid[41];
    std::snprintf(default_uuid, sizeof default_uuid, "GPU-e0e1e2e3-e4e5-e6e7-e8e9-eaebecedee%02x",
                  static_cast<unsigned>(n + 1));
    device.uuid_text = uuids[0].empty() ? default_uuid : uuids[n];
    if (!parse_uuid(device.uuid_text, device.uuid))
      reject("PTXEMU_UUID", "contains \"" + device.uuid_text +
                                "\", which is not of the form "
                                "GPU-00000000-0000-0000-0000-000000000000");
    device.unusable = is_listed("PTXEMU_FAIL_DEVICE", n);
    device.hides_properties = is_listed("PTXEMU_FAIL_PROPERTIES", n);
  }
  return devices;
}

std::vector<DeviceDescription> visible_devices(const std::vector<DeviceDescription>& all,
                                               const char* visible) {
  if (visible == nullptr) return all;
  const auto entries = split(visible);
  const bool by_uuid = entries[0].rfind("GPU-", 0) == 0 || entries[0].rfind("MIG-", 0) == 0;
  std::vector<DeviceDescription> selected;
  for (const std::string& text : entries) {
    const int n = find(all, text, by_uuid);
    if (n < 0) break;
    for (const DeviceDescription& earlier : selected)
      if (earlier.number == n) return {};
    selected.push_back(all[static_cast<std::size_t>(n)]);
  }
  return selected;
}

}  // namespace ptxemu
