"""Servers that code empties: all topics, buckets, databases or queues are listed, and each deleted.

    admin.deleteTopics(admin.listTopics().names().get())              all
    for b in s3.list_buckets()["Buckets"]: s3.delete_bucket(b)        all
    for t in topics: if t.startswith("test-"): admin.delete(t)        chosen
    KafkaAdminClient("localhost:9092")                                this machine's own

Names that are only left out (`__consumer_offsets`, `admin`, `local`) choose nothing.
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.erasing.brackets import inner
from signoff.actions.contents.erasing.deletions import in_literal
from signoff.actions.contents.erasing.folders import code_in
from signoff.actions.vocabulary import lazy_re2

_MOST = 30
_BODY = 420  # characters behind the head of a loop
_THINGS = (
    r"(?:topics?|buckets?|databases?|db_?names?|schemas?|keyspaces?|queues?|ind(?:ices|exes)"
    r"|collections?|streams?|vaults?|clusters?|containers?"
    r"|namespaces?|file_?systems?|data_?sets?|tables?|repositor(?:y|ies)|repos|tenants?"
    r"|subscriptions?|volumes?|disks?|droplets?|servers?|vms?"
    r"|instances?|share_?s|stacks?|projects?)"
)
_OF_SERVERS = (
    r"(?:topics?|buckets?|databases?|db_?names?|keyspaces?|queues?|ind(?:ices|exes)|collections?"
    r"|streams?|vaults?|clusters?|namespaces?"
    r"|file_?systems?|tables?|tenants?|volumes?|stacks?)"
)
# `x = admin.list_topics()...`, `list_topics` of Kafka, S3, Mongo, Cassandra, Elasticsearch, SQS.
_LISTS = lazy_re2(
    rf"(?i)\b(?:list|show|get|describe|fetch|enumerate|find)_?(?:all_?)?{_OF_SERVERS}(?:_?names?"
    rf"|Async|Async\(\)|Paginator|Command|Pages)?\s*[(!]"
    rf"|\b{_OF_SERVERS}\.(?:list|all|list_all|get_all|listAll|get_?alias|each)\s*[(!]?"
    rf"|\bindices\.get(?:_?alias)?\(\s*[\"'(]?\*?"
    r"|\bcat\.indices\(|[\"'`]\s*SHOW\s+(?:DATABASES|TABLES)\b|[\"'`][^\"'`\n]{0,60}\bpg_database\b"
)
_IS_GIVEN = lazy_re2(
    r"(?m)[$@]?\b([A-Za-z_]\w*)(?:\s*,\s*\w+)?(?:\s*:\s*[\w<>?\[\], .]{1,60})?\s*(?::=|<-"
    r"|=)\s*(?:await\s+)?([^\n]*(?:\n[ \t]*[.|][^\n]*){0,6})"
)
_LOOP = lazy_re2(
    r"(?m)\bfor(?:each)?\b[^\n]{0,30}?\b[$]?(\w+)\)?\s*(?:in\b|of\b|:=\s*range|<-|:)\s*([^\n]+)$"
    r"|\bforeach\s*\(([^\n]+?)\s+as\s+[^\n]*?\$(\w+)\)"
    r"|([^\n]+?)\.(?:each|forEach|foreach|map|for_each)\s*(?:do|\{"
    r"|\()\s*\(?(?:async\s*)?\(?\|?(\w*)"
)
_DELETES = lazy_re2(
    rf"(?i)\b\w*(?:delete|remove|drop|destroy|purge"
    rf"|del)_?(?:all_?)?(?:{_THINGS})?(?:_?recursive(?:ly)?|Command|Async|_?named)?\s*!?\s*\(\s*"
    r"|\b(?:DROP\s+(?:DATABASE|SCHEMA|TABLE|KEYSPACE)|TRUNCATE)\b\s*"
)
# Some are left out, which leaves all that count; or some are chosen, by name, age or number.
_LEAVES_OUT = lazy_re2(
    r"(?im)[^\n]*(?:starts_?with|prefix|\bnot\s+in\b|!=|!==|<>|\.contains|includes|has_?prefix"
    r"|isInternal|reject|filterNot|\bin\b)[^\n]*"
    r"(?:[\"'](?:_{1,2}\w*|\.\w*|admin|local|config|system\w*|information_schema|mysql"
    r"|performance_schema|sys|postgres|template[01]?|master"
    r"|tempdb|model|msdb|default|kube-\w+)[\"']|[iI]nternal)[^\n]*(?:\n\s*(?:continue"
    r"|next)\b[^\n]*)?"
)
_CHOOSES = lazy_re2(
    r"(?i)\bif\b|\bunless\b|\bwhere\b|\bwhen\b|filter|older|cutoff|retention|\bkeep|expire"
    r"|\bskip\b|\bgrep\b|select\s*[({]|reject|starts_?with|hasprefix"
    r"|\bdry|\btest|\btmp|\btemp|orphan|stale|empty|like\s+'|endswith|contains\("
)
_CLIENT = lazy_re2(
    r"(?i)kafka|admin_?client|\bs3|boto|aws|mongo|psycopg|\bpg\b|pg_|postgres|mysql|mariadb"
    r"|sqlserver|elastic|opensearch|solr|sqs|pub_?sub|cassandra|cql"
    r"|scylla|redis|gcs|google\.cloud|azure|blob|rabbit|amqp|nats|kinesis|dynamo|hvac|k8s|kube"
    r"|minio|swift|ceph|couch|neo4j|influx|clickhouse|snowflake"
    r"|bigquery|pulsar|zookeeper|consul|etcd|databricks|glacier|efs\b"
)
# What a developer empties many times a day counts in production alone.
_SMALL = lazy_re2(
    r"(?i)tables?|collections?|volumes?|stacks?|streams?|schemas?|instances?|projects?"
)
_IN_PRODUCTION = lazy_re2(
    r"(?i)\bprod(?:uction|uccion|uktion|uksjon|ukcja|uctie|ucao)?\b|[-_.@/\"']prod[-_.:/\"']"
    r"|\blive\b|uretim\b|PROD_|_PROD\b"
)
_OWN = lazy_re2(
    r"(?i)localhost|127\.0\.0\.1|\[?::1\]?:|testcontainers|embedded|emulator|localstack|minio:"
    r"|\bmock|:memory:|in_?memory|fake|kind-|minikube"
    r"|docker-compose|host\.docker|[\"'](?:test|testing|dev|development|ci|staging|e2e"
    r"|sandbox)[\"']|TEST_|_TEST\b|_test\b|ephemeral"
)
_ASKS = lazy_re2(
    r"(?i)\binput\s*\(|readline|\bgets\b|\bconfirm|prompt|Read-Host|readLineSync|Console\.Read"
    r"|scanln|\bdry_?-?run"
)


def emptied_server(text: str) -> str:
    """Return what deletes each of all that a server holds, "" if nothing does."""
    listed = _LISTS.search(text)
    if listed is None or _DELETES.search(text) is None:
        return ""
    head = code_in(text)
    if _OWN.search(head) or _ASKS.search(head) or _CLIENT.search(head) is None:
        return ""
    if _SMALL.search(listed.group()) is not None and _IN_PRODUCTION.search(head) is None:
        return ""
    names = _listed_names(head)
    return _at_once(head, names) or _one_by_one(head, names)


def _listed_names(text: str) -> frozenset[str]:
    """The names that hold all, also by way of another name; a filter takes them out."""
    names: set[str] = set()
    for match in islice(_IS_GIVEN.finditer(text), 4 * _MOST):
        said = str(match.group(2))
        if (_LISTS.search(said) or _mentions(said, frozenset(names))) and not _is_chosen(said):
            names.add(str(match.group(1)))
    return frozenset(names)


def _at_once(text: str, names: frozenset[str]) -> str:
    """All in one call: `deleteTopics(names)`."""
    for match in islice(_DELETES.finditer(text), _MOST):
        if in_literal(text, match.start()) or not match.group().rstrip().endswith("("):
            continue
        said = inner(text, match.end())
        first = said.partition(",")[0].strip("&* \t\n[]{}")
        if first in names or (_LISTS.search(said) is not None and not _is_chosen(said)):
            return str(match.group()) + first
    return ""


def _one_by_one(text: str, names: frozenset[str]) -> str:
    for match in islice(_LOOP.finditer(text), _MOST):
        listed = str(match.group(2) or match.group(3) or match.group(5) or "")
        variable = str(match.group(1) or match.group(4) or match.group(6) or "it")
        if not (_LISTS.search(listed) or _mentions(listed, names)) or _is_chosen(listed):
            continue
        body = text[match.end() : match.end() + _BODY]
        deleted = _DELETES.search(body)
        if deleted is None:
            continue
        said = body[deleted.start() : deleted.end() + 120].partition("\n\n")[0]
        if _mentions(said, frozenset({variable, "it", "_"})) and not _is_chosen(
            body[: deleted.start()]
        ):
            return " ".join(str(match.group()).split())
    return ""


def _is_chosen(said: str) -> bool:
    return _CHOOSES.search(_LEAVES_OUT.sub("", said)) is not None


def _mentions(said: str, names: frozenset[str]) -> bool:
    any_of = "|".join(sorted(names))
    return bool(names) and re2.search(rf"\b(?:{any_of})\b", said) is not None
