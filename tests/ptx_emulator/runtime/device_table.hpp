#pragma once
// The devices of the emulated node, as environment variables describe them, and those that are
// visible to the process.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ptxemu {

struct DeviceDescription {
  int number = 0;  ///< in the node, counted from 0
  std::string name;
  std::uint64_t memory = 0;  ///< bytes
  int multiprocessors = 0;
  int capability = 90;  ///< compute capability: 10 times its major number, plus its minor number
  std::array<unsigned char, 16> uuid = {};
  std::string uuid_text;          ///< "GPU-…" or "MIG-…", 40 characters
  bool unusable = false;          ///< calls that use the device fail
  bool hides_properties = false;  ///< cudaGetDeviceProperties and cudaDeviceGetAttribute fail
};

/// All devices of the node. A setting that cannot be understood ends the process with a message.
std::vector<DeviceDescription> devices_of_node();

/// The devices that a value of CUDA_VISIBLE_DEVICES selects, in its order. The value is a list of
/// numbers, or of UUIDs or unambiguous first characters of UUIDs, separated by commas. The list
/// ends before the first entry that names no device; a device that is named twice hides all.
std::vector<DeviceDescription> visible_devices(const std::vector<DeviceDescription>& all,
                                               const char* visible);

}  // namespace ptxemu
