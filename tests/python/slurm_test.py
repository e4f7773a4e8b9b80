# SPDX-License-Identifier: Apache-2.0
"""tune() on Slurm: a cluster of one node that the test starts, Dask's workers as jobs, two of which are killed.

Needs root and Debian's slurm-wlm."""
import collections
import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import threading
import time

import dask.distributed
import dask_jobqueue
import pytest

import vta

NETWORK = "resnet20_cifar.json"
TRIALS = 24
JOBS = 4
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}
SlurmdSpoolDir={folder}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=0
NodeName={host} CPUs={jobs} RealMemory=8000
PartitionName=main Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@contextlib.contextmanager
def daemon(*command, log):
    with open(log, "w") as out, subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()


def printed_by(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """A running cluster; sbatch and the other programs use it."""
    if missing := [program for program in PROGRAMS if not shutil.which(program)]:
        pytest.skip(f"no {', '.join(missing)}: apt-get install slurm-wlm")
    if os.geteuid() != 0:
        pytest.skip("slurmd runs as root")
    folder = tmp_path / "slurm"
    folder.mkdir(mode=0o755)
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(host=socket.gethostname(), folder=folder, ports=free_ports(2), jobs=JOBS))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
    monkeypatch.setenv("SLURM_CONF", str(configuration))
    files = [f"--{name}={folder}/munge.{ending}" for name, ending in (
        ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))]
    with contextlib.ExitStack() as stack:
        stack.enter_context(daemon("munged", "--foreground", "--force", *files, log=folder / "munged.out"))
        wait_until((folder / "munge.socket").exists, "munged does not start")
        stack.enter_context(daemon("slurmctld", "-D", "-i", log=folder / "slurmctld.out"))
        stack.enter_context(daemon("slurmd", "-D", log=folder / "slurmd.out"))
        wait_until(lambda: subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout.strip() == "idle",
                   (folder / "slurmd.out").read_text)
        yield


def found_by(result):
    return result.cycles_before, result.cycles_after, result.tasks


def trials_in(log):
    return collections.Counter(line for line in log.read_text().splitlines() if '"network"' not in line)


def test_tuning_survives_two_of_four_jobs(slurm, tmp_path):
    expected = vta.tune(NETWORK, trials=TRIALS, log=tmp_path / "here", workers=2, schedules="none")
    log = tmp_path / "log.jsonl"
    killed = []

    def kill_two_jobs():
        while not (log.exists() and log.stat().st_size):
            time.sleep(0.01)
        killed.extend(printed_by("squeue", "-h", "-t", "running", "-o", "%i")[:2])
        printed_by("scancel", "--signal=KILL", "--full", *killed)

    with dask_jobqueue.SLURMCluster(queue="main", cores=1, processes=1, memory="1GB", walltime="00:20:00", nanny=False,
                                    log_directory=tmp_path, local_directory=tmp_path,
                                    scheduler_options={"dashboard_address": None}) as cluster:
        cluster.scale(jobs=JOBS)
        with dask.distributed.Client(cluster) as client:
            client.wait_for_workers(JOBS, timeout=120)
            killer = threading.Thread(target=kill_two_jobs)
            killer.start()
            tuned = vta.tune(NETWORK, trials=TRIALS, log=log, executor=client.get_executor(pure=False), schedules="none")
            killer.join()
            wait_until(lambda: not {*killed} & {*printed_by("squeue", "-h", "-o", "%i")}, "the jobs are not killed")
    assert len(killed) == 2
    assert found_by(tuned) == found_by(expected)
    assert trials_in(log) == trials_in(tmp_path / "here")
    assert set(trials_in(log).values()) == {1}
    print(f"jobs {', '.join(killed)} killed; {len(trials_in(log))} trials; {tuned.cycles_before} -> {tuned.cycles_after} cycles")
