// gsim status: the states of runs, from the files that they keep up to date.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/json.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/core/timer.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/status/run_status.hpp"

namespace gsim::app {
namespace {

/// Whether a run may still change by itself.
bool is_any_running(const std::vector<RunStatus>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const RunStatus& run) {
    return run.state == "running" || run.state == "starting" || run.state == "waiting";
  });
}

std::string text_of(const std::vector<RunStatus>& runs, bool json, bool is_watching) {
  if (!json) return status_table(runs);
  Json list = Json::array();
  for (const RunStatus& run : runs) list.push(run.json());
  return list.text(is_watching ? -1 : 2) + "\n";
}

}  // namespace

int command_status(const Session& session) {
  if (!session.communicator.is_root()) return 0;
  const Arguments& a = session.arguments;
  const std::vector<std::string> places =
      a.files.empty() ? std::vector<std::string>{RunOptions::default_folder} : a.files;
  const bool in_place = a.watch > 0 && !a.json && can_redraw(STDOUT_FILENO);
  if (in_place) print_text("\x1b[2J");  // clears the screen
  while (true) {
    const std::vector<RunStatus> runs = read_runs(places);
    if (in_place) print_text("\x1b[H");  // to the upper left corner
    std::string text = text_of(runs, a.json, a.watch > 0);
    if (a.watch > 0 && !a.json) text.insert(0, utc_now() + "\n");
    if (in_place)  // clears what each line and the text before leave over
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4)
        text.insert(at, "\x1b[K");
    print_text(text);
    if (in_place) print_text("\x1b[J");
    std::fflush(stdout);
    if (a.watch <= 0 || !is_any_running(runs) || !output_problem().empty())
      return status_exit_code(runs);
    std::this_thread::sleep_for(std::chrono::duration<double>(a.watch));
  }
}

}  // namespace gsim::app
