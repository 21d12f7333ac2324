#pragma once
// The report of a process at exit: counts of kernels and of calls to the runtime.

#include <string>

#include "runtime/device.hpp"

namespace ptxemu {

/// The report as text, one paragraph for each kernel.
std::string report_text(const Runtime& runtime);
/// The report as one JSON object; scripts/gpu_model reads it.
std::string report_json(const Runtime& runtime);
/// The file of the setting PTXEMU_REPORT: %p is replaced by the number of the process, %r by its
/// rank in MPI (0 without MPI).
std::string report_file(const std::string& setting);

}  // namespace ptxemu
