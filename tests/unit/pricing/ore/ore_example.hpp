#pragma once
// Reads the configurations of examples/ore.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

namespace gsim::pricing::test {

/// The keys of the engine are read, too, and [exposure] where there is one.
inline PricingConfig read_file(const std::string& path) {
  ConfigFile file = ConfigFile::load(path);
  PricingConfig config;
  ExposureOptions exposure;
  const std::string module = file.peek_string("module");
  file.read([&](Section& top) {
    std::string text;
    Index seed = 0, samples = 0;
    double error = 0;
    top.optional("module", text, {});
    top.optional("seed", seed, {});
    top.optional_table(
        "stop",
        [&](Section& s) {
          s.optional("relative_error", error, {});
          s.optional("absolute_error", error, {});
          s.optional("samples", samples, {});
        },
        "");
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
    if (module == "exposure") describe_exposure(top, config, exposure);
  });
  return config;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A copy of examples/ore, or of another folder of examples.
class OreFolder {
 public:
  explicit OreFolder(const std::string& folder = "ore") {
    for (const auto& file : std::filesystem::directory_iterator(GSIM_EXAMPLES "/" + folder))
      std::filesystem::copy(file.path(), folder_.path() / file.path().filename());
  }

  /// Replaces the first occurrence of `from`, after the first one of `after`.
  void replace(const std::string& file, const std::string& from, const std::string& to,
               const std::string& after = {}) {
    std::string text = contents(folder_.path() / file);
    const std::size_t at = text.find(from, text.find(after));
    if (at == std::string::npos) throw std::runtime_error("there is no " + from);
    write(file, text.replace(at, from.size(), to));
  }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
  }

  /// Leaves one trade in the portfolio.
  void keep_trade(const std::string& id) const {
    const std::string all = text("portfolio.xml");
    const std::size_t first = all.find("<Trade id=\"" + id + "\"");
    const std::size_t end = all.find("</Trade>", first) + 8;
    write("portfolio.xml", "<Portfolio>" + all.substr(first, end - first) + "</Portfolio>\n");
  }

  std::string text(const std::string& file) const { return contents(folder_.path() / file); }

  PricingConfig read(const std::string& name = "ore.toml") const {
    return read_file(folder_ / name);
  }

  /// The error message without the folder; empty if there is no error.
  std::string error(const std::string& name = "ore.toml") const {
    try {
      read(name);
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string path = folder_.path().string() + "/";
      for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
        text.erase(at, path.size());
      return text;
    }
    return {};
  }

 private:
  gsim::test::ScratchFolder folder_;
};

}  // namespace gsim::pricing::test
