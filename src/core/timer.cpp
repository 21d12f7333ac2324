#include "gsim/core/timer.hpp"

#include <algorithm>
#include <ctime>

namespace gsim {

void RegionTimer::charge() {
  if (!open_.empty()) regions_[open_.back()].second += since_change_.seconds();
  since_change_.restart();
}

void RegionTimer::enter(std::string_view region) {
  charge();
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const auto& r) { return r.first == region; });
  open_.push_back(static_cast<std::size_t>(found - regions_.begin()));
  if (found == regions_.end()) regions_.emplace_back(std::string(region), 0.0);
}

void RegionTimer::leave() {
  charge();
  open_.pop_back();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

}  // namespace gsim
