#pragma once
// Progress of reading a long input file, from the module that reads its rows to the program that
// shows it: a configuration is read before there is a run that could report anything.

#include <cstdint>
#include <functional>
#include <string>

namespace gsim {

/// Rows of one file that have been read.
struct ReadingProgress {
  std::string file;
  std::int64_t rows_done = 0, rows = 0;
};

/// Sets what report_reading() calls in this process, nothing at first; an empty function ends that.
void set_reading_observer(std::function<void(const ReadingProgress&)> observer);

/// Readers call it every some thousand rows, and with rows_done = rows at the end.
void report_reading(const ReadingProgress& progress);

}  // namespace gsim
