#pragma once
#include <deque>

#include "gsim/config/input_file.hpp"

namespace gsim::config_detail {

/// The files that are read by the sections of a ConfigFile.
class InputFiles {
 public:
  /// The file at `path`, which is read at the first call; the reference stays valid.
  const InputFile& open(const std::string& path);

  FileReader reader = read_input_file;
  std::deque<InputFile> opened;  ///< in the order of their reading, each once
};

}  // namespace gsim::config_detail
