"""Data sets as they lie on disk: their rows, and each row as a request to the verifier that it is for.

`rows_in` streams JSON, JSONL, Parquet and what Hugging Face's `save_to_disk` writes, `placed_rows` goes on
behind what is no row; `READERS` know public data sets by their columns; `guess` finds the one that fits.
"""

from verifleet.readers.files import File, files_in, joined, no_rows, placed_rows, rows_in
from verifleet.readers.shapes import READERS, Reader, guess, reader_named

__all__ = [
    "READERS",
    "File",
    "Reader",
    "files_in",
    "guess",
    "joined",
    "no_rows",
    "placed_rows",
    "reader_named",
    "rows_in",
]
