#include "src/engine/progress_line.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/log.hpp"

using namespace gsim::engine;

namespace {

const Progress half{.done = 50,
                    .fraction = 0.5,
                    .rate = 1.12e8,
                    .seconds_left = 3,
                    .worst_error = 0.00027,
                    .relative = true};

std::string bar(int width, bool colour = false) {
  return progress_bar(half, "path-steps", width, colour);
}

}  // namespace

TEST_CASE("progress says what is known") {
  CHECK(progress_facts(half, "path-steps") ==
        " 50 %  1.12e8 path-steps/s  worst error 0.00027  0:03 left");
  Progress p = half;
  p.relative = false;
  CHECK(progress_facts(p, "steps") ==
        " 50 %  1.12e8 steps/s  worst absolute error 0.00027  0:03 left");
  p.worst_error = p.seconds_left = std::numeric_limits<double>::infinity();
  CHECK(progress_facts(p, "steps") == " 50 %  1.12e8 steps/s");
  p.fraction = 0.999;
  p.rate = 0;
  CHECK(progress_facts(p, "steps") == " 99 %");
  p.fraction = 1;
  CHECK(progress_facts(p, "steps") == "100 %");
}

TEST_CASE("the bar gives way, then rate, error and time left") {
  CHECK(bar(200) ==
        "  ━━━━━━━━━━━━━━━╸───────────────   50 %  1.12e8 path-steps/s  worst error 0.00027  0:03 "
        "left");
  CHECK(bar(80) == "  ━━━━━━━╸───────   50 %  1.12e8 path-steps/s  worst error 0.00027  0:03 left");
  CHECK(bar(60) == "  ━━━━━━━━────────   50 %  worst error 0.00027  0:03 left");
  CHECK(bar(40) == "  ━━━━━━━━╸────────   50 %  0:03 left");
  CHECK(bar(20) == "  ━━━━────   50 %");
  CHECK(bar(12) == " 50 %");
  CHECK(bar(5) == "");
  for (int width = 1; width < 250; ++width) {
    INFO(width);
    CHECK(gsim::display_width(bar(width)) < width);
    CHECK(gsim::display_width(bar(width, true)) == gsim::display_width(bar(width)));
  }
}
