#include "batch_arguments.hpp"

#include <filesystem>
#include <vector>

#include "gsim/core/toml_string.hpp"

namespace gsim::app {
namespace {

CLI::App* add_action(CLI::App* batch, Arguments& a, const std::string& name,
                     const std::string& text) {
  CLI::App* action = batch->add_subcommand(name, text);
  action->callback([&a, name] { a.action = name; });
  const bool takes_folder = name == "status" || name == "logs" || name == "cancel";
  action
      ->add_option(takes_folder ? "BATCH" : "MANIFEST", a.config,
                   takes_folder ? "TOML file with the tasks, or the folder of their results"
                                : "TOML file with the tasks")
      ->required()
      ->check(not_empty());
  action->add_option("--folder", a.folder, "Overrides `folder`, that of results and logs")
      ->check(not_empty())
      ->type_name("DIR");
  return action;
}

/// An option that overrides a key of the manifest: a number, or a text.
void add_override(CLI::App* action, Arguments& a, const std::string& name, const std::string& key,
                  const std::string& type, const std::string& text) {
  const bool is_text = type != "N" && type != "GB";
  action
      ->add_option_function<std::string>(
          name,
          [&a, key, is_text](const std::string& value) {
            a.set.push_back(key + "=" + (is_text ? toml_string(value) : value));
          },
          text)
      ->type_name(type)
      ->check(not_empty());
}

void add_run(CLI::App* batch, Arguments& a, std::string& resume, std::string& log) {
  CLI::App* run = add_action(batch, a, "run", "Run the tasks, here and now");
  run->add_flag("--resume{yes}", resume, "Go on where a batch stopped; =auto: if it began")
      ->option_text("[=auto]");
  add_override(run, a, "--cores", "cores", "N", "Overrides `cores`");
  add_override(run, a, "--gpus", "gpus", "N", "Overrides `gpus`");
  add_override(run, a, "--launcher", "launcher", "COMMAND", "Overrides `launcher`");
  run->add_option_function<std::string>(
         "--hosts",
         [&a](const std::string& file) {  // relative to this folder, not to the manifest
           a.set.push_back("hosts=" + toml_string(std::filesystem::absolute(file).string()));
         },
         "Overrides `hosts`")
      ->type_name("FILE")
      ->check(not_empty());
  run->add_option("--part", a.part, "Run every Nth task alone, from the Kth on; then collect")
      ->type_name("K/N")
      ->check(not_empty());
  run->add_flag("-q,--quiet", a.quiet, "Print warnings and errors only");
  run->add_option("--log", log, "auto: one line on a terminal, else lines")
      ->check(one_of({"auto", "plain", "json"}))
      ->type_name("auto|plain|json");
  add_example(
      run,
      "gsim batch run night.toml --resume=auto\n\n"
      "Exit codes: 0 all tasks are done, 1 some failed, 75 stopped (run again with --resume),\n"
      "2 bad input. SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 stop the tasks with checkpoints; then\n"
      "Ctrl-C (SIGINT) ends them at once.");
}

void add_submit(CLI::App* batch, Arguments& a) {
  CLI::App* submit = add_action(batch, a, "submit", "Submit the tasks as a job of a cluster");
  CLI::Option* kubernetes =
      submit->add_flag("--kubernetes", a.kubernetes, "For the MPI operator of Kubernetes");
  submit
      ->add_flag_callback(
          "--slurm", [&a] { a.kubernetes = false; }, "For Slurm (default)")
      ->excludes(kubernetes);
  CLI::Option* dry_run =
      submit->add_flag("--dry-run", a.dry_run, "Print what would be submitted, and submit nothing");
  submit->add_option("--output", a.output, "Write it to this file, and submit nothing")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(dry_run);
  add_override(submit, a, "--name", "submit.name", "NAME", "Name of the job");
  add_override(submit, a, "--partition", "submit.partition", "NAME", "Slurm: partition");
  add_override(submit, a, "--account", "submit.account", "NAME", "Slurm: account");
  add_override(submit, a, "--time", "submit.time", "TIME", "Time limit: \"4 h\"");
  add_override(submit, a, "--grace", "submit.grace", "TIME",
               "Time for checkpoints before the limit");
  add_override(submit, a, "--nodes", "submit.nodes", "N", "Number of nodes");
  add_override(submit, a, "--cores", "submit.cores", "N", "Processors of each node");
  add_override(submit, a, "--gpus", "submit.gpus", "N", "GPUs of each node");
  add_override(submit, a, "--memory", "submit.memory", "GB", "Memory of each node");
  add_override(submit, a, "--array", "submit.array", "N",
               "A job array with N tasks in each element; 0: one job");
  add_override(submit, a, "--image", "submit.kubernetes.image", "IMAGE",
               "Kubernetes: container image");
  submit->add_flag_callback(
      "--no-requeue", [&a] { a.set.push_back("submit.requeue=false"); },
      "Do not queue again what is stopped before its end");
  submit
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [&a](const std::vector<std::string>& words) {
            a.set.insert(a.set.end(), words.begin(), words.end());
          },
          "Override a key of the manifest: submit.options=['--qos=high']")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  add_example(
      submit,
      "gsim batch submit night.toml --time '4 h' --dry-run\n"
      "  gsim batch submit night.toml --kubernetes --output night.yaml\n\n"
      "The options override [submit] of the manifest; memory is forecast where it is not given.\n"
      "Exit codes: 0 submitted, 1 the batch system refused, 2 bad input.");
}

void add_status(CLI::App* batch, Arguments& a) {
  CLI::App* status = add_action(batch, a, "status", "Print the state of each task");
  status->add_flag("--json", a.json, "One JSON object");
  add_example(
      status,
      "gsim batch status results/night\n\n"
      "Exit codes: 0 all tasks are done or on their way, 1 some failed, 75 stopped (go on with\n"
      "--resume), 2 bad input.");

  CLI::App* logs = add_action(batch, a, "logs", "Print what a task printed");
  logs->add_option("TASK", a.name, "Name of the task")->required()->check(not_empty());
  logs->add_flag("-f,--follow", a.follow, "Go on until the task ends");
  add_example(logs, "gsim batch logs night.toml stress.3 -f");

  CLI::App* cancel = add_action(batch, a, "cancel", "Stop the tasks, wherever they run");
  cancel->add_flag("--now", a.now, "Slurm: end the job within its KillWait time (30 s by default)");
  add_example(
      cancel,
      "gsim batch cancel results/night\n\n"
      "Running tasks end at checkpoints, from which `gsim batch run --resume` or `gsim batch\n"
      "submit` goes on. Exit codes: 0 cancelled, 1 the batch system refused, 2 nothing to cancel.");
}

}  // namespace

void add_batch(CLI::App& top, Arguments& a, std::string& resume, std::string& log) {
  CLI::App* batch = top.add_subcommand("batch", "Run many configurations, here or on a cluster");
  batch->require_subcommand(1);
  add_example(batch,
              "gsim batch run night.toml\n\n"
              "`gsim batch ACTION --help` prints the options of an action.");
  add_run(batch, a, resume, log);
  CLI::App* list = add_action(batch, a, "list", "List the tasks, their parameters and states");
  list->add_flag("--json", a.json, "One JSON array");
  add_example(list, "gsim batch list night.toml");
  add_submit(batch, a);
  add_status(batch, a);
  CLI::App* collect =
      add_action(batch, a, "collect", "Write the tables of results, after runs with --part");
  add_example(
      collect,
      "gsim batch collect night.toml\n\n"
      "Exit codes: 0 all tasks are done, 1 some failed, 75 some have not run, 2 bad input.");
  for (CLI::App* action : batch->get_subcommands({})) action->group("Actions");
}

}  // namespace gsim::app
