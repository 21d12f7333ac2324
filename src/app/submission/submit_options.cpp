#include "submit_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

void describe_volume(Section& s, VolumeClaim& v) {
  s.required("claim", v.claim, {.doc = "name of a persistent volume claim"});
  s.required("path", v.path, {.doc = "folder of the pods at which it is mounted"});
}

void validate_volume(const Section& s, VolumeClaim& v) {
  if (!v.path.starts_with('/')) s.fail("path", "it must be absolute");
}

void describe_kubernetes(Section& s, KubernetesOptions& k) {
  s.optional("image", k.image, {.doc = "container image that holds gsim"});
  s.optional("namespace", k.space, {.doc = "namespace (empty: that of kubectl's context)"});
  s.optional("program", k.program, {.doc = "gsim in the image"});
  s.optional("folder", k.folder,
             {.doc = "folder of the pods, to which the path of the manifest is relative"});
  s.optional("gpu", k.gpu, {.doc = "name of the resource of a GPU"});
  s.optional("user", k.user,
             {.doc = "number of the user that the containers run as", .minimum = 0});
  s.optional("ssh_folder", k.ssh_folder,
             {.doc = "folder for the keys by which the launcher reaches the workers"});
  s.optional("retries", k.retries,
             {.doc = "how often a launcher that failed or was evicted is started again",
              .minimum = 0,
              .maximum = 1'000'000});
  s.tables("volume", k.volumes, validated(describe_volume, validate_volume),
           "volumes of configurations and results");
}

bool has_line_end(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; });
}

}  // namespace

void describe_submit(Section& s, SubmitOptions& o) {
  s.optional("name", o.name, {.doc = "of the job (empty: the manifest's name)"});
  s.optional("partition", o.partition, {.doc = "Slurm: partition (empty: the default one)"});
  s.optional("account", o.account, {.doc = "Slurm: account (empty: the user's default)"});
  s.optional("options", o.options, {.doc = "Slurm: further options of sbatch, \"--qos=high\""});
  s.optional("nodes", o.nodes, {.doc = "number of nodes", .minimum = 1, .maximum = 1 << 20});
  s.optional("cores", o.cores,
             {.doc = "processors of each node (0: `cores` of the manifest, or enough for the "
                     "tasks, up to a node of the partition)",
              .minimum = 0,
              .maximum = 1 << 20});
  s.optional("gpus", o.gpus,
             {.doc = "GPUs of each node (-1: `gpus` of the manifest, or one for each rank of "
                     "the largest task with device = \"cuda\")",
              .minimum = -1,
              .maximum = 1 << 16});
  s.optional("memory", o.memory,
             {.doc = "memory of each node (0: the forecast)", .unit = "GB", .minimum = 0});
  s.optional_duration("time", o.time,
                      {.doc = "time limit of the job (0: Slurm: that of the partition)",
                       .minimum = 0,
                       .maximum = 366.0 * 86400});
  s.optional_duration("grace", o.grace,
                      {.doc = "time before the limit, or after the end of a pod was requested, "
                              "in which tasks write checkpoints",
                       .minimum = 1,
                       .maximum = 86400});
  s.optional("array", o.array,
             {.doc = "number of tasks of each element of a job array (0: one job runs all tasks)",
              .minimum = 0,
              .maximum = 10'000'000});
  s.optional("requeue", o.requeue,
             {.doc = "whether a job that ended before all tasks is queued again"});
  s.optional_table(
      "kubernetes", [&](Section& k) { describe_kubernetes(k, o.kubernetes); },
      "the manifests of `gsim batch submit --kubernetes`");
}

void validate_submit(const Section& s, SubmitOptions& o) {
  const std::pair<const char*, const std::string*> texts[] = {
      {"name", &o.name}, {"partition", &o.partition}, {"account", &o.account}};
  for (const auto& [key, text] : texts)
    if (has_line_end(*text)) s.fail(key, "it holds a control character");
  for (const std::string& option : o.options)
    if (!option.starts_with('-') || has_line_end(option))
      s.fail("options", fmt::format("`{}` is not an option of sbatch", excerpt(option)),
             "write it as in a job script: \"--qos=high\"");
  if (o.time > 0 && o.time <= o.grace)
    s.fail("time",
           fmt::format("the job would be stopped {} before its end, which is at once",
                       human_duration(o.grace)),
           "give more `time`, or less `grace`");
}

}  // namespace gsim::app
