#include "gsim/core/reading_progress.hpp"

#include <utility>

namespace gsim {
namespace {

std::function<void(const ReadingProgress&)>& observer() {
  static std::function<void(const ReadingProgress&)> current;
  return current;
}

}  // namespace

void set_reading_observer(std::function<void(const ReadingProgress&)> new_observer) {
  observer() = std::move(new_observer);
}

void report_reading(const ReadingProgress& progress) {
  if (observer()) observer()(progress);
}

}  // namespace gsim
