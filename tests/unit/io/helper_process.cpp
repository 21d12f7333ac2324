#include "src/io/processes/helper_process.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::io;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

/// Replies to a number with twice the number; some negative numbers make it fail.
RequestHandler doubling_handler() {
  static std::atomic<Index> calls;  // an endless loop needs a side effect
  calls = 0;
  return [](ByteStream request) {
    const Index number = request.read_index();
    ++calls;
    if (number == -1) throw InputError("a wrong number");
    if (number == -2) throw Error("no number");
    if (number == -3) std::raise(SIGSEGV);
    if (number == -4) std::abort();
    while (number == -5) ++calls;
    return ByteStream()
        .write(2 * number)
        .write(calls.load())
        .write("a text")
        .write(std::string(3'000'000, 'x'));
  };
}

}  // namespace

TEST_CASE("helper process: one process answers several requests, and errors are passed on") {
  HelperProcess helper("run.h5", 5, doubling_handler);
  for (Index n = 1; n <= 3; ++n) {
    ByteStream answer = helper.request(ByteStream().write(n));
    CHECK(answer.read_index() == 2 * n);
    CHECK(answer.read_index() == n);
    CHECK(answer.read_text() == "a text");
    CHECK(answer.read_text().size() == 3'000'000);
    CHECK_THROWS_AS(answer.read_index(), IoError);
  }
  CHECK_THROWS_WITH_AS(helper.request(ByteStream().write(-1)), "a wrong number", InputError);
  CHECK_THROWS_WITH_AS(helper.request(ByteStream().write(-2)), "no number", IoError);
  CHECK_THROWS_AS(helper.request(ByteStream()), IoError);  // a request without a number
  CHECK(helper.request(ByteStream().write(5)).read_index() == 10);
}

TEST_CASE(
    "helper process: a crash, an abort and an endless loop are errors for this and later "
    "requests") {
  for (const auto& [number, expected] : {std::pair{-3, "crashes on it"},
                                         {-4, "crashes on it"},
                                         {-5, "does not finish within 1 s"}}) {
    HelperProcess helper("run.h5", 1, doubling_handler);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const std::string message = message_of([&] { helper.request(ByteStream().write(number)); });
      CHECK(contains(message, "cannot read run.h5: it is damaged"));
      CHECK(contains(message, expected));
    }
  }
}
