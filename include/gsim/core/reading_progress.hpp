#pragma once
// Progress of reading a long input file, passed from the module that reads its rows to the program
// that displays it. Configurations are read before there is a run that could report progress.

#include <cstdint>
#include <functional>
#include <string>

namespace gsim {

/// Number of rows read of one file.
struct ReadingProgress {
  std::string file;
  std::int64_t rows_done = 0, rows = 0;
};

/// Sets the function that report_reading() calls in this process; an empty function removes it.
void set_reading_observer(std::function<void(const ReadingProgress&)> observer);

/// To be called by readers after every few thousand rows, and with rows_done = rows at the end.
void report_reading(const ReadingProgress& progress);

}  // namespace gsim
