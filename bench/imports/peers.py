"""Reads a file by another program's reader, and prints what that took: {"values", "cpu": s, "peak": bytes}."""
import json
import resource
import sys
import time


def of_pyirsdk(path):
    import irsdk

    ibt = irsdk.IBT()
    ibt.open(path)
    values = sum(len(ibt.get_all(name)) for name in ibt.var_headers_names)
    ibt.close()
    return values


def of_libibt(path):
    import libibt

    return sum(table.num_rows for table in libibt.ibt(path).channels.values())


def of_pandas(path):
    import pandas

    with open(path, encoding="utf8") as text:
        while text.readline().strip() != "[data]":
            pass
        return pandas.read_csv(text, sep=r"\s+", header=None).size


reader, path = sys.argv[1:]
before = time.process_time()
values = globals()["of_" + reader](path)
cpu = time.process_time() - before
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"values": values, "cpu": cpu, "peak": peak}))
