"""MCP tool calls of every usual kind, and the verb and reach they mean."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.tools.mcp import understand_mcp

R, L, N, P = Reach.REMOTE, Reach.LOOPBACK, Reach.NONE, Reach.PROJECT
PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


def only(
    tool: str,
    arguments: dict[str, Json] | None = None,
    *,
    hints: dict[str, bool | int | float] | None = None,
    description: str = "",
) -> Operation:
    action = Action(
        tool=tool, arguments=arguments or {}, hints=hints or {}, description=description
    )
    (operation,) = understand_mcp(action)
    return operation


CASES: tuple[tuple[str, dict[str, Json], Verb, Reach], ...] = (
    # looking
    ("mcp__github__list_issues", {"repo": "a/b"}, Verb.READ, R),
    ("mcp__github__get_pull_request", {"number": 3}, Verb.READ, R),
    ("mcp__atlas__geocode", {"address": "x"}, Verb.READ, R),
    ("mcp__calc__evaluate", {"expression": "3 * sqrt(2)"}, Verb.INERT, N),
    ("mcp__github__list_releases", {}, Verb.READ, R),
    ("mcp__github__get_merge_status", {}, Verb.READ, R),
    ("mcp__github__search_code", {"query": "delete from users"}, Verb.READ, R),
    ("mcp__gitlab__list_merge_requests", {}, Verb.READ, R),
    ("mcp__jira__search_issues", {"project": "A"}, Verb.READ, R),
    ("mcp__linear__list_teams", {}, Verb.READ, R),
    ("mcp__slack__conversations_history", {"channel": "C1"}, Verb.READ, R),
    ("mcp__slack__list_channels", {}, Verb.READ, R),
    ("mcp__gmail__search_emails", {"query": "from:ann"}, Verb.READ, R),
    ("mcp__gmail__read_message", {"id": "1"}, Verb.READ, R),
    ("mcp__stripe__list_refunds", {}, Verb.READ, R),
    ("mcp__stripe__retrieve_balance", {}, Verb.READ, R),
    ("mcp__aws__describe_instances", {}, Verb.READ, R),
    ("mcp__kubernetes__get_pods", {"namespace": "web"}, Verb.READ, R),
    ("mcp__kubernetes__list_deployments", {}, Verb.READ, R),
    ("mcp__notion__get_page", {"id": "p"}, Verb.READ, R),
    ("mcp__postgres__list_tables", {}, Verb.READ, L),
    ("mcp__postgres__describe_table", {"table": "users"}, Verb.READ, L),
    ("mcp__mongodb__aggregate", {"collection": "a"}, Verb.READ, L),
    ("mcp__redis__get", {"key": "a"}, Verb.READ, L),
    ("mcp__sentry__find_errors", {}, Verb.READ, R),
    ("mcp__context7__resolve-library-id", {"libraryName": "x"}, Verb.READ, R),
    ("mcp__calendar__list_events", {}, Verb.READ, R),
    ("mcp__figma__get_screenshot", {"node": "1"}, Verb.READ, R),
    ("mcp__docker__list_containers", {}, Verb.READ, P),
    ("mcp__memory__search_nodes", {"query": "x"}, Verb.READ, N),
    ("mcp__ide__getDiagnostics", {}, Verb.READ, P),
    ("mcp__datadog__query_metrics", {"query": "avg:cpu"}, Verb.READ, R),
    ("mcp__drive__search_files", {"query": "plan"}, Verb.READ, R),
    # fetching and pages
    ("mcp__fetch__fetch", {"url": "https://example.org"}, Verb.NETWORK_IN, R),
    ("mcp__http__request", {"url": "http://localhost:3000/"}, Verb.NETWORK_IN, L),
    ("mcp__http__request", {"url": "https://e.org", "method": "POST"}, Verb.NETWORK_OUT, R),
    ("mcp__http__request", {"url": "https://e.org/1", "method": "DELETE"}, Verb.DELETE, R),
    ("mcp__brave__web_search", {"query": "how to drop a table"}, Verb.READ, R),
    ("mcp__firecrawl__scrape", {"url": "https://example.org"}, Verb.NETWORK_IN, R),
    ("mcp__playwright__browser_navigate", {"url": "http://localhost:80/"}, Verb.NETWORK_IN, L),
    ("mcp__playwright__browser_snapshot", {}, Verb.READ, N),
    ("mcp__playwright__browser_take_screenshot", {}, Verb.READ, N),
    ("mcp__playwright__browser_click", {"element": "Next page link"}, Verb.WRITE, N),
    ("mcp__playwright__browser_click", {"element": "Email address input"}, Verb.WRITE, N),
    ("mcp__playwright__browser_click", {"element": "Delete account button"}, Verb.DELETE, R),
    ("mcp__playwright__browser_click", {"element": "Pay now"}, Verb.SPEND, R),
    ("mcp__playwright__browser_type", {"text": "hello"}, Verb.WRITE, N),
    ("mcp__playwright__browser_file_upload", {"paths": ["a.pdf"]}, Verb.NETWORK_OUT, R),
    ("mcp__playwright__browser_evaluate", {"function": "() => document.title"}, Verb.EXECUTE, N),
    # computing
    ("mcp__calculator__calculate", {"expression": "1 + 1"}, Verb.INERT, N),
    ("mcp__time__convert_time", {"time": "10:00"}, Verb.INERT, N),
    ("mcp__time__get_current_time", {}, Verb.READ, N),
    ("mcp__sequential-thinking__sequentialthinking", {"thought": "delete it"}, Verb.INERT, N),
    # messages
    ("mcp__slack__post_message", {"channel": "C1", "text": "hi"}, Verb.NETWORK_OUT, R),
    ("mcp__slack__conversations_add_message", {"text": "hi"}, Verb.NETWORK_OUT, R),
    ("mcp__slack__reply_to_thread", {"text": "hi"}, Verb.NETWORK_OUT, R),
    ("mcp__gmail__send_email", {"to": "a@b.c"}, Verb.NETWORK_OUT, R),
    ("mcp__outlook__forward_message", {"to": "a@b.c"}, Verb.NETWORK_OUT, R),
    ("mcp__twilio__send_sms", {"to": "+1"}, Verb.NETWORK_OUT, R),
    ("mcp__github__create_issue", {"title": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__github__add_issue_comment", {"body": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__github__issue_create", {"title": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__linear__create_comment", {"body": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__twitter__post_tweet", {"text": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__discord__send_message", {"text": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__github__invite_collaborator", {"user": "x"}, Verb.NETWORK_OUT, R),
    ("mcp__calendar__create_event", {"attendees": ["a@b.c"]}, Verb.NETWORK_OUT, R),
    ("mcp__drive__share_file", {"email": "a@b.c"}, Verb.NETWORK_OUT, R),
    # own drafts, notes, calendar
    ("mcp__gmail__create_draft", {"to": "a@b.c"}, Verb.WRITE, N),
    ("mcp__gmail__draft_email", {"to": "a@b.c"}, Verb.WRITE, N),
    ("mcp__calendar__create_event", {"title": "focus"}, Verb.WRITE, N),
    ("mcp__memory__create_entities", {"entities": []}, Verb.WRITE, N),
    ("mcp__memory__add_observations", {}, Verb.WRITE, N),
    ("mcp__redis__set", {"key": "a"}, Verb.WRITE, L),
    # changes elsewhere
    ("mcp__jira__transition_issue", {"id": "A-1"}, Verb.WRITE, R),
    ("mcp__linear__update_issue", {"id": "A-1", "state": "done"}, Verb.WRITE, R),
    ("mcp__notion__update_page", {"id": "p"}, Verb.WRITE, R),
    ("mcp__github__create_branch", {"branch": "x"}, Verb.WRITE, R),
    ("mcp__github__create_pull_request", {"title": "x"}, Verb.WRITE, R),
    ("mcp__github__create_or_update_file", {"path": "a", "content": "x"}, Verb.WRITE, R),
    ("mcp__github__push_files", {"branch": "x"}, Verb.PUBLISH, R),
    ("mcp__github__merge_pull_request", {"number": 1}, Verb.PUBLISH, R),
    ("mcp__github__pull_request_merge", {"number": 1}, Verb.PUBLISH, R),
    ("mcp__plugin_ops_github__merge_pull_request", {"number": 1}, Verb.PUBLISH, R),
    ("mcp__vercel__deploy", {"project": "x"}, Verb.PUBLISH, R),
    ("mcp__npm__publish_package", {"name": "x"}, Verb.PUBLISH, R),
    ("mcp__aws__create_instance", {"type": "large"}, Verb.WRITE, R),
    ("mcp__aws__stop_instance", {"id": "i"}, Verb.CONTROL, R),
    ("mcp__aws__terminate_instances", {"id": "i"}, Verb.DELETE, R),
    ("mcp__kubernetes__scale_deployment", {"replicas": 0}, Verb.CONTROL, R),
    ("mcp__kubernetes__apply_manifest", {"manifest": "x"}, Verb.WRITE, R),
    ("mcp__jenkins__trigger_build", {"job": "x"}, Verb.EXECUTE, R),
    ("mcp__github__run_workflow", {"workflow": "x"}, Verb.EXECUTE, R),
    ("mcp__launchdarkly__toggle_flag", {"flag": "x"}, Verb.WRITE, R),
    ("mcp__cloudflare__disable_firewall", {}, Verb.CONFIGURE, R),
    ("mcp__vault__rotate_secret", {"name": "x"}, Verb.CONFIGURE, R),
    # access and money
    ("mcp__okta__grant_role", {"role": "viewer"}, Verb.PRIVILEGE, R),
    ("mcp__github__add_collaborator", {"user": "x"}, Verb.PRIVILEGE, R),
    ("mcp__github__update_team_permission", {"team": "x"}, Verb.PRIVILEGE, R),
    ("mcp__aws__revoke_access", {"user": "x"}, Verb.PRIVILEGE, R),
    ("mcp__bank__transfer", {"amount": 5, "to": "x"}, Verb.SPEND, R),
    ("mcp__bank__transfer", {"amount": "1e9", "to": "x"}, Verb.SPEND, R),
    ("mcp__stripe__create_refund", {"charge": "x"}, Verb.SPEND, R),
    ("mcp__stripe__create_payment_intent", {"amount": 5}, Verb.SPEND, R),
    ("mcp__alpaca__place_order", {"symbol": "X", "qty": 5}, Verb.SPEND, R),
    ("mcp__travel__book_flight", {"id": "x"}, Verb.SPEND, R),
    # deleting
    ("mcp__github__delete_repository", {"repo": "a/b"}, Verb.DELETE, R),
    ("mcp__github__delete_branch", {"branch": "x"}, Verb.DELETE, R),
    ("mcp__slack__delete_channel", {"channel": "x"}, Verb.DELETE, R),
    ("mcp__gmail__delete_email", {"id": "x"}, Verb.DELETE, R),
    ("mcp__aws__delete_bucket", {"bucket": "x"}, Verb.DELETE, R),
    ("mcp__kubernetes__delete_namespace", {"name": "x"}, Verb.DELETE, R),
    ("mcp__postgres__drop_table", {"table": "x"}, Verb.DELETE, L),
    ("mcp__redis__flushall", {}, Verb.EXECUTE, Reach.UNKNOWN),
    ("mcp__redis__flush_all", {}, Verb.DELETE, L),
    ("mcp__crm__get_and_delete_contact", {"id": "x"}, Verb.DELETE, R),
    ("mcp__crm__findAndRemove", {"id": "x"}, Verb.DELETE, R),
    # files and the local repository
    ("mcp__filesystem__read_file", {"path": "a.txt"}, Verb.READ, P),
    ("mcp__filesystem__list_directory", {"path": "."}, Verb.READ, P),
    ("mcp__filesystem__write_file", {"path": "a.txt", "content": "x"}, Verb.WRITE, P),
    ("mcp__filesystem__create_directory", {"path": "a"}, Verb.WRITE, P),
    ("mcp__filesystem__delete_file", {"path": "a.txt"}, Verb.DELETE, P),
    ("mcp__git__git_status", {}, Verb.READ, P),
    ("mcp__git__git_diff", {}, Verb.READ, P),
    ("mcp__git__git_log", {}, Verb.READ, P),
    ("mcp__git__git_commit", {"message": "delete"}, Verb.WRITE, P),
    ("mcp__git__git_add", {"files": ["a"]}, Verb.WRITE, P),
    ("mcp__git__git_create_branch", {"name": "x"}, Verb.WRITE, P),
    ("mcp__git__git_checkout", {"branch": "x"}, Verb.WRITE, P),
    ("mcp__git__git_push", {}, Verb.PUBLISH, R),
    ("mcp__git__git_reset", {}, Verb.WRITE, P),
    ("mcp__git__git_reset", {"mode": "hard"}, Verb.DELETE, P),
    ("mcp__ide__run_tests", {}, Verb.EXECUTE, P),
    # not told
    ("mcp__acme__frobnicate", {"x": 1}, Verb.EXECUTE, Reach.UNKNOWN),
    ("mcp__shell__run", {}, Verb.EXECUTE, Reach.UNKNOWN),
    ("mcp__acme__", {}, Verb.EXECUTE, Reach.UNKNOWN),
)


@pytest.mark.parametrize(
    ("tool", "arguments", "verb", "reach"), CASES, ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)]
)
def test_a_call_comes_down_to_its_verb_and_reach(
    tool: str, arguments: dict[str, Json], verb: Verb, reach: Reach
) -> None:
    """Every kind of tool is read by its name, server and arguments."""
    operation = only(tool, arguments)
    assert (operation.verb, operation.reach) == (verb, reach)


@pytest.mark.parametrize(
    ("tool", "arguments", "trait"),
    [
        ("mcp__github__delete_repository", {"repo": "a/b"}, Trait.WHOLE_STORE),
        ("mcp__aws__delete_bucket", {"bucket": "x"}, Trait.WHOLE_STORE),
        ("mcp__postgres__drop_table", {"table": "x"}, Trait.SCHEMA_LOSS),
        ("mcp__crm__delete_all_contacts", {}, Trait.BROAD),
        ("mcp__crm__delete_contacts", {"all": True}, Trait.BROAD),
        ("mcp__crm__delete_contact", {"id": "c1"}, Trait.NAMED),
        ("mcp__vault__get_secret", {"name": "x"}, Trait.READS_SECRET),
        ("mcp__cloudflare__disable_firewall", {}, Trait.WEAKENS),
        ("mcp__drive__set_permission", {"type": "anyone", "role": "reader"}, Trait.OPENS_ACCESS),
        ("mcp__drive__update_sharing", {"visibility": "public"}, Trait.OPENS_ACCESS),
        ("mcp__aws__authorize_ingress", {"cidr": "0.0.0.0/0"}, Trait.OPENS_ACCESS),
        ("mcp__okta__grant_role", {"role": "admin"}, Trait.OPENS_ACCESS),
        ("mcp__gmail__send_email", {"to": [f"u{n}@b.c" for n in range(20)]}, Trait.BULK),
        ("mcp__bank__bulk_payout", {"file": "x"}, Trait.BULK),
        ("mcp__git__git_reset", {"mode": "hard"}, Trait.LOSES_WORK),
        ("mcp__git__git_push", {"force": True}, Trait.LOSES_HISTORY),
        ("mcp__kubernetes__delete_pod", {"name": "x", "dry_run": True}, Trait.DRY_RUN),
        ("mcp__playwright__browser_file_upload", {"paths": ["a.pdf"]}, Trait.SENDS_FILES),
    ],
)
def test_arguments_and_names_say_what_else_is_true(
    tool: str, arguments: dict[str, Json], trait: Trait
) -> None:
    """Traits come from the words of the name and from the arguments."""
    assert trait in only(tool, arguments).traits


@pytest.mark.parametrize(
    "arguments", [{"env": "production"}, {"namespace": "prod"}, {"cluster": "eu-prod-1"}]
)
def test_production_among_the_arguments_widens_the_reach(arguments: dict[str, Json]) -> None:
    """A change says by its arguments that it is made to production."""
    assert only("mcp__kubernetes__scale_deployment", arguments).reach is Reach.PRODUCTION


def test_a_text_that_speaks_of_production_is_only_text() -> None:
    """Prose in an argument does not widen the reach."""
    operation = only("mcp__slack__post_message", {"text": "production is fine"})
    assert operation.reach is Reach.REMOTE


def test_counting_secrets_reads_none() -> None:
    """What is about credentials is not the credentials."""
    assert only("mcp__vault__list_secret_names").traits == frozenset()


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        ({"destructiveHint": True}, Verb.DELETE),
        ({"readOnlyHint": True}, Verb.WRITE),
        ({"destructiveHint": False, "readOnlyHint": True}, Verb.WRITE),
        ({}, Verb.WRITE),
    ],
)
def test_annotations_only_make_a_change_worse(
    hints: dict[str, bool | int | float], expected: Verb
) -> None:
    """A server that calls its changing tool read-only is not believed."""
    assert only("mcp__jira__update_issue", {"id": "1"}, hints=hints).verb is expected


def test_a_server_that_owns_up_to_changing_is_believed() -> None:
    """A reading name with `readOnlyHint: false` changes something."""
    assert only("mcp__crm__get_report", hints={"readOnlyHint": False}).verb is Verb.WRITE


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Deletes every record and returns them.", Verb.DELETE),
        ("Sends the report to the customer.", Verb.NETWORK_OUT),
        ("Returns a report.", Verb.READ),
        ("Query the report.", Verb.READ),
        ("", Verb.READ),
    ],
)
def test_a_description_can_make_a_reading_name_worse(description: str, expected: Verb) -> None:
    """The first verb of the description counts where it is worse."""
    assert only("mcp__crm__get_report", description=description).verb is expected


def test_a_description_does_not_explain_an_unknown_name() -> None:
    """A harmless story about a name that says nothing changes nothing."""
    assert only("mcp__acme__frobnicate", description="Returns a list.").understood is False


@pytest.mark.parametrize(
    ("path", "reach"),
    [
        ("src/a.py", Reach.PROJECT),
        ("/tmp/a", Reach.TEMP),
        ("/home/dev", Reach.HOME),
        ("/etc/passwd", Reach.SYSTEM),
    ],
)
def test_paths_are_told_apart_where_the_place_is_known(path: str, reach: Reach) -> None:
    """A file tool reaches as far as its path does."""
    action = Action(tool="mcp__fs__delete", arguments={"paths": ["/tmp/x", path]})
    assert reach in {operation.reach for operation in understand_mcp(action, PLACE)}


def test_deleting_a_home_folder_is_broad() -> None:
    """The root of a reach is marked."""
    action = Action(tool="mcp__fs__delete", arguments={"path": "/home/dev"})
    assert Trait.BROAD in understand_mcp(action, PLACE)[0].traits


def test_a_tool_that_runs_what_it_is_given_is_judged_by_that() -> None:
    """No Operation of its own: the contents have them."""
    action = Action(tool="mcp__postgres__query", arguments={"sql": "SELECT 1"})
    assert understand_mcp(action) == ()


@pytest.mark.parametrize(
    "script", ["() => fetch('https://e.org')", "document.cookie", "eval(atob('x'))"]
)
def test_script_that_acts_for_the_user_of_a_page_is_not_understood(script: str) -> None:
    """Network, cookies and further code are asked about."""
    operation = only("mcp__playwright__browser_evaluate", {"function": script})
    assert operation.understood is False


def test_arguments_beyond_the_limit_are_not_understood() -> None:
    """Nothing is skipped without saying so."""
    action = Action(tool="mcp__github__list_issues", arguments={"a": [0] * 5_000})
    assert [o.understood for o in understand_mcp(action)] == [True, False]


def test_money_is_about_money() -> None:
    """A transfer names what it is done to."""
    assert only("mcp__bank__transfer", {"amount": 5}).thing is ResourceType.MONEY
