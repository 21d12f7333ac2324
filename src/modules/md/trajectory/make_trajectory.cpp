#include "src/modules/md/trajectory/make_trajectory.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/growing_file.hpp"
#include "src/modules/md/trajectory/dump_writer.hpp"
#include "src/modules/md/trajectory/h5md_writer.hpp"
#include "src/modules/md/trajectory/xyz_writer.hpp"

namespace gsim::md {

void check_trajectories(const std::vector<TrajectoryConfig>& list, const std::string& output) {
  for (const TrajectoryConfig& config : list) {
    const std::string path = config.path(output);
    if (config.format == TrajectoryFormat::h5md)
      check_growing_file(path);
    else if (std::filesystem::is_directory(path))
      throw InputError(fmt::format("{} is a folder; choose another `file`", path));
  }
}

std::vector<std::unique_ptr<Observer>> make_trajectories(const std::vector<TrajectoryConfig>& list,
                                                         const ObserverSetup& setup) {
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
