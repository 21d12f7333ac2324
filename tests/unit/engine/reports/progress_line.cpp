#include "src/engine/reports/progress_line.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/text.hpp"

using namespace gsim::engine;

namespace {

/// 712 of 1000 estimates have converged; the worst one has a relative error of 4.1 %.
Progress half_way() {
  Progress p;
  p.done = 50;
  p.fraction = 0.5;
  p.rate = 1.12e8;
  p.seconds_left = 3;
  p.has_targets = true;
  p.evaluation.judged = 1000;
  p.evaluation.converged = 712;
  p.evaluation.worst = {.name = "T00313", .error = 0.041, .is_relative = true, .excess = 4.1};
  return p;
}

std::string bar(int width, bool colour = false) {
  return progress_bar(half_way(), "path-steps", width, colour);
}

}  // namespace

TEST_CASE("progress shows what is known") {
  Progress p = half_way();
  CHECK(progress_facts(p, "path-steps") ==
        " 50 %  1.12e8 path-steps/s  712 of 1000 converged, worst T00313 4.1 %  0:03 left");
  p.evaluation.worst.is_relative = false;
  CHECK(progress_facts(p, "steps") ==
        " 50 %  1.12e8 steps/s  712 of 1000 converged, worst T00313 0.041  0:03 left");
  p.evaluation.worst.name = "a\x1b[2Jxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  CHECK(
      progress_facts(p, "steps") ==
      " 50 %  1.12e8 steps/s  712 of 1000 converged, worst a\\x1b[2Jxxxxxxxxxxx… 0.041  0:03 left");
  p.evaluation.worst.error = p.seconds_left = std::numeric_limits<double>::infinity();
  CHECK(progress_facts(p, "steps") == " 50 %  1.12e8 steps/s  712 of 1000 converged");
  p.has_targets = false;  // without targets, errors are shown but no converged estimates
  CHECK(progress_facts(p, "steps") == " 50 %  1.12e8 steps/s");
  p.evaluation.worst = {.name = "k", .error = 0.00052, .is_relative = true, .excess = 0.00052};
  CHECK(progress_facts(p, "steps") == " 50 %  1.12e8 steps/s  worst k 0.052 %");
  p.has_targets = true;
  p.evaluation.judged = 1;
  CHECK(progress_facts(p, "steps") == " 50 %  1.12e8 steps/s  worst k 0.052 %");
  p.evaluation = {};
  p.fraction = 0.999;
  p.rate = 0;
  CHECK(progress_facts(p, "steps") == " 99 %");
  p.fraction = 1;
  CHECK(progress_facts(p, "steps") == "100 %");
}

TEST_CASE("the bar gives way, then rate, worst error, converged estimates and time left") {
  CHECK(
      bar(200) ==
      "  ━━━━━━━━━━━━━━━╸───────────────   50 %  1.12e8 path-steps/s  712 of 1000 converged, worst "
      "T00313 4.1 %  0:03 left");
  CHECK(bar(80) == "  ━━━━━━━───────   50 %  712 of 1000 converged, worst T00313 4.1 %  0:03 left");
  CHECK(bar(60) == "  ━━━━━━━───────   50 %  712 of 1000 converged  0:03 left");
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
