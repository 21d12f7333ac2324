#pragma once
// Manifests of the Kubernetes MPI operator: MPIJob, kubeflow.org/v2beta1
// (github.com/kubeflow/mpi-operator, pkg/apis/kubeflow/v2beta1/types.go).

#include <string>
#include <vector>

#include "allocation.hpp"
#include "slurm_job.hpp"
#include "src/app/batch/manifest.hpp"

namespace gsim::app {

/// Names of the MPIJob objects: one, or one for each element of an array, in the form of a DNS
/// label.
std::vector<std::string> mpi_job_names(const Batch& batch, const Allocation& allocation);

/// The YAML documents. On one node the launcher's pod has all resources and runs the tasks itself;
/// on several nodes there is a worker for each, on which `gsim batch run --hosts` starts the tasks.
/// InputError without an image.
std::string mpi_job_manifests(const Batch& batch, const Allocation& allocation,
                              const JobCommand& command);

}  // namespace gsim::app
