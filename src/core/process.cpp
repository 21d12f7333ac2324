#include "gsim/core/process.hpp"

#include <fstream>
#include <sstream>

namespace gsim {

std::string process_start(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text, field;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');  // field 2, which may contain blanks
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  if (!(fields >> field) || field == "Z" || field == "X") return {};  // field 3, the state
  for (int number = 4; number <= 22; ++number)
    if (!(fields >> field)) return {};
  return field;
}

}  // namespace gsim
