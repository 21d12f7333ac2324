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

TEST_CASE("secure file: the opened file is read even if another one has got its name") {
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

TEST_CASE("secure file: a change after opening is detected") {
  const ScratchFolder folder;
  write(folder / "a", "first");
  const SecureFile file("plugin", folder / "a");
  CHECK(file.is_unchanged());
  write(folder / "a", "longer than that");
  CHECK(!file.is_unchanged());
}

TEST_CASE("secure file: files that others may write to or replace are refused") {
  const ScratchFolder folder;
  const auto check_refused = [&](const std::string& path, const char* expected) {
    CHECK_THROWS_WITH_AS(SecureFile("plugin", path), doctest::Contains(expected), InputError);
  };
  write(folder / "a", "text");
  CHECK(::chmod((folder / "a").c_str(), 0646) == 0);
  check_refused(folder / "a", "everybody may write to plugin");
  CHECK(::chmod((folder / "a").c_str(), 0644) == 0);
  fs::create_directory(folder / "open");
  write(folder / "open/a", "text");
  CHECK(::chmod((folder / "open").c_str(), 0777) == 0);
  check_refused(folder / "open/a", "everybody may replace plugin");
  fs::create_symlink(folder / "open/a", folder / "link");
  check_refused(folder / "link", "everybody may replace plugin");
  check_refused(folder / "open/../a", "everybody may replace plugin");  // the path leads through it
  CHECK(::chmod((folder / "open").c_str(), 01777) == 0);
  CHECK(SecureFile("plugin", folder / "open/a").read() == "text");
  fs::create_symlink("loop", folder / "loop");
  check_refused(folder / "loop", "symbolic links");
  check_refused(folder / "none", "No such file");
  check_refused(folder.path().string(), "a folder, not a file");
  CHECK(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  check_refused(folder / "pipe", "not a regular file");
}

TEST_CASE("ELF files: sections are found in whole files only") {
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
