# SPDX-License-Identifier: Apache-2.0
#
# Runs hw/boards/build.tcl without Vivado: records every Vivado command, and checks that the objects it refers to exist.
# usage: tclsh vivado_test.tcl BUILD.TCL PS7.TCL VTA_IP.V CALLS.TXT
# The recorded calls must equal CALLS.TXT; VTA_UPDATE_CALLS=1 writes that file.
lassign $argv build_script ps7_script ip_verilog golden

proc slurp {file} {
  set channel [open $file]
  set text [read $channel]
  close $channel
  return $text
}

# The pins of cells that this design uses.
set pins(ps7) {DDR FIXED_IO M_AXI_GP0 S_AXI_HP0 S_AXI_HP1 M_AXI_GP0_ACLK S_AXI_HP0_ACLK S_AXI_HP1_ACLK FCLK_CLK0
  FCLK_RESET0_N IRQ_F2P}
set pins(control) {S00_AXI M00_AXI ACLK ARESETN S00_ACLK S00_ARESETN M00_ACLK M00_ARESETN}
set pins(memory) {ACLK ARESETN M00_AXI M00_ACLK M00_ARESETN}
foreach n {00 01 02 03} {lappend pins(memory) S${n}_AXI S${n}_ACLK S${n}_ARESETN}
set pins(reset) {slowest_sync_clk ext_reset_in interconnect_aresetn peripheral_aresetn}
set pins(vta_0) {aclk aresetn}
# The core's interfaces and interrupt, by the names of its wrapper.
foreach {- name} [regexp -all -inline {X_INTERFACE_INFO = "xilinx.com:(?:interface:aximm|signal:interrupt):1.0 (\w+) } [slurp $ip_verilog]] {
  if {$name ni $pins(vta_0)} {lappend pins(vta_0) $name}
}

set connected {}
proc check_pin {kind name} {
  lassign [split $name /] cell pin
  if {$cell ni $::cells} {error "test: $kind $name: there is no cell $cell"}
  if {$pin ni $::pins($cell)} {error "test: $kind $name: $cell has no such pin"}
}

# Vivado.
proc reset_vivado {} {
  set ::calls {}
  set ::cells {}
  set ::connected {}
  set ::version 2022.1
  array set ::answers {PROGRESS 100% STATUS ok STATS.WNS 0.123 STATS.WHS 0.045}
}
proc unknown {command args} {
  lappend ::calls [concat $command $args]
  switch -- $command {
    version {return $::version}
    get_property {return $::answers([lindex $args 0])}
    create_bd_cell {
      lappend ::cells [lindex $args end]
      return [lindex $args end]
    }
    get_bd_pins - get_bd_intf_pins {
      check_pin $command [lindex $args 0]
      return [lindex $args 0]
    }
    get_bd_cells {
      if {[lindex $args 0] ni $::cells} {error "test: no cell [lindex $args 0]"}
      return [lindex $args 0]
    }
    connect_bd_net - connect_bd_intf_net {
      lappend ::connected {*}$args
      return
    }
    get_bd_intf_ports - get_bd_addr_spaces - get_bd_addr_segs - get_files - get_runs {return [lindex $args 0]}
    current_project - current_fileset - ipx::current_core {return $command}
    add_files - assign_bd_address - close_project - create_bd_design - create_bd_intf_port - create_project -
    ipx::associate_bus_interfaces - ipx::check_integrity - ipx::create_xgui_files - ipx::package_project - ipx::save_core -
    ipx::update_checksums - launch_runs - make_wrapper - open_run - report_clock_utilization - report_power -
    report_timing_summary - report_utilization - save_bd_design - set_property - update_compile_order - update_ip_catalog -
    validate_bd_design - wait_on_run - write_hw_platform {return}
    default {error "test: build.tcl calls $command, which is none of Vivado's that it is known to call"}
  }
}
namespace eval ipx {}

# Files that Vivado would write: only the folder of current versions has the .hwh.
rename file tcl_file
proc file {subcommand args} {
  switch -- $subcommand {
    copy {lappend ::calls [concat file copy $args]; return}
    exists {return [string match */vta.gen/* [lindex $args 0]]}
  }
  tailcall tcl_file $subcommand {*}$args
}
rename puts tcl_puts
proc puts {args} {}

# Runs the script; returns "" or its error.
proc build {args} {
  set ::argv [dict create part xc7z020clg400-1 clock_hz 100000000 registers_base 0x43c00000 registers_bytes 65536 \
    memory_bytes 536870912 load_port 0 other_port 1 ps7 $::ps7_script sources $::sources extension 1 strategy default jobs 2 \
    out /out {*}$args]
  if {[catch {uplevel #0 [list source $::build_script]} message]} {return $message}
  return ""
}

set failures 0
proc expect {what pattern got} {
  if {[string match $pattern $got]} return
  tcl_puts stderr "FAILED: $what:\n  expected: $pattern\n  got:      $got"
  incr ::failures
}

set sources [exec mktemp]
set channel [open $sources w]
tcl_puts $channel "/rtl/vta_top.sv\n/rtl/vta_ip.v"
close $channel

# The call list.
reset_vivado
expect "a build" "" [build]
set recorded [join [lmap call $calls {string map [list $ps7_script PS7.TCL] $call}] "\n"]
if {[info exists env(VTA_UPDATE_CALLS)]} {
  set channel [open $golden w]
  tcl_puts $channel $recorded
  close $channel
}
set expected [string trimright [slurp $golden] "\n"]
foreach got [split $recorded "\n"] want [split $expected "\n"] {
  if {$got eq $want} continue
  expect "the list of calls" $want $got
  break
}
# Every cell has a clock and a reset, and every interface of the core is connected.
foreach cell {control memory vta_0 reset} {
  foreach pin $pins($cell) {
    if {"$cell/$pin" ni $connected} {expect "connections" "$cell/$pin is connected" "it is not"}
  }
}

# Cases that must be errors.
foreach {what answer value pattern} {
  "a setup slack below 0"   STATS.WNS -0.2 {build.tcl: timing is not met: setup slack -0.2 ns at 100000000 Hz; see /out/timing.rpt}
  "a hold slack below 0"    STATS.WHS -0.01 {build.tcl: timing is not met: hold slack -0.01 ns*}
  "nothing constrained"     STATS.WNS {} {build.tcl: no setup slack*}
  "a run that fails"        PROGRESS 40% {build.tcl: synth_1 failed: ok; *}
} {
  reset_vivado
  set answers($answer) $value
  expect $what $pattern [build]
  if {[lsearch -glob $calls {file copy*}] >= 0} {expect $what "no bitstream" "one is left"}
}
foreach {installed pattern} {2019.2 {build.tcl: Vivado 2019.2: 2020.1 or later is needed} 2020.1 {} 2024.2 {}} {
  reset_vivado
  set version $installed
  expect "Vivado $installed" $pattern [build]
}
reset_vivado
set argv {part xc7z020clg400-1}
catch {source $build_script} message
expect "a missing option" {build.tcl: option clock_hz is missing} $message

# The fast variant and other ports.
reset_vivado
expect "the fast variant" "" [build clock_hz 142857142 strategy Performance_Explore load_port 1 other_port 0]
set settings [lsearch -inline -glob $calls {set_property -dict*PCW_CRYSTAL*}]
expect "its clock" *PCW_FPGA0_PERIPHERAL_FREQMHZ*142.857142* $settings
expect "its strategy" 1 [expr {"set_property strategy Performance_Explore impl_1" in $calls}]
expect "its load port" 1 [expr {"connect_bd_intf_net vta_0/m_axi_load ps7/S_AXI_HP1" in $calls}]
tcl_file delete $sources
if {$failures} {exit 1}
tcl_puts "ok: [llength [split $recorded \n]] calls"
