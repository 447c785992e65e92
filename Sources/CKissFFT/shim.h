#pragma once
// The library that is linked is the one for floats; its headers take floats for samples unless they are told otherwise.
#include <kissfft/kiss_fftr.h>
