#include "src/app/status/run_status.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/app/status/failure_record.hpp"

using namespace gsim;
using namespace gsim::app;

namespace {

/// The status of a run on another machine, written at the time 1000.
std::string status_text(const std::string& state) {
  std::string text =
      "gsim_run_info{run=\"/a/b\",module=\"md\",host=\"far\",pid=\"12\",process_start=\"99\"} 1\n";
  for (const char* other : {"running", "finished", "failed"})
    text += "gsim_run_state{run=\"/a/b\",state=\"" + std::string(other) + "\"} " +
            (state == other ? "1\n" : "0\n");
  return text +
         "gsim_run_update_time_seconds{run=\"/a/b\"} 1000\n"
         "gsim_run_update_interval_seconds{run=\"/a/b\"} 2\n"
         "gsim_run_work_done{run=\"/a/b\",unit=\"step\"} 30\n"
         "gsim_run_largest_error_ratio{run=\"/a/b\",estimate=\"k, \\\"eff\\\"\"} 0.01\n"
         "gsim_run_energy_joules_total{run=\"/a/b\",source=\"cpu\"} 3600000\n"
         "gsim_run_energy_joules_total{run=\"/a/b\",source=\"gpu\"} 7200000\n";
}

}  // namespace

TEST_CASE("parse_status: what a status file says, and whether it is stale") {
  const RunStatus run = parse_status("night/melt.prom", status_text("running"), 1200);
  CHECK(run.name == "melt");
  CHECK(run.state == "running");
  CHECK(run.module == "md");
  CHECK(run.pid == 12);
  CHECK(run.work_done == 30);
  CHECK(run.unit == "step");
  CHECK(run.worst_estimate == "k, \"eff\"");
  CHECK(std::isnan(run.memory));
  CHECK(run.json().text().find("\"kwh\":3") != std::string::npos);
  CHECK(run.json().text().find("memory_bytes") == std::string::npos);
  const RunStatus silent = parse_status("melt.prom", status_text("running"), 1301);
  CHECK(silent.state == "stale");
  CHECK(silent.remark == "process 12 on far has written no status for 5.0 min");
  CHECK(parse_status("melt.prom", status_text("finished"), 1e9).state == "finished");
  CHECK(parse_status("x.prom", "other 1\n", 0).state.empty());
  CHECK_THROWS_WITH_AS(parse_status("x.prom", "other\n", 0), doctest::Contains("x.prom: line 1"),
                       InputError);
}

TEST_CASE("status_exit_code: failures first, then interruptions") {
  const auto code = [](const std::vector<std::string>& states) {
    std::vector<RunStatus> runs(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) runs[i].state = states[i];
    return status_exit_code(runs);
  };
  CHECK(code({"running", "finished"}) == 0);
  CHECK(code({"running", "interrupted"}) == 75);
  CHECK(code({"interrupted", "stale"}) == 1);
  CHECK(code({"failed"}) == 1);
}

TEST_CASE("failed_status: only a running run of the same process is changed") {
  const std::string text = status_text("running"), owner = "host=\"far\",pid=\"12\"";
  const std::string failed = failed_status(text, owner, "a \"NaN\"\nin step 3", 1234.5);
  const RunStatus run = parse_status("b.prom", failed, 1e9);
  CHECK(run.state == "failed");
  CHECK(run.remark == "a \"NaN\"\nin step 3");
  CHECK(run.updated == 1234.5);
  CHECK(run.work_done == 30);
  CHECK(failed_status(text, "host=\"far\",pid=\"1\"", "x", 1) == text);
  CHECK(failed_status(text, "host=\"near\",pid=\"12\"", "x", 1) == text);
  const std::string finished = status_text("finished");
  CHECK(failed_status(finished, owner, "x", 1) == finished);
  CHECK(failed_status("", owner, "x", 1).empty());
}
