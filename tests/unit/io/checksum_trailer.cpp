#include "src/io/files/checksum_trailer.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::io;
using gsim::test::ScratchFolder;

namespace {

/// A file with a large dataset, whose contents have their own digest, and small ones.
void write_results(const Communicator& communicator, const std::string& path) {
  ResultFile file(communicator, path);
  std::vector<double> large(40'000);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = 0.1 * static_cast<double>(i);
  file.write("large", large);
  file.write("small", std::vector<double>{1, 2, 3});
  file.attribute("provenance", "text", "a text");
  file.commit();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("checksum trailer: a file is valid, and has the same bytes for any number of ranks") {
  const ScratchFolder folder;
  write_results(Communicator::self(), folder / "one.h5");
  run_in_process(3, [&](const Communicator& comm) {
    write_results(comm, folder / "three.h5");
    const ChecksumResult result = verify_checksums(comm, folder / "three.h5");
    CHECK(result.is_good());
    CHECK(result.kind == TrailerKind::file);
  });
  CHECK(bytes_of(folder / "one.h5") == bytes_of(folder / "three.h5"));
  CHECK(check_structure(folder / "one.h5").is_good());
}

TEST_CASE("checksum trailer: any changed byte is detected") {
  const ScratchFolder folder;
  write_results(Communicator::self(), folder / "run.h5");
  const std::string original = bytes_of(folder / "run.h5");
  const std::size_t contents = original.size() / 2;  // inside the large dataset
  // Every 2999th byte, and each of the last 3000, which contain the trailer.
  for (std::size_t at = 0; at < original.size(); at += at + 3000 < original.size() ? 2999 : 1) {
    std::string changed = original;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    write_bytes(folder / "changed.h5", changed);
    if (const ChecksumResult result = verify_checksums(Communicator::self(), folder / "changed.h5");
        result.is_good())
      FAIL("byte " << at << " of " << original.size());
  }
  std::string changed = original;
  changed[contents] = static_cast<char>(changed[contents] ^ 1);
  write_bytes(folder / "changed.h5", changed);
  CHECK(check_structure(folder / "changed.h5").is_good());  // HDF5 may open it
  run_in_process(2, [&](const Communicator& comm) {
    CHECK(verify_checksums(comm, folder / "changed.h5").damage ==
          "is damaged: its contents do not match their digest");
  });
}

TEST_CASE(
    "checksum trailer: files without a trailer, or with one of another kind, are recognised") {
  const ScratchFolder folder;
  write_bytes(folder / "empty", "");
  write_bytes(folder / "text", std::string(1000, 'x'));
  for (const char* name : {"empty", "text"}) {
    const ChecksumResult result = check_structure(folder / name);
    CHECK(!result.kind.has_value());
    CHECK(result.damage.empty());
  }
  CHECK(check_structure(folder / "none").damage == "is no file");
  write_results(Communicator::self(), folder / "run.h5");
  CHECK(damage_of_checkpoint(folder / "run.h5") == "is not a checkpoint, but another file of gsim");
  const std::string checkpoint = write_checkpoint(
      Communicator::self(), folder / "run", {"md", "0.1.0", "beef"}, 12, [](DatasetWriter& writer) {
        writer.write("x", std::vector<double>{1, 2});
      });
  CHECK(check_structure(checkpoint).kind == TrailerKind::checkpoint);
  CHECK(!damage_of_checkpoint(checkpoint).has_value());
}
