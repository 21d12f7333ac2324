// Predictable file names at which symbolic links to files of the user have been placed: the targets
// of the links remain unchanged.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/append_only_file.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/file_lock.hpp"
#include "gsim/io/format_file.hpp"
#include "gsim/io/new_file.hpp"
#include "gsim/io/png_file.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/io/segments/numbered_files.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* user_text = "what the user keeps";

/// A file of the user, and links to it.
class UserFile {
 public:
  explicit UserFile(const ScratchFolder& folder) : folder_(folder), path_(folder / "user_file") {
    std::ofstream(path_) << user_text;
  }
  void link(const std::string& name) const { fs::create_symlink(path_, folder_ / name); }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  const ScratchFolder& folder_;
  std::string path_;
};

}  // namespace

TEST_CASE("symbolic links: a new file replaces a link and not its target") {
  const ScratchFolder folder;
  const UserFile user_file(folder);
  user_file.link("new");
  make_new_file(folder / "new");
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "new")));
  CHECK(fs::file_size(folder / "new") == 0);
  CHECK(user_file.text() == user_text);
  std::ofstream(folder / "new") << "left by an ended run";
  make_new_file(folder / "new");
  CHECK(fs::file_size(folder / "new") == 0);
  fs::create_directory(folder / "folder");
  CHECK_THROWS_AS(make_new_file(folder / "folder"), IoError);
  CHECK_THROWS_AS(make_new_file(folder / "no/such/folder"), IoError);
}

TEST_CASE("symbolic links: results, checkpoints and pictures do not overwrite targets of links") {
  const ScratchFolder folder;
  const UserFile user_file(folder);
  for (const char* name : {"run.h5.partial", "run.ckpt.1.partial", "picture.png.partial"})
    user_file.link(name);
  const Communicator self = Communicator::self();
  ResultFile file(self, folder / "run.h5");
  file.write("value", 1.0);
  file.commit();
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "run.h5")));
  write_checkpoint(self, folder / "run", {"pricing", "0.1.0", "a"}, 3,
                   [](DatasetWriter& writer) { writer.write("value", 2.0); });
  CHECK(list_checkpoints(folder / "run").size() == 1);
  const std::vector<std::uint8_t> pixels(12, 7);
  write_png(folder / "picture.png", 2, 2, pixels);
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "picture.png")));
  CHECK(user_file.text() == user_text);
}

TEST_CASE("symbolic links: files that grow do not overwrite targets of links") {
  const ScratchFolder folder;
  const UserFile user_file(folder);
  const Communicator self = Communicator::self();
  const auto name_in_folder = [&](const std::string& path) {
    REQUIRE(path.starts_with(folder / ""));
    return path.substr((folder / "").size());
  };
  const std::string part = io::numbered_path(folder / "frames.xyz", "part", 1);
  user_file.link(name_in_folder(part));
  AppendOnlyFile text(self, folder / "frames.xyz");
  // Links with the names of parts 1 and 2 count as parts of an earlier run: the data go to part 3.
  user_file.link(name_in_folder(io::numbered_path(folder / "frames.xyz", "part", 2)));
  text.start();
  text.append("frame\n");
  text.finish();
  CHECK(user_file.text() == user_text);
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "frames.xyz")));

  // Appending to a finished file copies it to part 3 by way of a temporary file.
  user_file.link(name_in_folder(io::numbered_path(folder / "frames.xyz", "part", 3)) + ".partial");
  text.append("more\n");
  text.finish();
  CHECK(user_file.text() == user_text);

  const std::string segment = io::segment_path(folder / "run.h5md", 1);
  user_file.link(name_in_folder(segment) + ".partial");
  user_file.link("run.h5md.partial");
  SegmentedFile frames(self, folder / "run.h5md", {{"value", ElementType::float64, {}}});
  frames.start();
  const double value = 1;
  frames.append(std::vector<const void*>{&value});
  frames.finish([](ObjectWriter&) {});
  CHECK(user_file.text() == user_text);
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "run.h5md")));

  user_file.link("fields.vtkhdf.partial");
  FormatFile fields(self, folder / "fields.vtkhdf");
  fields.write_value("value", 1.0);
  fields.commit();
  CHECK(user_file.text() == user_text);
}

TEST_CASE(
    "symbolic links: a new part of an append-only file does not overwrite the target of a link") {
  const ScratchFolder folder;
  const UserFile user_file(folder);
  AppendOnlyFile text(Communicator::self(), folder / "frames.xyz");
  fs::create_symlink(folder / "user_file",
                     io::numbered_path(folder / "frames.xyz", "part", 1) + ".partial");
  text.start();
  text.append("frame\n");
  CHECK(
      fs::is_regular_file(fs::symlink_status(io::numbered_path(folder / "frames.xyz", "part", 1))));
  CHECK(user_file.text() == user_text);
}

TEST_CASE("symbolic links: a link in place of a lock is an error") {
  const ScratchFolder folder;
  const UserFile user_file(folder);
  user_file.link("run.h5.lock");
  CHECK_THROWS_WITH_AS(FileLock(folder / "run.h5"),
                       doctest::Contains("it is a symbolic link; remove it"), IoError);
  CHECK(user_file.text() == user_text);
}
