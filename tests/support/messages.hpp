#pragma once
// The messages of exceptions, in tests.

#include <functional>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim::test {

/// The message of the exception of type Expected that `body` throws; "no error" if it throws none.
template <class Expected = IoError>
std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gsim::test
