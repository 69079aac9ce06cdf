"""Images and registries: copying, signing, scanning, deleting.

Copying to a registry publishes; scanning and inspecting reads; deleting in a registry is remote.
"""

from __future__ import annotations

from signoff.actions.operation import Thing, Verb
from signoff.actions.programs.acts import Act, local, reads, remote
from signoff.actions.programs.infra.containers import LOOK, PULL, STOP
from signoff.actions.programs.infra.deeds import GONE as FAR_GONE
from signoff.actions.programs.infra.deeds import INERT, LOGS_IN, SHOWS_SECRET
from signoff.actions.programs.infra.services import service
from signoff.actions.programs.program import Handler, Program, program, sub

PUSHED = remote(Verb.PUBLISH, Thing.IMAGE)
SIGNING: dict[str, Act | Handler] = {
    "verify | verify-attestation | verify-blob | tree | triangulate | inspect | list | "
    "public-key | "
    "version | search | get | loginfo | logproof | manifest verify | initialize": LOOK,
    "generate-key-pair | generate-key | key": local(Verb.CONFIGURE, Thing.SETTING, reversible=True),
    "sign | attest | attach | copy | upload | load": PUSHED,
    "sign-blob | attest-blob | download | save": LOOK,
    "clean": FAR_GONE,
    "login": LOGS_IN,
}
PROGRAMS: tuple[Program, ...] = (
    program(
        "dive ctop lazydocker docker-slim slim hadolint dockle trivy grype syft clair dockviz "
        "dockdiver docker-debug podman-tui dry cntr whaler container-diff",
        reads(),
    ),
    program(
        "skopeo crane gcrane regctl oras",
        LOOK,
        subs={
            "copy cp sync push append mutate rebase tag flatten attach index": PUSHED,
            "delete": FAR_GONE,
            "pull blob export": PULL,
            "login": LOGS_IN,
            "logout help completion validate version": INERT,
            "gc inspect list-tags manifest digest ls config tag-ls catalog "
            "generate-sigstore-key": LOOK,
            "auth": sub(
                LOGS_IN, subs={"login": LOGS_IN, "get token": SHOWS_SECRET, "logout": INERT}
            ),
            "registry": sub(LOOK, subs={"serve": STOP, "login": LOGS_IN, "logout": INERT}),
        },
        handler=service(Thing.IMAGE),
    ),
    program("cosign notation rekor-cli", handler=service(Thing.IMAGE, special=SIGNING)),
)
