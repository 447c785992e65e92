#pragma once
// libnats, found when it is first needed: only fleets need it, and with it come libssl and libcrypto. Linking them would cost
// every start of the program more than two milliseconds (see CCurl.h). Calls go through a table that dlopen fills; building
// needs libnats-dev.
#include <nats/nats.h>

/// Opens libnats once. NULL when it is ready, otherwise why not (text of static life).
///
/// The library's functions that are used here may be called only after that; they carry their usual names.
const char *chirp_nats_load(void);
