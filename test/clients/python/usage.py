"""A Python program: lists sessions, reads laps and points, compares, with the generated client; reads points as Arrow,
CSV and NDJSON, by pyarrow, polars and DuckDB; Parquet by the first two.
Prints the results.

usage.py SERVICE SESSION
"""

import json
import sys
import urllib.request
from datetime import datetime, timezone

import duckdb
import polars
import pyarrow.ipc
import pyarrow.parquet
from telemetry_session_service_client import Client
from telemetry_session_service_client.api.analysis import analysis_compare, analysis_compare_traced
from telemetry_session_service_client.api.export import export_session
from telemetry_session_service_client.api.laps import laps_of_session, laps_telemetry
from telemetry_session_service_client.api.sessions import sessions_create, sessions_list, sessions_read
from telemetry_session_service_client.api.telemetry import telemetry_range
from telemetry_session_service_client.models import ComparedLaps, ErrorBody, SessionToCreate

client = Client(base_url=sys.argv[1])

sessions = sessions_list.sync(client=client, limit=2)
session = sessions_read.sync(int(sys.argv[2]), client=client)
laps = laps_of_session.sync(session.id, client=client)
lap_ids = [lap.id for lap in laps]
points = laps_telemetry.sync(lap_ids[0], client=client, sample_rate=10)
begun = datetime.fromisoformat(session.datetime_).replace(tzinfo=timezone.utc)
part = telemetry_range.sync(
    client=client, session_id=session.id, start_time=begun, end_time=begun.timestamp() + 10
)
compared = analysis_compare.sync(client=client, lap_ids=lap_ids)
traced = analysis_compare_traced.sync(client=client, body=ComparedLaps(lap_ids=lap_ids))
created = sessions_create.sync(
    client=client,
    body=SessionToCreate(circuit="Spa", vehicle="GT3", driver="Ann", datetime_=datetime(2026, 2, 13, tzinfo=timezone.utc)),
)
missing = sessions_read.sync(77, client=client)
assert isinstance(missing, ErrorBody), missing

url = f"{sys.argv[1]}/api/v1/export/arrow/{lap_ids[0]}?sample_rate=10"
arrow = pyarrow.ipc.open_stream(urllib.request.urlopen(url)).read_all()
parquet_url = url.replace("/arrow/", "/parquet/")
with open("lap.parquet", "wb") as file:
    file.write(urllib.request.urlopen(parquet_url).read())
parquet = pyarrow.parquet.read_table("lap.parquet")

by_default = export_session.sync(session.id, client=client, sample_rate=10)
files = f"{sys.argv[1]}/api/v1/export"
text = urllib.request.urlopen(f"{files}/session/{session.id}?sample_rate=10").read()
assert by_default == text.decode(), by_default
csv = polars.read_csv(text)
arrows = polars.read_ipc_stream(urllib.request.urlopen(url))
with open("session.ndjson", "wb") as file:
    file.write(urllib.request.urlopen(f"{files}/session/{session.id}?sample_rate=10&format=ndjson").read())
ndjson = duckdb.sql("SELECT * FROM read_json('session.ndjson') ORDER BY timestamp").to_arrow_table()

print(
    json.dumps(
        {
            "sessions": sessions.to_dict(),
            "session": session.to_dict(),
            "laps": [lap.to_dict() for lap in laps],
            "points": points.to_dict(),
            "arrow": arrow.to_pylist(),
            "parquet": parquet.to_pylist(),
            "polars_parquet": polars.read_parquet("lap.parquet").to_dicts(),
            "polars": arrows.to_dicts(),
            "csv": csv.to_dicts(),
            "ndjson": ndjson.to_pylist(),
            "types": {name: str(kind) for name, kind in csv.schema.items()},
            "part": part.to_dict(),
            "compared": compared.to_dict(),
            "traced": traced.to_dict(),
            "created": created.to_dict(),
            "missing": missing.detail,
        }
    )
)
