#include "output_files.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/io/backup_file.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::engine {
namespace {

namespace fs = std::filesystem;

void check_folder(const std::string& file) {
  const std::string reason = why_not_writable(file);
  GSIM_VALIDATE(reason.empty(), fmt::format("cannot write {}: {}", file, reason),
                "choose another place with --output");
}

/// The digest in the provenance of the results at `path`. Throws when there is none.
std::string digest_at(const std::string& path) {
  return ResultReader(Communicator::self(), path).attribute("provenance", "digest");
}

}  // namespace

void set_output_policy(const RunOptions& options, bool is_new) {
  const auto choice = static_cast<ExistingFile>(options.existing);
  set_existing_file_policy(choice == ExistingFile::refuse && !is_new ? ExistingFile::keep : choice);
}

void check_output(const RunOptions& options) {
  GSIM_VALIDATE(!fs::is_directory(options.output),
                fmt::format("the result file {} is a folder", options.output),
                "name a file in output.file");
  check_folder(options.output);
  check_folder(options.checkpoint_base);
  if (!fs::exists(options.output)) return;
  try {
    digest_at(options.output);
  } catch (const Error& error) {
    throw InputError(
        fmt::format("{} exists and holds no results of gsim; move it away, or choose another name "
                    "with --output ({})",
                    options.output, error.what()));
  }
}

void require_shared_folder(const Communicator& communicator, const std::string& path,
                           bool is_locked) {
  if (communicator.size() == 1 || !communicator.broadcast(is_locked)) return;
  const std::string root = communicator.broadcast(host_name());
  const std::string lock = path + ".lock";
  communicator.agree([&] {
    constexpr int tries = 30;  // a network file system may show a new file late
    for (int i = 0; i < tries; ++i) {
      std::error_code error;
      if (fs::exists(lock, error)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    throw InputError(
        fmt::format("rank {} (on {}) cannot find {}, which rank 0 (on {}) has created: the folder "
                    "is not shared by all ranks; choose a shared one with --output and "
                    "checkpoint.base",
                    communicator.rank(), host_name(), lock, root));
  });
}

std::string back_up_results(const std::string& path, std::uint64_t digest) {
  if (!fs::exists(path) || digest_at(path) == hex(digest)) return {};
  return back_up_file(path);
}

}  // namespace gsim::engine
