"""The attacks on signoff itself, each with a protection that it shows when that is missing.

An attack is a set of tests that attack real processes. Its control runs some of them against a
build without the protection: there they must fail.
"""

from __future__ import annotations

from dataclasses import dataclass

SERVER = "tests/frontends/server"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedteamControl:
    """What is broken on purpose, and which test must then fail.

    Args:
        tests: node ids of pytest; one of them at least must fail.
        file: path inside the package.
        old, new: the text that is replaced there, and by what.
    """

    tests: tuple[str, ...]
    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RedteamAttack:
    """One attack.

    Args:
        threats: numbers of docs/threats.md.
        tests: files or node ids of pytest.
        least: so many single attempts must have been made.
        needs: what may be missing here, so that attempts are skipped; "" = nothing.
    """

    name: str
    threats: tuple[str, ...]
    tests: tuple[str, ...]
    least: int
    control: RedteamControl
    needs: str = ""


ATTACKS = (
    RedteamAttack(
        name="requests and answers edited in the database",
        threats=("T-61",),
        tests=(f"{SERVER}/test_state_edits_process.py",),
        least=15,
        control=RedteamControl(
            tests=(
                f"{SERVER}/test_state_edits_process.py"
                "::test_a_used_approval_that_is_set_back_is_not_used_again",
            ),
            file="challenge/proofs/ledger.py",
            old="if entry.is_spoilt or (wrong := _wrong(entry, pending)):",
            new='if entry.is_spoilt and (wrong := ""):',
        ),
    ),
    RedteamAttack(
        name="approvers, mode, policies and locks changed in files",
        threats=("T-63",),
        tests=(f"{SERVER}/test_standing_edits_process.py",),
        least=8,
        control=RedteamControl(
            tests=(
                f"{SERVER}/test_standing_edits_process.py"
                "::test_the_mode_is_not_set_in_the_database",
            ),
            file="storage/confirmed/views.py",
            old="super().mode() is Mode.LOCAL and self._in_force.standing.mode is Mode.LOCAL",
            new="super().mode() is Mode.LOCAL",
        ),
    ),
    RedteamAttack(
        name="entries removed from the record",
        threats=("T-62",),
        tests=("tests/storage/test_seen_head.py",),
        least=10,
        control=RedteamControl(
            tests=("tests/storage/test_seen_head.py",),
            file="storage/sqlite.py",
            old="if not seen.seq or seen == head:",
            new="if True:",
        ),
    ),
    RedteamAttack(
        name="an agent's calls that would answer for a person",
        threats=("T-43", "T-55"),
        tests=("tests/assess/test_self_approval.py", "tests/e2e/test_self_approval_e2e.py"),
        least=380,
        control=RedteamControl(
            tests=("tests/assess/test_self_approval.py",),
            file="assess/detectors/self_protection.py",
            old="        if line is not None:",
            new="        if line is None:",
        ),
        needs="Claude Code",
    ),
    RedteamAttack(
        name="an agent's processes that answer with nothing in front of them",
        threats=("T-43",),
        tests=(
            f"{SERVER}/test_self_approval_process.py",
            f"{SERVER}/test_forged_sign_in_process.py",
            f"{SERVER}/test_terminal_approval_process.py",
            f"{SERVER}/test_signing_in_process.py",
        ),
        least=40,
        control=RedteamControl(
            tests=(f"{SERVER}/test_signing_in_process.py",),
            file="serving/peer.py",
            old="    if agents.started(process):",
            new="    if False:",
        ),
    ),
    RedteamAttack(
        name="secrets in calls, searched for in every file, page, message and prompt",
        threats=("T-29", "T-52"),
        tests=(
            "tests/redaction/test_secret_places.py",
            "tests/redaction/test_nothing_kept.py",
            f"{SERVER}/test_secrets_process.py",
        ),
        least=150,
        control=RedteamControl(
            tests=("tests/redaction/test_secret_places.py",),
            file="redaction/calls.py",
            old="        yield from secrets_of_command(command, described)",
            new="        yield from ()",
        ),
    ),
    RedteamAttack(
        name="a flood of questions",
        threats=("T-58",),
        tests=("tests/challenge/test_waiting_calls.py", f"{SERVER}/test_busy_process.py"),
        least=5,
        control=RedteamControl(
            tests=("tests/challenge/test_waiting_calls.py",),
            file="challenge/pending.py",
            old="        if of_session >= self.per_session:",
            new="        if of_session < 0:",
        ),
    ),
    RedteamAttack(
        name="connections that say nothing",
        threats=("T-58",),
        tests=(f"{SERVER}/test_idle_connections_process.py", f"{SERVER}/test_connections.py"),
        least=6,
        control=RedteamControl(
            tests=(f"{SERVER}/test_connections.py",),
            file="serving/connections.py",
            old="        if len(self._open) > self._limit:",
            new="        if False:",
        ),
    ),
    RedteamAttack(
        name="words that keep the judgement busy",
        threats=("T-66",),
        tests=("tests/assess/detectors/test_workaround.py",),
        least=20,
        control=RedteamControl(
            tests=(
                "tests/assess/detectors/test_workaround.py"
                "::test_two_slashes_at_the_front_end_the_search",
            ),
            file="assess/detectors/workaround.py",
            old="for folder in folders_from(path) if",
            new='for folder in iter(lambda: "//", "") if',
        ),
    ),
    RedteamAttack(
        name="a judgement that does not end",
        threats=("T-66",),
        tests=("tests/test_time_limit.py",),
        least=4,
        control=RedteamControl(
            tests=("tests/test_time_limit.py::test_work_that_hides_the_error_is_ended_again",),
            file="serving/time_limit.py",
            old="        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s, AGAIN_S)",
            new="        pass",
        ),
    ),
    RedteamAttack(
        name="requests of web pages, and malformed ones",
        threats=("T-06", "T-42"),
        tests=(f"{SERVER}/test_hostile_requests.py", "tests/frontends/test_strict_json.py"),
        least=140,
        control=RedteamControl(
            tests=(f"{SERVER}/test_hostile_requests.py::test_a_foreign_host_is_refused",),
            file="frontends/server/wire/shield.py",
            old="        if host is None or host not in hosts:",
            new="        if False:",
        ),
    ),
    RedteamAttack(
        name="a hook whose line or client ends silently, or by a signal",
        threats=("T-01", "T-02", "T-04"),
        tests=(
            "tests/frontends/hosts/test_launch.py",
            "tests/frontends/client/test_hook_client.py",
        ),
        least=200,
        control=RedteamControl(
            tests=("tests/frontends/client/test_hook_client.py",),
            file="frontends/client/exchange.py",
            old="        posix._exit(2)\n\n\ndef run",
            new="        posix._exit(0)\n\n\ndef run",
        ),
    ),
    RedteamAttack(
        name="another user's agent against the service",
        threats=("T-64",),
        tests=(f"{SERVER}/test_service_process.py",),
        least=30,
        control=RedteamControl(
            tests=(f"{SERVER}/test_service_process.py::test_an_agents_user_may_ask_for_decisions_only",),
            file="frontends/server/wire/callers.py",
            old='        return "" if is_own or (scope["method"], path) in FOR_ALL else ADMIN_ONLY',
            new='        return ""',
        ),
        needs="root",
    ),
    RedteamAttack(
        name="a policy bundle that is forged, cut, or signed by another key",
        threats=("T-70",),
        tests=("tests/storage/bundles/test_bundle.py", "tests/frontends/fleet/test_bundle_pull.py"),
        least=35,
        control=RedteamControl(
            tests=("tests/storage/bundles/test_bundle.py::test_every_changed_character_is_refused",),
            file="storage/bundles/bundle.py",
            old="    if note.root != _digest(payload.encode()):",
            new="    if False:",
        ),
    ),
    RedteamAttack(
        name="an older policy bundle, or one that has expired",
        threats=("T-70",),
        tests=(
            "tests/storage/bundles/test_bundle.py::test_versions_only_grow",
            "tests/test_bundled.py::test_a_bundle_that_has_expired_stays_in_force_and_is_told",
            f"{SERVER}/test_bundle_process.py",
        ),
        least=5,
        control=RedteamControl(
            tests=("tests/storage/bundles/test_bundle.py::test_versions_only_grow",),
            file="storage/bundles/stored_bundle.py",
            old="    if bundle.version < now.version:",
            new="    if False:",
        ),
    ),
    RedteamAttack(
        name="a machine's own files that loosen a policy bundle",
        threats=("T-70",),
        tests=("tests/test_bundled.py",),
        least=10,
        control=RedteamControl(
            tests=("tests/test_bundled.py::test_nothing_of_a_loose_file_holds",),
            file="bundled_policy/own_file.py",
            old="        parties=max(shared.parties, own.parties),",
            new="        parties=own.parties,",
        ),
    ),
    RedteamAttack(
        name="forged and foreign tokens of an identity provider",
        threats=("T-71",),
        tests=(f"{SERVER}/test_oidc_process.py",),
        least=27,
        control=RedteamControl(
            tests=(f"{SERVER}/test_oidc_process.py::test_a_token_that_is_not_good_signs_nobody_in",),
            file="frontends/web/oidc/provider.py",
            old='                options={"require": REQUIRED},',
            new='                options={"require": REQUIRED, "verify_aud": False},',
        ),
        needs="PyJWT",
    ),
    RedteamAttack(
        name="a token of an identity provider that is used again for another sign-in",
        threats=("T-71",),
        tests=(f"{SERVER}/test_oidc_process.py::test_a_token_that_is_not_good_signs_nobody_in",),
        least=17,
        control=RedteamControl(
            tests=(f"{SERVER}/test_oidc_process.py::test_a_token_that_is_not_good_signs_nobody_in",),
            file="frontends/web/oidc/provider.py",
            old='        if not is_same_secret(flow.nonce, str(claims.get("nonce"))):',
            new="        if False:",
        ),
        needs="PyJWT",
    ),
    RedteamAttack(
        name="claims of an identity provider that give no role, or a lower one",
        threats=("T-71",),
        tests=(f"{SERVER}/test_oidc_process.py::test_claims_give_a_role",),
        least=4,
        control=RedteamControl(
            tests=(f"{SERVER}/test_oidc_process.py::test_claims_give_a_role",),
            file="frontends/web/oidc/sign_in.py",
            old="if values & set(wanted)]",
            new="if values]",
        ),
        needs="PyJWT",
    ),
    RedteamAttack(
        name="a service token on a route outside of its scopes, or after its revocation",
        threats=("T-72",),
        tests=(f"{SERVER}/test_service_tokens_process.py",),
        least=4,
        control=RedteamControl(
            tests=(
                f"{SERVER}/test_service_tokens_process.py::test_a_token_is_good_for_its_scope_alone",
            ),
            file="frontends/server/wire/service_tokens.py",
            old='        return "" if is_covered else "scope"',
            new='        return ""',
        ),
    ),
    RedteamAttack(
        name="a service token that has expired",
        threats=("T-72",),
        tests=(
            f"{SERVER}/test_service_tokens_process.py"
            "::test_an_expired_token_and_a_damaged_file_let_nobody_in",
        ),
        least=1,
        control=RedteamControl(
            tests=(
                f"{SERVER}/test_service_tokens_process.py"
                "::test_an_expired_token_and_a_damaged_file_let_nobody_in",
            ),
            file="frontends/server/wire/service_tokens.py",
            old="        if found is None or time.time() >= found.expires_s:",
            new="        if found is None:",
        ),
    ),
    RedteamAttack(
        name="answers, grants and requests of a shared store edited without the key",
        threats=("T-73",),
        tests=(
            f"{SERVER}/test_shared_edits_process.py",
            f"{SERVER}/test_shared_requests_process.py",
            "tests/storage/postgresql/test_answer_store.py",
        ),
        least=29,
        control=RedteamControl(
            tests=(f"{SERVER}/test_shared_edits_process.py",),
            file="challenge/proofs/seal.py",
            old="        if is_same_secret(self._mac(prefix, parts), seal):",
            new="        if seal:",
        ),
        needs="PostgreSQL",
    ),
    RedteamAttack(
        name="answers under request ids written into a shared store",
        threats=("T-73",),
        tests=("tests/storage/postgresql/test_answer_store.py",),
        least=15,
        control=RedteamControl(
            tests=(
                "tests/storage/postgresql/test_answer_store.py"
                "::test_a_row_that_was_changed_answers_nothing",
            ),
            file="storage/postgresql/approvals/answers.py",
            old='            if not self._seal.made(KEPT_PREFIX, parts, row["seal"]):',
            new="            if False:",
        ),
        needs="PostgreSQL",
    ),
)  # fmt: skip
