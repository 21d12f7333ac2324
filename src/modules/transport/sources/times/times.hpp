#pragma once
// Keys that distributions of start times have in common.

#include <memory>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/source_distribution.hpp"

namespace gsim::transport {

inline void optional_start(Section& s, double& start, const char* doc) {
  s.optional("start", start, {.doc = doc, .unit = "s"});
}
inline void required_time(Section& s, const char* key, double& value, const char* doc) {
  s.required(key, value, {.doc = doc, .unit = "s", .minimum = 0, .exclusive_minimum = true});
}

}  // namespace gsim::transport
