# SPDX-License-Identifier: Apache-2.0
"""Boards of a pool: labgrid's coordinator and exporter on loopback, and two vta-rpc-servers with simulated boards."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import vta

BIN = pathlib.Path(sys.executable).parent  # of the virtual environment with labgrid
TOKEN = "a-secret-of-32-characters-or-more"
# What a second client does: reserves, runs, and says what it has.
CLIENT = """
import sys, time, vta
program = vta.compile("digits.json")
session = vta.Session(program, device=sys.argv[1])
session.run(program.read_input())
print("has", session.device._board.place, flush=True)
if sys.argv[2] == "hold":
    time.sleep(1000)
if sys.argv[2] == "fail":
    raise ZeroDivisionError
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(address):
    host, _, port = address.rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


def started(arguments, folder, **options):
    return subprocess.Popen([str(argument) for argument in arguments], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, **options)


def wait_for(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"timed out: {what}"
        time.sleep(0.1)


class Lab:
    """A coordinator, an exporter and two boards: `alpha` is a VtaRpcServer with a token, `beta` a NetworkService."""

    def __init__(self, folder):
        self._folder = folder
        self._processes = []
        self.address = f"127.0.0.1:{free_port()}"
        self.environment = {**os.environ, "LG_COORDINATOR": self.address}

    def start(self):
        folder = self._folder
        self._serve_boards()
        self._process([BIN / "labgrid-coordinator", "-l", self.address])
        wait_for(lambda: answers(self.address), 60, "the coordinator")
        self._process([BIN / "labgrid-exporter", "-c", self.address, "-n", "lab", folder / "boards.yaml"])
        wait_for(lambda: "lab/beta" in self.client("resources"), 60, "the exporter's resources")
        for place in ("alpha", "beta"):
            self.client("-p", place, "create")
            self.client("-p", place, "add-match", f"lab/{place}/*")
            self.client("-p", place, "set-tags", "board=pynq-z1", f"only={place}")
        self.client("-p", "alpha", "add-alias", "first")
        for place in ("empty", "odd"):
            self.client("-p", place, "create")
        self.client("-p", "odd", "add-match", "lab/odd/*")

    def _serve_boards(self):
        token = self._folder / "token"
        token.write_text(TOKEN + "\n")
        token.chmod(0o600)
        alpha = self._server("cycle", "127.0.0.1:0", "--token-file", token)
        # A NetworkService's port is that of SSH: the server of this board has the default port.
        self._server("functional", "127.0.0.2:9091")
        (self._folder / "boards.yaml").write_text(f"""
alpha:
  VtaRpcServer: {{host: 127.0.0.1, port: {alpha}, token: {TOKEN}}}
beta:
  NetworkService: {{address: 127.0.0.2, username: root}}
odd:
  VtaRpcServer: {{host: 127.0.0.1, prot: 9091}}
""")

    def _server(self, device, listen, *options):
        process = self._process([os.environ["VTA_RPC_SERVER"], "--device", device, "--listen", listen, *options])
        line = process.stdout.readline()  # "serving cycle on port 9091, token"
        assert " on port " in line, line
        return int(line.partition(" on port ")[2].split(",")[0])

    def _process(self, arguments):
        process = started(arguments, self._folder)
        self._processes.append(process)
        return process

    def client(self, *arguments):
        """labgrid's own client."""
        result = subprocess.run([str(BIN / "labgrid-client"), "-x", self.address, *arguments], capture_output=True, text=True,
                                timeout=60)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def reservations(self):
        return self.client("reservations")

    def second_client(self, device, then=""):
        return started([sys.executable, "-c", CLIENT, device, then], self._folder, env=self.environment)

    def close(self):
        for process in reversed(self._processes):
            process.terminate()
            process.wait(30)
            process.stdout.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"))
    os.environ["LG_COORDINATOR"] = lab.address
    try:
        lab.start()
        yield lab
    finally:
        lab.close()


@pytest.fixture(autouse=True)
def nothing_stays_reserved(lab):
    yield
    assert lab.reservations() == ""


@pytest.mark.parametrize("device, place", [("labgrid:alpha", "alpha"), ("labgrid:first", "alpha"), ("labgrid:beta", "beta"),
                                           ("labgrid:board=pynq-z1,only=beta", "beta")])
def test_a_session_reserves_the_board_and_gives_it_back(lab, digits, session, device, place):
    image = digits.read_input()
    with vta.Session(digits, device=device) as remote:
        np.testing.assert_array_equal(remote.run(image)[0], session.run(image)[0])
        assert (remote.report.cycles is None) == (place == "beta")
        assert f"main: {place}" in lab.reservations()


def test_tags_take_any_free_board(lab, digits):
    with vta.Board("labgrid:board=pynq-z1") as one, vta.Board("labgrid:board=pynq-z1") as other:
        assert {one.place, other.place} == {"alpha", "beta"}


def test_the_last_object_on_a_board_gives_it_back(lab, digits):
    device = vta.Device("labgrid:alpha", digits)
    one, other = vta.Session(digits, device), vta.Session(digits, device)
    device.close()
    one.close()
    assert "alpha" in lab.reservations()
    assert other.run(digits.read_input())[0].shape == (1, 10)
    other.close()
    assert lab.reservations() == ""


def test_an_exception_gives_the_board_back(lab, digits):
    with pytest.raises(ZeroDivisionError), vta.Session(digits, device="labgrid:alpha"):
        raise ZeroDivisionError
    assert lab.reservations() == ""
    with pytest.raises(vta.Error):
        vta.Session(vta.compile("digits.json", core="vta_4x8"), device="labgrid:alpha")  # another core
    assert lab.reservations() == ""


@pytest.mark.parametrize("then, error", [("", None), ("fail", "ZeroDivisionError"), ("hold", "KeyboardInterrupt")])
def test_a_process_that_ends_gives_the_board_back(lab, then, error):
    client = lab.second_client("labgrid:alpha", then)
    assert client.stdout.readline() == "has alpha\n"
    if then == "hold":
        client.send_signal(signal.SIGINT)  # Ctrl-C
    assert (error or "") in client.communicate(timeout=30)[0]
    assert lab.reservations() == ""


def test_a_second_client_waits_for_the_board_and_gets_it(lab, digits):
    with vta.Session(digits, device="labgrid:alpha") as session:
        client = lab.second_client("labgrid:alpha")
        wait_for(lambda: "state: waiting" in lab.reservations(), 30, "the second client's reservation")
        session.run(digits.read_input())
        assert client.poll() is None
    output = client.communicate(timeout=60)[0]
    assert output == "has alpha\n" and client.returncode == 0


def test_ctrl_c_ends_waiting(lab):
    with vta.Board("labgrid:alpha"):
        timer = threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            vta.Board("labgrid:alpha")
        timer.join()
        assert "waiting" not in lab.reservations()


def test_a_killed_client_does_not_keep_the_board(lab):
    client = lab.second_client("labgrid:alpha", "hold")
    assert client.stdout.readline() == "has alpha\n"
    client.kill()
    client.communicate()
    with vta.Board("labgrid:alpha") as board:  # after a minute
        assert board.place == "alpha"
    wait_for(lambda: lab.reservations() == "", 120, "the coordinator to forget the killed client")


def test_a_board_stays_reserved_for_longer_than_a_reservation_lives(lab, digits):
    with vta.Session(digits, device="labgrid:alpha") as session:
        client = lab.second_client("labgrid:alpha")
        time.sleep(100)
        session.run(digits.read_input())
        assert client.poll() is None
    assert client.communicate(timeout=60)[0] == "has alpha\n"


def test_a_lost_reservation_is_an_error(lab, digits, monkeypatch):
    monkeypatch.setattr(vta.board_pool, "_KEEP_SECONDS", 0.2)
    session = vta.Session(digits, device="labgrid:alpha")
    token = next(line.split("'")[1] for line in lab.reservations().splitlines() if line.startswith("Reservation"))
    lab.client("cancel-reservation", token)
    time.sleep(1)
    with pytest.raises(vta.DeviceError, match="the reservation of alpha is lost: .*does not exist"):
        session.run(digits.read_input())
    session.close()


def test_a_labgrid_client_s_acquired_place_is_waited_for(lab):
    lab.client("-p", "beta", "acquire")
    taken = []
    thread = threading.Thread(target=lambda: taken.append(vta.Board("labgrid:beta")))
    thread.start()
    time.sleep(2)
    assert not taken
    lab.client("-p", "beta", "release")
    thread.join(60)
    assert taken[0].place == "beta"
    refused = subprocess.run([str(BIN / "labgrid-client"), "-x", lab.address, "-p", "beta", "acquire"], capture_output=True)
    assert refused.returncode != 0
    taken[0].close()


def test_evaluate_shares_one_board_among_threads(lab):
    images = np.zeros((8, 1, 8, 8), np.float32)
    assert vta.evaluate("digits.json", (images, np.zeros(8, int)), device="labgrid:alpha", threads=2).images == 8


def test_places_that_cannot_be_used_are_errors(lab, digits):
    for device, error, match in [
            ("labgrid:nowhere", vta.NotFoundError, r"its places: alpha \(board=pynq-z1, only=alpha\); beta"),
            ("labgrid:board=zcu104", vta.NotFoundError, "no such place"),
            ("labgrid:", vta.InvalidArgumentError, "expected labgrid:PLACE"),
            ("labgrid:board=a,beta", vta.InvalidArgumentError, "got 'beta'"),
            ("labgrid:empty", vta.NotFoundError, "place empty has neither a VtaRpcServer nor a NetworkService"),
            ("labgrid:odd", vta.InvalidArgumentError, "no parameter 'prot'")]:
        with pytest.raises(error, match=match):
            vta.Session(digits, device=device)
    with pytest.raises(vta.InputOutputError, match="127.0.0.1:1: "):
        vta.Board("labgrid:alpha", coordinator="127.0.0.1:1")
