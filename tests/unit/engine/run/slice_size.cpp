// Slices are whole multiples of the units that are computed at the same time.

#include "src/engine/run/slice_size.hpp"

#include <doctest/doctest.h>

#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::engine;
using namespace gsim::test_modules;

TEST_CASE("slices of units that are slower than the target hold one unit for each rank") {
  SliceSize slice(6, 0);
  CHECK(slice.next(0.7, 1000) == 6);
  for (int i = 0; i < 5; ++i) slice.update(6, 12.0);  // 2 s a unit
  CHECK(slice.next(0.7, 1000) == 6);
  CHECK(slice.next(0.01, 1000) == 6);
}

TEST_CASE("slices grow step by step, in multiples of the units at once") {
  SliceSize slice(6, 0);
  slice.update(6, 0.06);  // 100 units/s
  CHECK(slice.next(0.7, 1000) == 48);
  slice.update(48, 0.48);
  CHECK(slice.next(0.7, 1000) == 66);  // 70 units in the target
  CHECK(slice.next(0.1, 1000) == 6);   // little wall time is left
  CHECK(slice.units_per_second() == doctest::Approx(100));
}

TEST_CASE("a slice is extended to an evaluation point by up to a half of its time") {
  SliceSize slice(3, 0);
  slice.update(3, 0.3);
  slice.update(24, 2.4);  // 10 units/s
  CHECK(slice.next(0.6, 6) == 6);
  CHECK(slice.next(0.6, 7) == 6);  // a third part of the time of three units, for a single one
  CHECK(slice.next(1.2, 12) == 12);
  CHECK(slice.next(1.2, 13) == 13);
  CHECK(slice.next(1.2, 15) == 15);
  CHECK(slice.next(1.2, 16) == 12);
  CHECK(slice.next(0.3, 4) == 3);  // units that take long are not multiplied
  CHECK(slice.next(0.3, 3) == 3);
}

TEST_CASE("a size that the user sets is kept") {
  SliceSize slice(4, 7);
  slice.update(7, 1);
  CHECK(slice.next(0.01, 1000) == 7);
  CHECK(slice.next(100, 8) == 7);
}

TEST_CASE("a run of slow units stops after one unit of each rank and thread") {
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    const Index at_once = 2 * ranks;
    ScratchFolder scratch;
    std::vector<Index> ends;
    double time = 0;
    TestRun run{.config = "module = \"sampler\"\n[sampler]\nblocks = 40\nblock_samples = 10\n",
                .ranks = ranks,
                .threads = 2,
                .output = scratch / "out.h5"};
    run.clock = [&] { return time += 5; };
    run.interrupt = [&](Index done) {
      ends.push_back(done);
      return false;
    };
    run_test_module(run);
    Index done = 0;
    for (const Index end : ends) {
      CAPTURE(done);
      const Index evaluation = done < 8 ? 8 : done < 16 ? 16 : done < 32 ? 32 : 40;
      CHECK(end == std::min(done + at_once, evaluation));
      done = end;
    }
    CHECK(done == 40);
  }
}
