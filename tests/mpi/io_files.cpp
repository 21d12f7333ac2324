// Files written and read collectively by the ranks of an MPI launcher.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/io/hdf5/transfer_limit.hpp"
#include "support/file_size_limit.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

/// A folder that rank 0 creates and all ranks use.
class SharedFolder {
 public:
  explicit SharedFolder(const Communicator& c) : communicator_(c) {
    if (c.is_root()) folder_ = std::make_unique<test::ScratchFolder>();
    path_ = c.broadcast(folder_ ? folder_->path().string() : std::string());
  }
  ~SharedFolder() { communicator_.barrier(); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  Communicator communicator_;
  std::unique_ptr<test::ScratchFolder> folder_;
  std::string path_;
};

/// Values of three columns in the rows of a range: offset + 3 * row + column.
std::vector<std::int64_t> part(IndexRange range, std::int64_t offset) {
  std::vector<std::int64_t> values;
  for (Index i = range.first; i < range.last; ++i) {
    for (Index column = 0; column < 3; ++column) values.push_back(offset + 3 * i + column);
  }
  return values;
}

/// The rows that this rank writes. The last of several ranks writes none.
IndexRange rows_of_rank(const Communicator& c, Index rows) {
  if (c.size() == 1) return {0, rows};
  return c.rank() == c.size() - 1 ? IndexRange{rows, rows}
                                  : partition({0, rows}, c.size() - 1, c.rank());
}

void save(const Communicator& c, DatasetWriter& writer, Index rows, std::int64_t offset) {
  const IndexRange mine = rows_of_rank(c, rows);
  writer.write_rows<std::int64_t>("state/table", part(mine, offset), mine, rows, 3);
  writer.attribute("state/table", "unit", "µm");
  writer.write("offset", offset);
  writer.write_strings("names", std::vector<std::string>{"x", "", "Zürich"});
}

bool equals(const Communicator& c, DatasetReader& reader, Index rows, std::int64_t offset) {
  const IndexRange mine = partition({0, rows}, c.size(), c.rank());
  return reader.read_rows<std::int64_t>("state/table", mine) == part(mine, offset) &&
         reader.read_value<std::int64_t>("offset") == offset &&
         reader.read_strings("names") == std::vector<std::string>{"x", "", "Zürich"};
}

const CheckpointIdentity identity{"md", "0.1.0", "77"};

std::string checkpoint(const Communicator& c, const std::string& base, Index done, Index rows) {
  return write_checkpoint(c, base, identity, done,
                          [&](DatasetWriter& writer) { save(c, writer, rows, done); });
}

}  // namespace

TEST_CASE("a result file of MPI ranks can be read on all ranks and on one") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  const std::string path = folder / "results/run.h5";
  const std::size_t before =
      std::exchange(io::transfer_limit(), 5000);  // so that several MPI-IO calls are needed
  {
    ResultFile file(world, path);
    save(world, file, 1000, 7);
    file.commit();
  }
  io::transfer_limit() = before;
  ResultReader all(world, path);
  CHECK(equals(world, all, 1000, 7));
  ResultReader alone(Communicator::self(), path);
  CHECK(equals(Communicator::self(), alone, 1000, 7));
  CHECK(alone.attribute("state/table", "unit") == "µm");
  CHECK_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST_CASE("a checkpoint of several MPI ranks is read by one rank, and the reverse") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  const Index rows = 100'003;  // 2.3 MiB: three blocks of at most 1 MiB with a digest each
  CHECK(checkpoint(world, folder / "run", 5, rows) == folder / "run.ckpt.1");
  {
    const OpenCheckpoint alone = open_checkpoint(Communicator::self(), folder / "run", identity);
    CHECK(alone.units_done == 5);
    CHECK(alone.refused.empty());
    CHECK(equals(Communicator::self(), *alone.reader, rows, 5));
  }
  world.barrier();
  if (world.is_root()) checkpoint(Communicator::self(), folder / "run", 6, rows);
  world.barrier();
  const OpenCheckpoint all = open_checkpoint(world, folder / "run", identity);
  CHECK(all.path == folder / "run.ckpt.2");
  CHECK(all.units_done == 6);
  CHECK(equals(world, *all.reader, rows, 6));
}

