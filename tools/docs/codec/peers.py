"""Bytes that zstd and Parquet take for the columns that measureCodec.ts has written: FOLDER/peers.json.

    python3 -m venv VENV && VENV/bin/pip install zstandard pyarrow numpy
    VENV/bin/python tools/docs/codec/peers.py FOLDER

zstd compresses a whole column at once, which suits it better than the service's blocks of 4,096 values do. A column is a Parquet
file of its own; its footer is left out of the count: a file has it once, whatever its columns.
"""

import io
import json
import sys
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet as parquet
import zstandard

folder = Path(sys.argv[1])
best_zstd = zstandard.ZstdCompressor(level=19)


def parquet_bytes(values, **options):
    table = pyarrow.table({"value": pyarrow.array(values, from_pandas=False)})
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    file = parquet.ParquetFile(io.BytesIO(out.getvalue()))
    return sum(
        file.metadata.row_group(group).column(0).total_compressed_size
        for group in range(file.metadata.num_row_groups)
    )


def best_parquet(values):
    """The least of what its encodings take, with zstd at 19, as floats of 32 bits where all values are such."""
    zstd = {"compression": "zstd", "compression_level": 19}
    floats = values.astype("<f4")
    same = numpy.array_equal(floats.astype("<f8").view("<u8"), values.view("<u8"))
    return min(
        parquet_bytes(kept, **zstd, **encoding)
        for kept in ([values, floats] if same else [values])
        for encoding in (
            {"use_dictionary": True},
            {"use_dictionary": False},
            {"use_dictionary": False, "use_byte_stream_split": True},
        )
    )


peers = []
for entry in json.loads((folder / "columns.json").read_text()):
    values = numpy.fromfile(folder / entry["file"], dtype="<f8")
    peers.append(
        {
            "zstd": len(best_zstd.compress(values.tobytes())),
            "parquet": parquet_bytes(values),
            "bestParquet": best_parquet(values),
        }
    )
(folder / "peers.json").write_text(json.dumps(peers))
