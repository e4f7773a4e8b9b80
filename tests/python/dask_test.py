# SPDX-License-Identifier: Apache-2.0
"""tune() and evaluate() on a Dask cluster of four workers, of which two are killed while they work."""
import collections
import contextlib
import json
import logging
import os
import signal
import threading
import time

import dask.distributed
import pytest

import vta

NETWORK = "resnet20_cifar.json"
TRIALS = 24


@pytest.fixture
def client():
    with dask.distributed.LocalCluster(4, threads_per_worker=1, dashboard_address=None,
                                       silence_logs=logging.CRITICAL) as cluster:
        with dask.distributed.Client(cluster) as client:
            yield client


@contextlib.contextmanager
def two_workers_killed(client, log):
    """Kills two workers that are busy, once the log has lines."""
    killed = []

    def kill():
        while not (log.exists() and log.stat().st_size):
            time.sleep(0.005)
        pids = client.run(os.getpid)
        busy = [address for address, tasks in client.processing().items() if tasks] or list(pids)
        for address in busy[:2]:
            os.kill(pids[address], signal.SIGKILL)
            killed.append(address)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    thread.join()
    assert len(killed) == 2


def found_by(result):
    return result.cycles_before, result.cycles_after, result.tasks


def trials_in(log):
    return collections.Counter(line for line in log.read_text().splitlines() if '"network"' not in line)


def test_tuning_survives_two_of_four_workers(client, tmp_path):
    expected = vta.tune(NETWORK, trials=TRIALS, log=tmp_path / "here", workers=2, schedules="none")
    with two_workers_killed(client, tmp_path / "dask"):
        tuned = vta.tune(NETWORK, trials=TRIALS, log=tmp_path / "dask", executor=client.get_executor(pure=False), schedules="none")
    assert found_by(tuned) == found_by(expected)
    assert tuned.cycles_after < tuned.cycles_before
    trials = trials_in(tmp_path / "dask")
    assert trials == trials_in(tmp_path / "here")
    assert set(trials.values()) == {1}
    print(f"{len(trials)} trials of {len(tuned.tasks)} tasks: {tuned.cycles_before} -> {tuned.cycles_after} cycles")


def test_evaluation_survives_two_of_four_workers(client, root, tmp_path):
    dataset = f"npz:{root}/configs/networks/digits/test.npz"
    expected = vta.evaluate("digits.json", dataset)
    with two_workers_killed(client, tmp_path / "log"):
        found = vta.evaluate("digits.json", dataset, shard=4, log=tmp_path / "log", executor=client.get_executor(pure=False))
    assert (found.images, found.top1, found.fp32_top1, found.agreement) == (600, expected.top1, expected.fp32_top1,
                                                                            expected.agreement)
    counts = collections.Counter()
    for line in map(json.loads, (tmp_path / "log").read_text().splitlines()):
        counts.update(range(line["first"], line["first"] + len(line["top1"])))
    assert counts == dict.fromkeys(range(600), 1)
