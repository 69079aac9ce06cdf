"""Tells what programs hand in by a protocol: logs, traces, reports of browsers, searches, prompts.

They hold what attackers sent to others, and nothing of it is run. A caller chooses the path and the
form of a request, so neither is enough: the path must be the protocol's, and the whole document
must be of its members. Whatever stands beside them makes it a request like any other.

    syntax_of_report("/v1/logs", "", '{"resourceLogs": []}')              ->  Syntax.LOG
    syntax_of_report("/v1/logs", "", '{"resourceLogs": [], "name": "x"}') ->  None
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.contexts.syntax import Syntax

BODY_LIMIT = 1 << 20
LINES_LIMIT = 2_000


class ReportProtocol(Struct, frozen=True):
    """A protocol by which browsers and programs report data.

    Args:
        path: where programs send to; "" for any path.
        members: all the names that its documents have at their top.
        kind: part of the media type that browsers give, "" for any.
        needs: one of these must be there.
        own: what a name begins with that the sender may choose, "" for none.
    """

    path: re.Pattern[str]
    syntax: Syntax
    members: frozenset[str]
    kind: str = ""
    needs: frozenset[str] = frozenset()
    own: str = ""


_ANY = re.compile(r"")
_SENTRY = frozenset(
    (
        *("event_id", "dsn", "sdk", "sent_at", "trace", "length", "content_type", "filename"),
        *("type", "timestamp", "platform", "level", "logger", "transaction", "server_name"),
        *("release", "dist", "tags", "environment", "modules", "extra", "fingerprint", "errors"),
        *("exception", "message", "logentry", "threads", "breadcrumbs", "user", "request"),
        *("contexts", "debug_meta", "stacktrace", "spans", "start_timestamp", "measurements"),
        *("transaction_info", "culprit", "project", "key_id", "_meta", "attachment_type"),
    )
)
_DATADOG_VISIT = frozenset(
    (
        *("type", "date", "view", "session", "error", "action", "resource", "long_task", "service"),
        *("version", "env", "application", "usr", "context", "display", "connectivity", "_dd"),
        *("source", "ddtags", "synthetics", "ci_test", "feature_flags", "privacy", "device", "os"),
    )
)
_ELASTIC = frozenset(
    (
        *("create", "index", "@timestamp", "message", "tags", "labels", "event", "log", "host"),
        *("agent", "ecs", "input", "fileset", "service", "source", "destination", "client"),
        *("server", "user", "user_agent", "url", "http", "network", "process", "file", "container"),
        *("kubernetes", "cloud", "error", "trace", "transaction", "span", "data_stream", "stream"),
        # A line of a web server, taken apart.
        *("clientip", "ident", "auth", "timestamp", "verb", "request", "httpversion", "response"),
        *(
            "bytes",
            "referrer",
            "status",
            "method",
            "remote_addr",
            "remote_user",
            "body_bytes_sent",
            "ua",
        ),
    )
)
_MODEL = frozenset(
    (
        *(
            "model",
            "messages",
            "stream",
            "temperature",
            "top_p",
            "top_k",
            "max_tokens",
            "n",
            "stop",
        ),
        *("max_completion_tokens", "presence_penalty", "frequency_penalty", "logit_bias", "user"),
        *("tools", "tool_choice", "response_format", "seed", "logprobs", "top_logprobs", "system"),
        *(
            "input",
            "encoding_format",
            "dimensions",
            "prompt",
            "suffix",
            "prefix",
            "echo",
            "best_of",
        ),
        *("metadata", "store", "instructions", "reasoning", "parallel_tool_calls", "service_tier"),
        *("stream_options", "thinking", "stop_sequences", "truncate", "options", "keep_alive"),
    )
)
_SEARCH = frozenset(
    (
        *("query", "size", "from", "sort", "aggs", "aggregations", "_source", "fields", "params"),
        *(
            "highlight",
            "track_total_hits",
            "search_after",
            "pit",
            "timeout",
            "min_score",
            "explain",
        ),
        *("stored_fields", "docvalue_fields", "post_filter", "collapse", "index", "id", "version"),
    )
)
_PROTOCOLS = (
    ReportProtocol(
        re.compile(r"(?:/[\w-]+){0,3}/v1/logs/?\Z"), Syntax.LOG, frozenset({"resourceLogs"})
    ),
    ReportProtocol(
        re.compile(r"(?:/[\w-]+){0,3}/v1/(?:traces|metrics)/?\Z"),
        Syntax.REPORT,
        frozenset({"resourceSpans", "resourceMetrics"}),
    ),
    ReportProtocol(
        re.compile(r"(?:/[\w-]+)?/loki/api/v1/push/?\Z"), Syntax.LOG, frozenset({"streams"})
    ),
    ReportProtocol(
        re.compile(r"/services/collector(?:/event)?/?\Z"),
        Syntax.LOG,
        frozenset({"event", "time", "host", "source", "sourcetype", "index", "fields"}),
    ),
    ReportProtocol(
        re.compile(r"/api/[\w-]{1,40}/(?:envelope|store)/?\Z|/api/sentry/envelope/?\Z"),
        Syntax.LOG,
        _SENTRY,
        needs=frozenset({"event_id", "exception", "message", "logentry", "transaction", "spans"}),
    ),
    ReportProtocol(  # Datadog
        re.compile(r"/api/v2/logs/?\Z|/v1/input(?:/\w+)?\Z"),
        Syntax.LOG,
        frozenset(
            (
                *("ddsource", "ddtags", "hostname", "message", "service", "status"),
                *("timestamp", "host", "level", "date"),
            )
        ),
        needs=frozenset({"ddsource", "ddtags"}),
    ),
    ReportProtocol(  # Datadog: what a browser saw of a visit, one event a line
        re.compile(r"/api/v2/(?:rum|replay)/?\Z"),
        Syntax.LOG,
        _DATADOG_VISIT,
        needs=frozenset({"session", "view"}),
    ),
    ReportProtocol(  # Elastic: an action, then what was recorded
        re.compile(r"(?:/[\w.-]+)?/_bulk/?\Z"),
        Syntax.LOG,
        _ELASTIC,
        kind="ndjson",
        needs=frozenset({"@timestamp"}),
    ),
    ReportProtocol(
        re.compile(
            r"(?:/[\w.-]+){0,4}/(?:chat/completions|v1/(?:completions|embeddings|responses|messages)"
            r"|api/embed(?:dings)?)/?\Z"
        ),
        Syntax.PROMPT,
        _MODEL,
        needs=frozenset({"model", "prompt", "prefix"}),
    ),
    ReportProtocol(  # Elasticsearch, OpenSearch, Kibana
        re.compile(
            r"(?:/[\w.*,-]+){0,2}/_(?:search|msearch|count|async_search)/?\Z"
            r"|/internal/search/(?:es|ese)/?\Z"
        ),
        Syntax.SEARCH,
        _SEARCH,
        needs=frozenset({"query", "aggs", "params"}),
    ),
    ReportProtocol(  # Graylog: fields of the sender's own begin with `_`
        re.compile(r"/gelf/?\Z"),
        Syntax.LOG,
        frozenset(
            (
                *("version", "host", "short_message", "full_message", "timestamp", "level"),
                *("facility", "line", "file"),
            )
        ),
        needs=frozenset({"short_message"}),
        own="_",
    ),
    ReportProtocol(  # SARIF: what an analysis of source found
        re.compile(r"(?:/[\w.-]+){0,6}/sarifs?/?\Z"),
        Syntax.LOG,
        frozenset({"$schema", "version", "runs", "inlineExternalProperties", "properties"}),
        needs=frozenset({"runs"}),
    ),
    ReportProtocol(  # osquery: rows that were asked for
        re.compile(r"(?:/[\w.-]+){0,5}/distributed/write/?\Z"),
        Syntax.LOG,
        frozenset({"node_key", "queries", "statuses", "messages", "stats"}),
        needs=frozenset({"queries"}),
    ),
    ReportProtocol(  # CrowdSec: what a machine saw and banned
        re.compile(r"/v1/alerts/?\Z"),
        Syntax.LOG,
        frozenset(
            (
                *("scenario", "scenario_hash", "scenario_version", "message", "events", "source"),
                *("events_count", "start_at", "stop_at", "capacity", "leakspeed", "simulated"),
                *("decisions", "meta", "labels", "uuid", "machine_id", "created_at", "id", "kind"),
                "remediation",
            )
        ),
        needs=frozenset({"scenario"}),
    ),
    ReportProtocol(_ANY, Syntax.LOG, frozenset({"csp-report"}), kind="csp-report"),
    ReportProtocol(
        _ANY,
        Syntax.LOG,
        frozenset({"type", "url", "body", "age", "user_agent"}),
        kind="reports+json",
    ),
)
# What each path above has in it.
_NEAR = re.compile(
    r"/v1/|/v2/(?:logs|rum|replay)|/push|/collector|/envelope|/store|/_bulk|/completions|/embed"
    r"|/_[ams]\w*search|/_search|/_count|/internal/search|/gelf|/sarif|/distributed/"
)
# Series and lines of logs by a range of time: Prometheus, Loki.
_RANGES = re.compile(
    r"(?:/[\w-]+){0,3}/api/v1/query_range/?\Z|(?:/[\w-]+)?/loki/api/v1/(?:query|tail)/?\Z"
)
_OF_RANGES = frozenset(
    (
        *("query", "start", "end", "step", "time", "timeout", "limit", "direction", "since"),
        *("interval", "dedup", "partial_response", "max_source_resolution", "engine"),
    )
)
# Splunk
_JOBS = re.compile(r"(?:/[\w.-]+){0,8}/search/(?:v2/)?jobs(?:/export|/oneshot)?/?\Z")
_OF_JOBS = frozenset(
    (
        *("search", "earliest_time", "latest_time", "output_mode", "adhoc_search_level", "id"),
        *("exec_mode", "count", "max_count", "max_time", "status_buckets", "rf", "auto_cancel"),
        *("auto_pause", "preview", "timeout", "search_mode", "namespace", "enable_lookups", "now"),
        *("sample_ratio", "provenance", "indexedRealtime", "ui_dispatch_app", "field_list"),
    )
)
_ACTING = re.compile(
    r"\|\s*(?:script|run|runshellscript|sendemail|sendalert|dbxquery|rest|map|outputcsv|delete"
    r"|outputlookup|collect|mcollect|localop|external|crawl|savedsearch)\b",
    re.IGNORECASE,
)
# Parts of a search that are run.
_RUN = frozenset(
    (
        *("script", "source", "inline", "init_script", "map_script", "combine_script", "lang"),
        *("reduce_script", "script_fields", "runtime_mappings"),
    )
)
# A line of a container, as Fluentd and Vector send it.
_LINE = frozenset(
    (
        *("log", "stream", "time", "date", "kubernetes", "tag", "source", "container_id"),
        *("container_name", "attrs", "@timestamp"),
    )
)
_STREAMS = ("stdout", "stderr")
_CALL = frozenset({"jsonrpc", "id", "method", "params"})
_EDITOR = re.compile(r"(?:textDocument|workspace)/\w+")


def syntax_of_report(path: str, content_type: str, body: Json) -> Syntax | None:
    """Return the syntax of the values in a report's body, None if it is no report."""
    is_near_one = _NEAR.search(path) is not None or "report" in content_type
    for one in _PROTOCOLS if is_near_one else ():
        is_near = one.kind in content_type and one.path.match(path) is not None
        if is_near and (one.kind or one.path is not _ANY) and _is_of(one, body):
            return one.syntax
    if _may_hold(body, '"stream"') and _is_of_containers(body):
        return Syntax.LOG
    return None


