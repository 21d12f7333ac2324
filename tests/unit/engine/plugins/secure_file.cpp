#include "src/engine/plugins/secure_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "src/engine/plugins/plugin_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using engine::SecureFile;
using gsim::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST_CASE("trusted files: what was opened is what is read, whatever takes its name") {
  const ScratchFolder folder;
  write(folder / "a", "first");
  fs::create_symlink("a", folder / "link");
  const SecureFile file("plugin", folder / "link");
  fs::remove(folder / "a");
  write(folder / "a", "second");
  CHECK(file.read() == "first");
  std::ifstream named(file.name());
  CHECK(std::string(std::istreambuf_iterator<char>(named), {}) == "first");
}

TEST_CASE("trusted files: a change after the opening shows") {
  const ScratchFolder folder;
  write(folder / "a", "first");
  const SecureFile file("plugin", folder / "a");
  CHECK(file.is_unchanged());
  write(folder / "a", "longer than that");
  CHECK(!file.is_unchanged());
}

TEST_CASE("trusted files: those that others may write to, or replace, are refused") {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& path, const char* words) {
    CHECK_THROWS_WITH_AS(SecureFile("plugin", path), doctest::Contains(words), InputError);
  };
  write(folder / "a", "text");
  CHECK(::chmod((folder / "a").c_str(), 0646) == 0);
  refused(folder / "a", "everybody may write to plugin");
  CHECK(::chmod((folder / "a").c_str(), 0644) == 0);
  fs::create_directory(folder / "open");
  write(folder / "open/a", "text");
  CHECK(::chmod((folder / "open").c_str(), 0777) == 0);
  refused(folder / "open/a", "everybody may replace plugin");
  fs::create_symlink(folder / "open/a", folder / "link");
  refused(folder / "link", "everybody may replace plugin");
  refused(folder / "open/../a", "everybody may replace plugin");  // the path leads through it
  CHECK(::chmod((folder / "open").c_str(), 01777) == 0);
  CHECK(SecureFile("plugin", folder / "open/a").read() == "text");
  fs::create_symlink("loop", folder / "loop");
  refused(folder / "loop", "symbolic links");
  refused(folder / "none", "No such file");
  refused(folder.path().string(), "a folder, not a file");
  CHECK(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  refused(folder / "pipe", "not a regular file");
}

TEST_CASE("plugin files: sections of an ELF file are found, and nothing in other bytes") {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string program(std::istreambuf_iterator<char>(self), {});
  CHECK(engine::is_whole_elf(program));
  const auto text = engine::elf_section(program, ".interp");
  REQUIRE(text.has_value());
  CHECK(text->starts_with("/lib"));
  CHECK(!engine::elf_section(program, "gsim_plugin").has_value());
  CHECK(!engine::elf_section(program.substr(0, program.size() / 2), ".interp").has_value());
  CHECK(!engine::is_whole_elf(program.substr(0, program.size() / 2)));
  for (const std::size_t size : {0, 4, 63, 64})
    CHECK(!engine::elf_section(program.substr(0, size), ".interp").has_value());
}
