#pragma once
#include <deque>

#include "gsim/config/input_file.hpp"

namespace gsim::config_detail {

/// What a ConfigFile's sections read besides it.
class InputFiles {
 public:
  /// The file at `path`, read when it is asked for first; the reference stays valid.
  const InputFile& open(const std::string& path);

  FileReader reader = read_input_file;
  std::deque<InputFile> opened;  ///< in the order of their reading, each once
};

}  // namespace gsim::config_detail
