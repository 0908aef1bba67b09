#!/bin/sh
# For tile-reduce: exits with 1 where the begin of a slice is not known.
! tile-opt --tile-check "$1" 2>&1 >/dev/null | grep -q 'and that is not known (R36)'