TEST_CASE("without commit no file is left") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  {
    ResultFile file(world, folder / "run.h5");
    save(world, file, 50, 1);
  }
  world.barrier();
  CHECK_FALSE(std::filesystem::exists(folder / "run.h5.partial"));
  CHECK_FALSE(std::filesystem::exists(folder / "run.h5"));
}

TEST_CASE("when a file cannot be created, every rank throws an error with the reason") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  if (world.is_root()) std::filesystem::create_directory(folder / "folder.h5");
  const auto create = [&](const std::string& path) {
    return message_of([&] { ResultFile file(world, path); });
  };
  CHECK(contains(create(folder / "folder.h5"), "a folder of that name exists"));
  CHECK(contains(create("/proc/none/run.h5"), "cannot make folder /proc/none"));
}

TEST_CASE("a full disk is an error on every rank, and earlier checkpoints stay") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  checkpoint(world, folder / "run", 1, 1000);
  // Bytes: too few for HDF5's metadata, for which 1 MiB is reserved; for the table of 2.4 MB; and
  // for both together.
  for (const rlim_t limit : {100, 2'000'000, 3'400'000}) {
    const test::FileSizeLimit full(limit);
    const std::string error = message_of([&] { checkpoint(world, folder / "run", 2, 100'003); });
    CHECK(contains(error, "run.ckpt.2.partial"));
    CHECK(contains(error, "limit set on file sizes"));
  }
  world.barrier();
  CHECK_FALSE(std::filesystem::exists(folder / "run.ckpt.2.partial"));
  CHECK(open_checkpoint(world, folder / "run", identity).units_done == 1);
  checkpoint(world, folder / "run", 2, 100'003);
  CHECK(open_checkpoint(world, folder / "run", identity).units_done == 2);
}

TEST_CASE("frames of MPI ranks, resumed on one rank, form a complete joined file") {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  constexpr Index rows = 23;
  const auto run = [&](const Communicator& c, bool resumes, Index first, Index last) {
    const IndexRange mine = rows_of_rank(c, rows);
    SegmentedFile file(
        c, folder / "frames.h5",
        {{"value", ElementType::int64, {rows, 3}, mine}, {"step", ElementType::int64, {}}},
        {std::size_t{600}, std::size_t{1} << 20});
    resumes ? file.restore(*open_checkpoint(c, folder / "frames", identity).reader, "frames")
            : file.start();
    for (Index f = first; f < last; ++f) {
      const auto values = part(mine, f);
      const void* const frame[] = {values.data(), &f};
      file.append(frame);
    }
    if (!resumes) {
      write_checkpoint(c, folder / "frames", identity, 1,
                       [&](DatasetWriter& writer) { file.save(writer, "frames"); });
    } else {
      file.finish([](ObjectWriter& objects) {
        objects.set("h5md", "version", std::vector<Index>{1, 1});
        objects.set("h5md", "value", ObjectReference{"value"});
        objects.link("step_link", "step");
      });
    }
    return file.digest();
  };
  run(world, /*resumes=*/false, 0, 5);
  const auto digest = run(world, /*resumes=*/true, 5, 9);
  world.agree([&] {
    if (!world.is_root()) return;
    ResultReader file(Communicator::self(), folder / "frames.h5");
    const auto values = file.read<std::int64_t>("value");
    bool same = values.size() == 9 * rows * 3;
    for (Index f = 0; same && f < 9; ++f)
      same = std::equal(values.begin() + f * rows * 3, values.begin() + (f + 1) * rows * 3,
                        part({0, rows}, f).begin());
    CHECK(same);
    CHECK(file.read<Index>("step_link") == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    // A single rank that resumes from the same checkpoint gets the same digest.
    CHECK(run(Communicator::self(), /*resumes=*/true, 5, 9) == digest);
  });
}
