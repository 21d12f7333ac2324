#pragma once
// Shows the progress of reading a long input file.

#include "gsim/engine/driver.hpp"

namespace gsim::app {

/// During its lifetime, reading that takes longer than two seconds is shown on stdout: on a
/// terminal as a line that is redrawn and erased at the end, with JSON as an event "reading" every
/// two seconds, elsewhere and with LogStyle::quiet not at all. One at a time in a process, on rank
/// 0 alone.
class ReadingDisplay {
 public:
  /// `is_printing`: whether this rank prints.
  ReadingDisplay(bool is_printing, LogStyle style);
  ~ReadingDisplay();
  ReadingDisplay(const ReadingDisplay&) = delete;
  ReadingDisplay& operator=(const ReadingDisplay&) = delete;
};

/// "reading trades.csv: 1.2 of 2.1 million rows".
std::string reading_text(const std::string& file, double done, double all);

}  // namespace gsim::app
