#pragma once
// The actions of `gsim batch`, each of which returns the exit code.

#include "src/app/app.hpp"

namespace gsim::app {

int batch_submit(const Session& session);
int batch_status(const Session& session);
int batch_logs(const Session& session);
int batch_cancel(const Session& session);

}  // namespace gsim::app
