"""Requests of Schemathesis that may not be sent as they were generated."""

import os
import re
from datetime import datetime

import schemathesis

SIMULATOR_PORT = int(os.environ["SIMULATOR_PORT"])
MAX_ID = 2**53 - 1
RECORDED = "6"
ADDRESS = re.compile(r"(?:\[[A-Fa-f0-9:.%]{2,60}\]|[A-Za-z0-9._-]{1,253}):([1-9][0-9]{0,4})")


def instant(text):
    """Epoch seconds of a query's value, or None."""
    try:
        return float(text)
    except (TypeError, ValueError):
        pass
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except (AttributeError, ValueError):
        return None


def is_address(text):
    """As the schema has it: HOST:PORT, an address of IPv6 in brackets."""
    found = ADDRESS.fullmatch(text) if isinstance(text, str) else None
    return found is not None and int(found[1]) <= 65535


def stay_here(body):
    """Connects to the test's own simulator, and to nobody else."""
    if isinstance(body, dict) and isinstance(body.get("host"), str):
        body["host"] = "127.0.0.1"
        body["port"] = SIMULATOR_PORT
        # A schema cannot describe which kinds of simulators exist.
        body.pop("simulator", None)
        forward = body.get("forward")
        # A native feed has no datagrams to forward, which no schema can express.
        if isinstance(forward, list) and len(forward) <= 8 and all(is_address(one) for one in forward):
            body["forward"] = []


def put_in_order(query):
    """A range ends after it begins, also where one of both is the session's own; no schema can say so."""
    for given, other in (("start_time", "end_time"), ("end_time", "start_time")):
        if given in query and other not in query:
            query[other] = query[given]
    start, end = instant(query.get("start_time")), instant(query.get("end_time"))
    if start is not None and end is not None and start > end:
        query["start_time"], query["end_time"] = query["end_time"], query["start_time"]


def compare_recorded(asked):
    """Two to four different laps are the recorded ones (see the test), so that there is something to compare."""
    if not isinstance(asked, dict):
        return
    # A schema cannot describe which channels a session has.
    wanted = asked.get("channels")
    if isinstance(wanted, list) and all(isinstance(one, str) for one in wanted):
        asked["channels"] = ["speed"] * len(wanted)
    ids = asked.get("lap_ids")
    # One lap that another answer had.
    if type(ids) is int:
        asked["lap_ids"] = [1, 2]
    if not isinstance(ids, list) or not all(type(one) is int and 1 <= one <= MAX_ID for one in ids):
        return
    if 2 <= len(ids) == len(set(ids)) <= 4:
        asked["lap_ids"] = list(range(1, len(ids) + 1))


def number_apart(body):
    """Corners of one circuit have different numbers, which no schema can say; the first of each stays."""
    corners = body.get("corners") if isinstance(body, dict) else None
    if not isinstance(corners, list) or not all(isinstance(one, dict) for one in corners):
        return
    first = {}
    for one in corners:
        number = one.get("number")
        # 1 and 1.0 are the same number.
        first.setdefault(float(number) if type(number) in (int, float) else repr(number), one)
    body["corners"] = list(first.values())


def ask_for_what_there_is(query):
    """Which groups and channels a session has is no matter of a schema: patterns, of which none is missed."""
    if isinstance(query.get("group"), str):
        query["group"] = "points"
    wanted = query.get("channels")
    if isinstance(wanted, str):
        query["channels"] = "s*"
    elif isinstance(wanted, list) and all(isinstance(one, str) for one in wanted):
        query["channels"] = ["s*"] * len(wanted)


def choose_nothing_of_whole_files(format, query):
    """A recording has the whole session, and a MoTeC log every group at its own rate; no schema can say so."""
    if isinstance(query.get("group"), str):
        query.pop("group")
    if str(query.get("sample_rate", "")).isdecimal():
        query.pop("sample_rate")
    wanted = query.get("channels")
    if format == "recording" and isinstance(wanted, (str, list)):
        query.pop("channels")


def keep_recorded(parameters):
    """Others are deleted than the recorded session, which the answers are made of."""
    if str(parameters.get("session_id")) == RECORDED:
        parameters["session_id"] = 1


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method.upper() == "DELETE" and case.path_parameters:
        keep_recorded(case.path_parameters)
    if case.path == "/api/v1/connect":
        stay_here(case.body)
    if case.path == "/api/v1/telemetry/range" and case.query:
        put_in_order(case.query)
    if case.query and case.path != "/api/v1/telemetry/live":
        ask_for_what_there_is(case.query)
    if case.query and case.path.startswith("/api/v1/export/"):
        format = case.query.get("format", "motec" if "/motec/" in case.path else None)
        if format in ("recording", "motec"):
            choose_nothing_of_whole_files(format, case.query)
    if case.path in ("/api/v1/compare", "/api/v1/analysis/compare"):
        compare_recorded(case.query)
        compare_recorded(case.body)
    if case.path == "/api/v1/config/circuits/{name}":
        number_apart(case.body)
