#include "src/modules/md/trajectories/make_trajectory.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "gsim/io/backup_file.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/modules/md/trajectories/dump_writer.hpp"
#include "src/modules/md/trajectories/h5md_writer.hpp"
#include "src/modules/md/trajectories/xyz_writer.hpp"

namespace gsim::md {

namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

}  // namespace

void check_trajectories(const std::vector<TrajectoryConfig>& list, const std::string& output,
                        std::span<const std::string> others) {
  for (const TrajectoryConfig& config : list) {
    const std::string path = config.path(output);
    if (fs::is_directory(path))
      throw ConfigError(config.keys.location("file"), fmt::format("{} is a folder", path),
                        "choose another `file`");
    if (const std::string reason = why_not_writable(path); !reason.empty())
      throw ConfigError(config.keys.location("file"),
                        fmt::format("cannot write {}: {}", path, reason), "choose another `file`");
    for (const std::string& other : others)
      if (is_same_file(path, other))
        throw ConfigError(config.keys.location("file"),
                          fmt::format("the trajectory would overwrite {}", other),
                          "choose another `file`");
    if (config.format == TrajectoryFormat::h5md)
      locate_errors(config.keys.location("file"), [&] { check_replaceable(path); });
  }
}

std::vector<std::unique_ptr<Observer>> make_trajectories(const std::vector<TrajectoryConfig>& list,
                                                         const OutputSetup& setup) {
  std::vector<std::unique_ptr<Observer>> observers;
  for (const TrajectoryConfig& config : list) {
    const std::string name = fmt::format("trajectory/{}", observers.size() + 1);
    switch (config.format) {
      case TrajectoryFormat::h5md:
        observers.push_back(std::make_unique<H5mdWriter>(name, config, setup));
        break;
      case TrajectoryFormat::xyz:
        observers.push_back(std::make_unique<XyzWriter>(name, config, setup));
        break;
      case TrajectoryFormat::dump:
        observers.push_back(std::make_unique<DumpWriter>(name, config, setup));
        break;
    }
  }
  return observers;
}

}  // namespace gsim::md
