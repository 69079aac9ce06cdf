"""Documents of this machine that a tool edits: a drawing, a model, a score, a scene, a sheet.

A program that runs here changes its document as an editor changes a file of source. The end of a
path that is handed over tells it from a thing in a service, which has neither path nor end.

    edits_document(("art/logo.svg",), {"filePath": "art/logo.svg", "scale": 2}, resize)     True
    edits_document(("art/logo.svg",), {"path": "art/logo.svg"}, publish)                    False
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.verbs import Lead
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import words

_EDITS = words(
    "edit update write draw design apply insert add move resize rename replace set modify change"
    " transform align group duplicate create append fill paint route place"
)
_DOCUMENT_ENDS = (
    *(".pen", ".fig", ".sketch", ".xd", ".drawio", ".dio", ".excalidraw", ".tldr", ".puml", ".mmd"),
    *(".svg", ".ai", ".afdesign", ".psd", ".kra", ".xcf", ".ase", ".aseprite", ".blend", ".fbx"),
    *(".obj", ".stl", ".step", ".stp", ".iges", ".dxf", ".dwg", ".fcstd", ".scad", ".skp", ".3dm"),
    *(".kicad_sch", ".kicad_pcb", ".sch", ".brd", ".tscn", ".tres", ".unity", ".uasset", ".umap"),
    *(".mscz", ".mscx", ".musicxml", ".mid", ".midi", ".als", ".rpp", ".aup3", ".kdenlive"),
    *(".qgz", ".qgs", ".odt", ".ods", ".odp", ".odg", ".docx", ".xlsx", ".pptx", ".tex", ".bib"),
)
_MOST = 50  # arguments
_READ = 500  # characters of each, for the address it may be


def edits_document(paths: Iterable[str], arguments: Mapping[str, Json], lead: Lead) -> bool:
    """Return whether a tool with this leading verb edits a document, and sends it nowhere."""
    is_edit = lead.verb is Verb.WRITE and lead.word in _EDITS
    return (
        is_edit
        and any([path.lower().endswith(_DOCUMENT_ENDS) for path in paths])
        and not any(["://" in str(value)[:_READ] for value in islice(arguments.values(), _MOST)])
    )
