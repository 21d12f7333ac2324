#include "src/engine/reports/progress_line.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/text.hpp"

using namespace gsim::engine;

namespace {

/// 712 of 1000 estimates have converged; the worst one has a relative error of 4.1 %.
Progress example_progress() {
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

std::string progress_line(int width, bool colour = false) {
  return progress_bar(example_progress(), "path-steps", width, colour);
}

}  // namespace

TEST_CASE(
    "progress line: fraction, rate, converged estimates and remaining time are shown if they are "
    "known") {
  Progress p = example_progress();
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

TEST_CASE(
    "progress line: in narrow terminals the bar is shortened first, then facts are left out") {
  CHECK(
      progress_line(200) ==
      "  ━━━━━━━━━━━━━━━╸───────────────   50 %  1.12e8 path-steps/s  712 of 1000 converged, worst "
      "T00313 4.1 %  0:03 left");
  CHECK(progress_line(80) ==
        "  ━━━━━━━───────   50 %  712 of 1000 converged, worst T00313 4.1 %  0:03 left");
  CHECK(progress_line(60) == "  ━━━━━━━───────   50 %  712 of 1000 converged  0:03 left");
  CHECK(progress_line(40) == "  ━━━━━━━━╸────────   50 %  0:03 left");
  CHECK(progress_line(20) == "  ━━━━────   50 %");
  CHECK(progress_line(12) == " 50 %");
  CHECK(progress_line(5) == "");
  for (int width = 1; width < 250; ++width) {
    INFO(width);
    CHECK(gsim::display_width(progress_line(width)) < width);
    CHECK(gsim::display_width(progress_line(width, true)) ==
          gsim::display_width(progress_line(width)));
  }
}
