#pragma once
// What is said where no error can be thrown any more: when an exception leaves a destructor, and
// when the process crashes. Both name the plugins that are loaded, since the code may be theirs.

#include <string>

#include "gsim/comm/communicator.hpp"

namespace gsim::app {

/// As long as it lives, an exception that nobody can catch ends all ranks with one message and exit
/// code 1, and a crash is told before it takes its usual course (not where a debugger or sanitizer
/// handles it already). One at a time; the communicator must outlive it.
class LastWords {
 public:
  explicit LastWords(const Communicator& communicator);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  /// "heat 1.0, walkers 0.1"
  static void name_plugins(const std::string& plugins);
};

}  // namespace gsim::app
