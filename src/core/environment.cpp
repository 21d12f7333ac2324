#include "gsim/core/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "gsim/core/error.hpp"

namespace gsim {

int positive_environment_number(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return 0;
  int value = 0;
  const char* last = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, last, value);
  GSIM_VALIDATE(error == std::errc() && end == last && value > 0,
                std::string(name) + "=" + text + " is not a positive integer",
                "correct or unset it");
  return value;
}

}  // namespace gsim
