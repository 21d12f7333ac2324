#include "skeleton.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "plugin_name.hpp"
#include "src/app/input/shared_files.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// "lattice_gas" -> "LatticeGas".
std::string camel_case(const std::string& name) {
  std::string out;
  bool at_word_start = true;
  for (const char c : name) {
    if (c == '_') {
      at_word_start = true;
      continue;
    }
    out += at_word_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    at_word_start = false;
  }
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// `text` with the skeleton's name replaced by the new name.
std::string renamed(const std::string& text, const std::string& name) {
  return replaced(replaced(text, "skeleton", name), "Skeleton", camel_case(name));
}

void copy(const fs::path& from, const fs::path& to, const std::string& name) {
  std::ifstream in(from, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw IoError(fmt::format("{} cannot be read", from.string()));
  fs::create_directories(to.parent_path());
  std::ofstream out(to, std::ios::binary);
  out << renamed(text, name);
  out.close();
  if (!out) throw IoError(fmt::format("{} cannot be written", to.string()));
}

/// Copies the files of a folder into that of the plugin, and adds their paths to `files`.
void copy_folder(const fs::path& source, const std::string& name, std::vector<std::string>& files) {
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    const fs::path to = fs::path(name) / renamed(fs::relative(entry.path(), source).string(), name);
    copy(entry.path(), to, name);
    files.push_back(to.string());
  }
}

/// Kinds that define a module: they share build files and registration.
bool is_module(const std::string& kind) {
  return kind == "module" || kind == "grid" || kind == "particles";
}

}  // namespace

const std::vector<std::string>& plugin_kinds() {
  static const std::vector<std::string> kinds{"module", "grid",      "particles",
                                              "payoff", "potential", "source"};
  return kinds;
}

std::vector<std::string> write_skeleton(const std::string& kind, const std::string& name,
                                        const Registry& registry) {
  const std::string problem = name_problem(kind, name, registry);
  GSIM_VALIDATE(problem.empty(),
                fmt::format("the name `{}` of the plugin {}", excerpt(name), problem),
                "choose another name of small letters, digits and _");
  GSIM_VALIDATE(!fs::exists(name), fmt::format("{} exists", name), "choose another name");
  const fs::path skeletons = find_shared("skeletons", "examples/plugins/skeletons");
  std::vector<std::string> files;
  try {
    copy_folder(skeletons / kind, name, files);
    if (is_module(kind)) copy_folder(skeletons / "shared/module", name, files);
  } catch (const fs::filesystem_error& e) {
    fs::remove_all(name);
    throw IoError(fmt::format("plugin {} cannot be written: {}", name, e.code().message()));
  } catch (...) {
    fs::remove_all(name);
    throw;
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace gsim::app
