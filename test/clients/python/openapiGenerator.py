"""A program with the client of openapi-generator: lists laps, and reads points. Prints the results.

openapiGenerator.py SERVICE SESSION
"""

import json
import sys

from openapi_client import ApiClient, Configuration, LapsApi

laps_api = LapsApi(ApiClient(Configuration(host=sys.argv[1])))
laps = laps_api.laps_of_session(int(sys.argv[2]))
telemetry = laps_api.laps_telemetry(laps[0].id, sample_rate=10)
first = telemetry.points[0].actual_instance
print(json.dumps({"laps": len(laps), "points": len(telemetry.points), "steering": first.steering}))
