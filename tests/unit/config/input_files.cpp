// Tests of files that a configuration names: they are read once and stored, and errors are reported
// at their keys.

#include <filesystem>
#include <fstream>
#include <functional>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "gsim/config/input_file.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "src/config/input/gunzip.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A configuration in `folder` whose key `trades_file` names a file.
ConfigFile configuration(const ScratchFolder& folder, const std::string& file) {
  return ConfigFile::parse("seed = 1\ntrades_file = \"" + file + "\"\n", folder / "run.toml");
}

/// Reads the configuration and returns what `use` returns for the name of the file.
std::string read_by(
    ConfigFile& config,
    const std::function<std::string(const Section&, const std::string& name)>& use) {
  Index seed = 0;
  std::string file, result;
  config.read(validated(
      [&](Section& top) {
        top.required("seed", seed, {});
        top.required("trades_file", file, {});
      },
      [&](const Section& top) { result = use(top, file); }));
  return result;
}

/// Reads the configuration and returns the text of the file.
std::string read(ConfigFile& config) {
  return read_by(config, [](const Section& top, const std::string& name) {
    return top.input_file("trades_file", name).text;
  });
}

std::string error_message(ConfigFile config) {
  try {
    read(config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("an input file is searched in the folder of the configuration, and its text is stored") {
  const ScratchFolder folder;
  write(folder / "trades.csv", "id\r\nA\n\n");
  ConfigFile config = configuration(folder, "trades.csv");
  CHECK(read(config) == "id\r\nA\n\n");
  REQUIRE(config.input_files().size() == 1);
  CHECK(config.input_files()[0].path == folder / "trades.csv");
  CHECK(config.input_files()[0].text == "id\r\nA\n\n");
  CHECK(config.input_files()[0].problem == "");
}

TEST_CASE("an input file is read once, also if it changes later") {
  const ScratchFolder folder;
  write(folder / "trades.csv", "first");
  ConfigFile config = configuration(folder, "trades.csv");
  CHECK(read(config) == "first");
  write(folder / "trades.csv", "second");
  CHECK(read(config) == "first");
  CHECK(config.input_files().size() == 1);
  std::filesystem::remove(folder / "trades.csv");
  CHECK(read(config) == "first");
}

TEST_CASE("read_files_with() replaces reading from the disk") {
  const ScratchFolder folder;
  const InputFile given{folder / "trades.csv", "from rank 0", {}};
  ConfigFile config = configuration(folder, "trades.csv");  // this file does not exist
  config.read_files_with(reader_of({given}));
  CHECK(read(config) == "from rank 0");
  // If rank 0 could not read a file, no other rank can.
  ConfigFile config_of_missing = configuration(folder, "trades.csv");
  config_of_missing.read_files_with(
      reader_of({{folder / "trades.csv", {}, "trades.csv is missing"}}));
  CHECK(contains(error_message(std::move(config_of_missing)),
                 "run.toml:2:15: trades.csv is missing"));
  ConfigFile config_of_unread = configuration(folder, "other.csv");
  config_of_unread.read_files_with(reader_of({given}));
  CHECK_THROWS_WITH_AS(read(config_of_unread),
                       doctest::Contains("other.csv was not read on rank 0"), Error);
}

TEST_CASE("folders, special files and binary files are refused at their key") {
  const ScratchFolder folder;
  const auto message_for = [&](const std::string& name) {
    return error_message(configuration(folder, name));
  };
  CHECK(contains(message_for("none.csv"), "run.toml:2:15: no file " + (folder / "none.csv")));
  CHECK(contains(message_for("none.csv"), "relative names start in the folder"));
  CHECK(contains(message_for("."), "is a folder, not a file"));
  CHECK(contains(message_for("/dev/null"), "/dev/null is not a regular file"));
  REQUIRE(::mkfifo((folder / "pipe.csv").c_str(), 0600) == 0);
  CHECK(contains(message_for("pipe.csv"), "pipe.csv is not a regular file"));
  write(folder / "binary.csv", std::string("a\0b", 3));
  CHECK(contains(message_for("binary.csv"), "cannot be read: it is not a text file"));
  ConfigFile config = configuration(folder, "none.csv");
  CHECK_THROWS_AS(read(config), ConfigError);
  REQUIRE(config.input_files().size() ==
          1);  // stored, because a run can go on after skipped errors
  CHECK(contains(config.input_files()[0].problem, "no file"));
}

TEST_CASE("the digest of input files depends on their texts, not on their names") {
  const InputFile a{"a", "text", {}}, same_text{"b", "text", {}}, different{"a", "texts", {}};
  const InputFile empty{"a", {}, {}}, unread{"a", {}, "no file a"};
  const auto digest = [](const InputFile& file) { return digest_of(std::span(&file, 1)); };
  CHECK(digest_of({}) == 0);
  CHECK(digest(a) == digest(same_text));
  CHECK(digest(a) != digest(different));
  CHECK(digest(empty) != digest(unread));
}

TEST_CASE("gzip files are unpacked, with any file name") {
  const ScratchFolder folder;
  const std::string packed(
      "\037\213\010\000\000\000\000\000\002\003\313\114\341\162\344\002\000\371\220\144\342\005\000"
      "\000\000",
      25);  // "id\nA\n"
  write(folder / "trades.csv.gz", packed);
  ConfigFile config = configuration(folder, "trades.csv.gz");
  CHECK(read(config) == "id\nA\n");
  CHECK(config.input_files().at(0).text == "id\nA\n");
  write(folder / "trades.csv", packed + packed);  // a gzip file of two members
  ConfigFile two_members = configuration(folder, "trades.csv");
  CHECK(read(two_members) == "id\nA\nid\nA\n");
  const auto message_for = [&](const std::string& bytes) {
    write(folder / "bad.gz", bytes);
    return error_message(configuration(folder, "bad.gz"));
  };
  for (std::size_t cut = 2; cut < packed.size(); ++cut)
    CHECK(contains(message_for(packed.substr(0, cut)),
                   "bad.gz cannot be read: its gzip data end too early"));
  std::string damaged = packed;
  damaged[14] = static_cast<char>(damaged[14] ^ 0x20);
  CHECK(contains(message_for(damaged), "its gzip data are damaged ("));
  CHECK(contains(message_for(packed + "x"), "there are other bytes after its gzip data"));
  std::string text;
  CHECK(contains(config_detail::gunzip(packed, text, 4), "it unpacks to more than"));
  CHECK(config_detail::gunzip(packed, text, 5).empty());
}

TEST_CASE("input_hdf5() returns the path of an HDF5 file and stores no text") {
  const ScratchFolder folder;
  write(folder / "run.h5md", std::string("\x89HDF\r\n\x1a\n\0\0", 10));
  CHECK(contains(error_message(configuration(folder, "run.h5md")), "it is an HDF5 file"));
  const auto path_of = [&](const std::string& name, const FileReader& reader) {
    ConfigFile config = configuration(folder, name);
    if (reader) config.read_files_with(reader);
    const std::string path = read_by(config, [](const Section& top, const std::string& file) {
      return top.input_hdf5("trades_file", file);
    });
    CHECK(config.input_files().at(0).text.empty());
    return path;
  };
  CHECK(path_of("run.h5md", {}) == folder / "run.h5md");
  InputFile given = read_input_file(folder / "run.h5md");
  std::filesystem::remove(folder / "run.h5md");
  CHECK(path_of("run.h5md", reader_of({given})) == folder / "run.h5md");
  CHECK_THROWS_WITH_AS(path_of("run.h5md", {}), doctest::Contains("no file"), ConfigError);
  write(folder / "text", "HDF");
  CHECK_THROWS_WITH_AS(path_of("text", {}), doctest::Contains("is not an HDF5 file"), ConfigError);
}

TEST_CASE("input_path() returns the path of a binary file, compressed or not, and stores no text") {
  const ScratchFolder folder;
  write(folder / "list.mcpl", std::string("MCPL003L\0\0", 10));
  // The same, compressed by gzip.
  write(folder / "list.mcpl.gz",
        std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xf3\x75\x0e\xf0\x31"
                    "\x30\x30\xf6\x61\x60\x00\x00\xaf\xab\x19\x87\x0a\x00\x00\x00",
                    30));
  const auto path_of = [&](const std::string& name) {
    ConfigFile config = configuration(folder, name);
    const std::string path = read_by(config, [](const Section& top, const std::string& file) {
      return top.input_path("trades_file", file);
    });
    CHECK(config.input_files().at(0).text.empty());
    return path;
  };
  CHECK(path_of("list.mcpl") == folder / "list.mcpl");
  CHECK(path_of("list.mcpl.gz") == folder / "list.mcpl.gz");
  CHECK(contains(error_message(configuration(folder, "list.mcpl")), "it is not a text file"));
  write(folder / "text", "MCPL");
  CHECK_THROWS_WITH_AS(path_of("text"), doctest::Contains("is a text file"), ConfigError);
  CHECK_THROWS_WITH_AS(path_of("none"), doctest::Contains("no file"), ConfigError);
}
