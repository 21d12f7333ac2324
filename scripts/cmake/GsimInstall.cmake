# install rules: see GsimInstall (filled with the SDK package)
