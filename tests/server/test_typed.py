"""Threads read into types that are whole: msgspec makes what it knows of a type at the first use."""

from __future__ import annotations

import subprocess
import sys

#: msgspec asks a function of its own, written in Python, for the fields of each type it meets first.
ASKED = """
import sys
import msgspec
from hansa.server.app import create_app
from hansa.server.config import Config
from hansa.server.typed import structs

create_app(Config(data=sys.argv[1]))
asked = []

def look(frame, event, _argument):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        asked.append(str(frame.f_locals["obj"]))

known = list(structs())
sys.setprofile(look)
for each in known:
    msgspec.json.Decoder(each)
msgspec.json.Decoder(msgspec.defstruct("New", ["field"]))
sys.setprofile(None)
print(len(known), *asked)
"""


def test_no_type_is_first_looked_at_by_the_threads_of_a_server(tmp_path):
    """Two threads at the first game of a server: one of them found half a type, and all was over."""
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(tmp_path)], capture_output=True, text=True, check=True
    )
    count, *asked = done.stdout.split(maxsplit=1)
    assert int(count) > 100
    assert asked == ["<class '__main__.New'>\n"], "only the one that was made just now"
