#include "gsim/core/wait_time.hpp"

namespace gsim {
namespace {

thread_local int open = 0;
thread_local double seconds = 0;

}  // namespace

WaitScope::WaitScope() { ++open; }
WaitScope::~WaitScope() {
  if (--open == 0) seconds += watch_.seconds();
}

double seconds_waited() { return seconds; }

}  // namespace gsim
