// gsim report: results as one HTML page.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/io/replace_file.hpp"
#include "src/app/app.hpp"
#include "src/app/report/report.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// The result files that the arguments name: files, and those of folders by name, first that of a
/// batch. InputError for a folder without results.
std::vector<std::string> result_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code none;
    if (!fs::is_directory(argument, none)) {
      files.push_back(argument);
      continue;
    }
    std::vector<std::string> found;
    for (fs::directory_iterator at(argument, none), end; !none && at != end; at.increment(none))
      if (at->path().extension() == ".h5") found.push_back(at->path().string());
    if (found.empty()) throw InputError(fmt::format("{} holds no results (*.h5)", argument));
    std::sort(found.begin(), found.end());
    std::stable_partition(found.begin(), found.end(), [](const std::string& file) {
      return fs::path(file).filename() == "batch.h5";
    });
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The page beside the first argument: NAME.html for NAME.h5, FOLDER.html for a folder.
std::string default_output(const std::string& argument) {
  fs::path path = fs::path(argument).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (path.empty() || path == "." || path.filename() == "..") path = fs::canonical(argument);
  return path.extension() == ".h5" ? path.replace_extension(".html").string()
                                   : path.string() + ".html";
}

/// InputError if the page would replace results, or something that is no file.
void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("cannot write the page {}: {}; choose another file with --output",
                                 output, why));
  };
  std::error_code none;
  for (const std::string& input : inputs)
    if (fs::equivalent(input, output, none)) refuse("it is one of the results");
  if (fs::path(output).extension() == ".h5") refuse("a name with .h5 is one of results");
  if (fs::exists(output, none) && !fs::is_regular_file(output, none))
    refuse(fs::is_directory(output, none) ? "it is a folder" : "it is not a regular file");
}

}  // namespace

int command_report(const Session& session) {
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    const Arguments& a = session.arguments;
    const std::vector<std::string> files = result_files(a.files);
    const std::string output = a.output.empty() ? default_output(a.files.front()) : a.output;
    check_output(output, files);
    const std::string subject = a.files.size() == 1
                                    ? a.files.front()
                                    : count_of(static_cast<long long>(files.size()), "result");
    const std::string page =
        report_page(session, files, a.title.empty() ? subject : a.title, a.has_pictures);
    replace_file(output, page);
    print_out("{}: {}, {}, opens without a network\n", output,
              count_of(static_cast<long long>(files.size()), "result"),
              human_bytes(static_cast<double>(page.size())));
  });
  return 0;
}

}  // namespace gsim::app
