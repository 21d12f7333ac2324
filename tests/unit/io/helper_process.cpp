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

/// Answers numbers with their doubles; some numbers are its end.
Answer doubling() {
  static std::atomic<Index> calls;  // of this process; an endless loop has to do something
  calls = 0;
  return [](ByteStream request) {
    const Index number = request.take();
    ++calls;
    if (number == -1) throw InputError("a wrong number");
    if (number == -2) throw Error("no number");
    if (number == -3) std::raise(SIGSEGV);
    if (number == -4) std::abort();
    while (number == -5) ++calls;
    return ByteStream()
        .put(2 * number)
        .put(calls.load())
        .put("a text")
        .put(std::string(3'000'000, 'x'));
  };
}

}  // namespace

TEST_CASE("helper process: requests and answers, in one process") {
  HelperProcess helper("run.h5", 5, doubling);
  for (Index n = 1; n <= 3; ++n) {
    ByteStream answer = helper.ask(ByteStream().put(n));
    CHECK(answer.take() == 2 * n);
    CHECK(answer.take() == n);
    CHECK(answer.take_text() == "a text");
    CHECK(answer.take_text().size() == 3'000'000);
    CHECK_THROWS_AS(answer.take(), IoError);
  }
  CHECK_THROWS_WITH_AS(helper.ask(ByteStream().put(-1)), "a wrong number", InputError);
  CHECK_THROWS_WITH_AS(helper.ask(ByteStream().put(-2)), "no number", IoError);
  CHECK_THROWS_AS(helper.ask(ByteStream()), IoError);  // a request without a number
  CHECK(helper.ask(ByteStream().put(5)).take() == 10);
}

TEST_CASE("helper process: a crash, an abort and an endless loop are errors, then and later") {
  for (const auto& [number, words] : {std::pair{-3, "crashes on it"},
                                      {-4, "crashes on it"},
                                      {-5, "comes to no end with it in 1 s"}}) {
    HelperProcess helper("run.h5", 1, doubling);
    for (int again = 0; again < 2; ++again) {
      const std::string said = message_of([&] { helper.ask(ByteStream().put(number)); });
      CHECK(contains(said, "cannot read run.h5: it is damaged"));
      CHECK(contains(said, words));
    }
  }
}
