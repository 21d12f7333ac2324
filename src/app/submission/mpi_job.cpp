#include "mpi_job.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/json.hpp"

namespace gsim::app {
namespace {

constexpr double bytes_of_launcher = 1e9;  // `gsim batch run` and its mpiexec processes

/// A string of JSON is one of YAML.
std::string quoted(const std::string& text) { return Json(text).text(); }

/// `name` as a DNS label of at most 40 characters (RFC 1035): the operator appends
/// "-worker-NUMBER", and labels have at most 63.
std::string dns_label(const std::string& name) {
  std::string label;
  for (const unsigned char c : name)
    label += std::isalnum(c) != 0 && c < 128 ? static_cast<char>(std::tolower(c)) : '-';
  if (label.empty() || std::isalpha(static_cast<unsigned char>(label[0])) == 0)
    label = "gsim-" + label;
  label.resize(std::min<std::size_t>(label.size(), 40));
  while (label.back() == '-') label.pop_back();
  return label;
}

/// A kind of pod: how many, their resources, and the lines of the container that differ.
struct Pod {
  Index replicas = 1;
  Index cores = 1, gpus = 0;
  double memory = 0;  ///< bytes; 0: the cluster's default
  std::string command;
};

/// Requests and limits of a container. GPUs are given as limits only.
std::string resources(const Pod& pod, const std::string& gpu) {
  std::string amounts = fmt::format("                  cpu: {}\n", pod.cores);
  if (pod.memory > 0)
    amounts +=
        fmt::format("                  memory: {:.0f}Mi\n", std::ceil(pod.memory / (1 << 20)));
  std::string limits = amounts;
  if (pod.gpus > 0) limits += fmt::format("                  {}: {}\n", quoted(gpu), pod.gpus);
  return "              resources:\n                requests:\n" + amounts +
         "                limits:\n" + limits;
}

/// The lines below `Launcher:` or `Worker:`.
std::string replica(const SubmitOptions& o, const Pod& pod) {
  const KubernetesOptions& k = o.kubernetes;
  std::string text = fmt::format(
      "      replicas: {}\n      restartPolicy: {}\n      template:\n        spec:\n"
      "          terminationGracePeriodSeconds: {:.0f}\n          containers:\n"
      "            - name: gsim\n              image: {}\n{}"
      "              securityContext:\n                runAsUser: {}\n",
      pod.replicas, o.requeue ? "OnFailure" : "Never", std::ceil(o.grace), quoted(k.image),
      pod.command, k.user);
  text += resources(pod, k.gpu);
  if (k.volumes.empty()) return text;
  text += "              volumeMounts:\n";
  for (std::size_t i = 0; i < k.volumes.size(); ++i)
    text += fmt::format("                - name: volume-{}\n                  mountPath: {}\n",
                        i + 1, quoted(k.volumes[i].path));
  text += "          volumes:\n";
  for (std::size_t i = 0; i < k.volumes.size(); ++i)
    text += fmt::format(
        "            - name: volume-{}\n              persistentVolumeClaim:\n"
        "                claimName: {}\n",
        i + 1, quoted(k.volumes[i].claim));
  return text;
}

/// The command, environment and folder of the launcher's container.
std::string launcher_command(const Batch& batch, const Allocation& a, const JobCommand& c,
                             Index element) {
  const KubernetesOptions& k = batch.submit.kubernetes;
  std::vector<std::string> words{k.program,
                                 "batch",
                                 "run",
                                 c.manifest,
                                 "--folder",
                                 c.folder,
                                 "--resume=auto",
                                 "--log",
                                 "plain",
                                 "--gpus",
                                 fmt::format("{}", a.gpus * a.nodes)};
  if (a.nodes > 1)
    words.insert(words.end(), {"--hosts", "/etc/mpi/hostfile"});  // from the operator
  else
    words.insert(words.end(), {"--cores", fmt::format("{}", a.cores)});
  if (a.elements > 0)
    words.insert(words.end(), {"--part", fmt::format("{}/{}", element, a.elements)});
  std::string text;
  if (!k.folder.empty()) text += fmt::format("              workingDir: {}\n", quoted(k.folder));
  text += "              command:\n";
  for (const std::string& word : words) text += fmt::format("                - {}\n", quoted(word));
  // Ranks in the pod itself need no ssh, which Hydra would use for the operator's host file.
  if (a.nodes == 1)
    text +=
        "              env:\n                - name: HYDRA_LAUNCHER\n"
        "                  value: fork\n";
  return text;
}

std::string document(const Batch& batch, const Allocation& a, const JobCommand& c,
                     const std::string& name, Index element) {
  const SubmitOptions& o = batch.submit;
  std::string text =
      fmt::format("apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata:\n  name: {}\n", name);
  if (!o.kubernetes.space.empty())
    text += fmt::format("  namespace: {}\n", quoted(o.kubernetes.space));
  text += fmt::format(
      "spec:\n  slotsPerWorker: {}\n  mpiImplementation: MPICH\n  sshAuthMountPath: {}\n"
      "  runPolicy:\n    cleanPodPolicy: Running\n    backoffLimit: {}\n",
      a.cores, quoted(o.kubernetes.ssh_folder), o.requeue ? o.kubernetes.retries : 0);
  if (a.time > 0) text += fmt::format("    activeDeadlineSeconds: {:.0f}\n", std::ceil(a.time));
  const std::string command = launcher_command(batch, a, c, element);
  if (a.nodes == 1)
    return text + "  runLauncherAsWorker: true\n  mpiReplicaSpecs:\n    Launcher:\n" +
           replica(o, {1, a.cores, a.gpus, a.memory, command});
  return text +
         "  launcherCreationPolicy: WaitForWorkersReady\n  mpiReplicaSpecs:\n    Launcher:\n" +
         replica(o, {1, 1, 0, bytes_of_launcher, command}) + "    Worker:\n" +
         replica(o, {a.nodes, a.cores, a.gpus, a.memory,
                     "              command: [\"/usr/sbin/sshd\", \"-De\", \"-f\", "
                     "\"/home/gsim/.sshd_config\"]\n"
                     "              readinessProbe:\n                tcpSocket:\n"
                     "                  port: 2222\n"});
}

}  // namespace

std::vector<std::string> mpi_job_names(const Batch& batch, const Allocation& a) {
  const std::string name = dns_label(job_name(batch));
  if (a.elements == 0) return {name};
  std::vector<std::string> names;
  for (Index i = 1; i <= a.elements; ++i) names.push_back(fmt::format("{}-{}", name, i));
  return names;
}

std::string mpi_job_manifests(const Batch& batch, const Allocation& a, const JobCommand& c) {
  if (batch.submit.kubernetes.image.empty())
    throw InputError(fmt::format(
        "{}: there is no container image; give `image` in [submit.kubernetes], or --image",
        batch.manifest));
  std::string text = written_by(batch);
  for (const std::string& note : a.notes) text += "# " + note + "\n";
  const std::vector<std::string> names = mpi_job_names(batch, a);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i > 0 ? "---\n" : "") + document(batch, a, c, names[i], static_cast<Index>(i) + 1);
  return text;
}

}  // namespace gsim::app
