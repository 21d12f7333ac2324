#pragma once
// Folders for files that a command needs only while it runs.

#include <filesystem>
#include <string>

namespace gsim::app {

/// An empty folder among the system's temporary files, which is removed with its contents.
class ScratchFolder {
 public:
  /// Its name begins with `prefix`. IoError if it cannot be created.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gsim::app
