#include "{{header}}"
