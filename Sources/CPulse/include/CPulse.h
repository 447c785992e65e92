#pragma once
// libpulse, found when it is first needed.
//
// Linking libpulse makes the dynamic linker load a dozen shared libraries at every start (3.5 ms on Debian 12), paid by
// `chirp encode` too. So it is opened by dlopen instead: CPulse.c defines the functions that are used, each calling its
// namesake in the library. No function below may be called before chirp_pulse_load() has returned NULL.
#include <pulse/pulseaudio.h>

/// Opens libpulse once. NULL when it is ready, otherwise why not (text of static life).
const char *chirp_pulse_load(void);