def asked_by(path: str, names: Set[str]) -> str:
    """Return the parameter by which a request asks a store of logs or measurements, "" if none."""
    if "/api/v1/" in path and _RANGES.match(path) is not None and names <= _OF_RANGES:
        return "query"
    is_job = "/search/" in path and _JOBS.match(path) is not None and names <= _OF_JOBS
    return "search" if is_job else ""


def only_searches(search: str) -> bool:
    """Return whether a search starts no program, sends nothing and changes nothing."""
    return _ACTING.search(search) is None


def is_run_by_search(name: str) -> bool:
    """Return whether a part of a search is a program of the search service."""
    return name in _RUN


def is_of_editor(body: Json) -> bool:
    """Return whether a body is exactly a call of the Language Server Protocol."""
    if not _may_hold(body, '"jsonrpc"'):
        return False
    calls = _documents(body)
    return len(calls) == 1 and _is_editor_call(calls[0])


def _is_editor_call(call: Mapping[str, Json]) -> bool:
    is_plain = call.keys() <= _CALL and call.get("jsonrpc") == "2.0"
    return is_plain and _EDITOR.fullmatch(str(call.get("method", ""))) is not None


def _is_of(protocol: ReportProtocol, body: Json) -> bool:
    documents = _documents(body)
    names = {name.partition(".")[0] for one in documents for name in one}
    has_needed = not protocol.needs or not protocol.needs.isdisjoint(names)
    if protocol.own:
        names = {name for name in names if not name.startswith(protocol.own)}
    return bool(names) and names <= protocol.members and has_needed


def _is_of_containers(body: Json) -> bool:
    documents = _documents(body)
    is_line = all(one.keys() <= _LINE and "log" in one for one in documents)
    return is_line and any(one.get("stream") in _STREAMS for one in documents)


def _may_hold(body: Json, sign: str) -> bool:
    return not isinstance(body, str) or sign in body[:BODY_LIMIT]


def _documents(body: Json) -> tuple[Mapping[str, Json], ...]:
    """Return the objects a body is made of: one, a list, or one a line; () for anything else."""
    read = _loaded(body) if isinstance(body, str) else body
    found = read if isinstance(read, (list, tuple)) else (read,)
    objects = tuple(one for one in found if isinstance(one, Mapping))
    return objects if len(objects) == len(found) else ()


def _loaded(body: str) -> Json:
    if len(body) > BODY_LIMIT:
        return None
    try:
        return json.loads(body)  # type: ignore[no-any-return]  # what JSON is
    except (ValueError, RecursionError):
        return _lines(body.split("\n", LINES_LIMIT))


def _lines(lines: Iterable[str]) -> Json:
    try:
        return [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        return None
