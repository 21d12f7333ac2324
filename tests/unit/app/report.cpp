#include "src/app/report/report.hpp"

#include <doctest/doctest.h>

using namespace gsim::app;

TEST_CASE("base64: the examples of RFC 4648, section 10, and bytes above 127") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe\xfd") == "//79");
}
