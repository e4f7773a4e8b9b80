# SPDX-License-Identifier: Apache-2.0
# A Pynq-Z2's processing system is wired as a Pynq-Z1's: the same DDR3, crystal and pins.
source [file join [file dirname [info script]] .. pynq-z1 ps7.tcl]
