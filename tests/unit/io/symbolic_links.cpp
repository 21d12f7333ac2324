// Names that others can foresee, where somebody has put symbolic links to files of the user's: what
// the links name stays as it is.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/file_lock.hpp"
#include "gsim/io/growing_text.hpp"
#include "gsim/io/new_file.hpp"
#include "gsim/io/png_file.hpp"
#include "gsim/io/result_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kept = "what the user keeps";

/// A file of the user's, and links to it.
class Victim {
 public:
  explicit Victim(const ScratchFolder& folder) : folder_(folder), path_(folder / "victim") {
    std::ofstream(path_) << kept;
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

TEST_CASE("symbolic links: a new file takes the place of a link, not of what it names") {
  const ScratchFolder folder;
  const Victim victim(folder);
  victim.link("new");
  make_new_file(folder / "new");
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "new")));
  CHECK(fs::file_size(folder / "new") == 0);
  CHECK(victim.text() == kept);
  std::ofstream(folder / "new") << "left by an ended run";
  make_new_file(folder / "new");
  CHECK(fs::file_size(folder / "new") == 0);
  fs::create_directory(folder / "folder");
  CHECK_THROWS_AS(make_new_file(folder / "folder"), IoError);
  CHECK_THROWS_AS(make_new_file(folder / "no/such/folder"), IoError);
}

TEST_CASE(
    "symbolic links: results, checkpoints, texts and pictures overwrite nothing through them") {
  const ScratchFolder folder;
  const Victim victim(folder);
  for (const char* name : {"run.h5.partial", "run.ckpt.1.partial", "picture.png.partial"})
    victim.link(name);
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
  victim.link("frames.xyz.part1");
  victim.link("frames.xyz.part.1");
  GrowingText text(self, folder / "frames.xyz");
  text.start();
  text.append("frame\n");
  text.finish();
  CHECK(victim.text() == kept);
}

TEST_CASE("symbolic links: a lock is refused where a link stands") {
  const ScratchFolder folder;
  const Victim victim(folder);
  victim.link("run.h5.lock");
  CHECK_THROWS_WITH_AS(FileLock(folder / "run.h5"),
                       doctest::Contains("it is a symbolic link; remove it"), IoError);
  CHECK(victim.text() == kept);
}
