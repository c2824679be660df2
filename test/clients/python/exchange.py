"""Reads the files for other programs by readers that are not the service's, and holds them to its Parquet file.

Arguments: the service's address, and the session.
"""
import io
import sys
import urllib.request

import gpxpy
import numpy
import pandas
from fastkml import KML, Placemark
from fastkml.utils import find_all

api, session = f"{sys.argv[1]}/api/v1", sys.argv[2]


def fetch(format, more=""):
    return urllib.request.urlopen(f"{api}/export/session/{session}?format={format}{more}").read()


def near(name, found, wanted, tolerance):
    assert len(found) == len(wanted), (name, len(found), len(wanted))
    worst = numpy.abs(numpy.asarray(found, dtype=float) - numpy.asarray(wanted, dtype=float)).max()
    assert worst <= tolerance, (name, worst)


points = pandas.read_parquet(io.BytesIO(fetch("parquet", "&channels=latitude,longitude,altitude")))
assert len(points) > 10_000

gpx = gpxpy.parse(fetch("gpx").decode())
found = [point for track in gpx.tracks for segment in track.segments for point in segment.points]
near("gpx latitude", [point.latitude for point in found], points.latitude, 1e-8)
near("gpx longitude", [point.longitude for point in found], points.longitude, 1e-8)
near("gpx altitude", [point.elevation for point in found], points.altitude, 6e-4)
near("gpx time", [point.time.timestamp() for point in found], points.timestamp, 1.1e-3)

kml = KML.from_string(fetch("kml").decode().split("\n", 1)[1])
places = list(find_all(kml, of_type=Placemark))
assert len(places) == points.lap_number.nunique(dropna=False), len(places)
# fastkml leaves out a place that is the one before.
line = [coordinate for place in places for coordinate in dict.fromkeys(place.geometry.coords)]
rounded = zip(points.lap_number.fillna(-1), points.longitude.round(8), points.latitude.round(8), points.altitude.round(3))
wanted = [place for _, *place in dict.fromkeys(rounded)]
near("kml latitude", [latitude for _, latitude, _ in line], [latitude for _, latitude, _ in wanted], 1.1e-8)

vbo = fetch("vbo").decode()
names = vbo.split("[column names]\r\n")[1].split("\r\n")[0].split(" ")
data = pandas.read_csv(io.StringIO(vbo.split("[data]\r\n")[1]), sep=" ", names=names, dtype={"time": str})
near("vbo velocity", data.velocity, points.speed, 1e-9)
near("vbo latitude", data.lat / 60, points.latitude, 2e-9)
near("vbo longitude", -data.long / 60, points.longitude, 2e-9)

motec = pandas.read_csv(io.BytesIO(fetch("motec-csv")), skiprows=10, header=[0, 1])
near("motec speed", motec["Ground Speed"]["km/h"], points.speed, 1e-9)
near("motec time", numpy.diff(motec["Time"]["s"]), numpy.diff(points.timestamp), 2e-6)

chrono = pandas.read_csv(io.BytesIO(fetch("racechrono")), skiprows=9, header=[0, 1, 2])
near("racechrono speed", chrono["speed"]["m/s"]["100: gps"] * 3.6, points.speed, 1e-9)
near("racechrono time", chrono["timestamp"].iloc[:, 0], points.timestamp, 0)
near("racechrono lap", chrono["lap_number"].iloc[:, 0].fillna(-1), points.lap_number.fillna(-1), 0)
print("all files agree")
