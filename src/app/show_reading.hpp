#pragma once
// Shows how far the reading of a long input file has come.

#include "gsim/engine/driver.hpp"

namespace gsim::app {

/// While it lives, reading that takes longer than two seconds is shown on stdout: on a terminal as
/// a line that is redrawn and erased at the end, with JSON as an event "reading" every two seconds,
/// elsewhere and with LogStyle::quiet not at all. One at a time in a process, on rank 0 alone.
class ShowReading {
 public:
  /// `speaks`: whether this rank is the one that shows it.
  ShowReading(bool speaks, LogStyle style);
  ~ShowReading();
  ShowReading(const ShowReading&) = delete;
  ShowReading& operator=(const ShowReading&) = delete;
};

/// "reading trades.csv: 1.2 of 2.1 million rows".
std::string reading_in_words(const std::string& file, double done, double all);

}  // namespace gsim::app
