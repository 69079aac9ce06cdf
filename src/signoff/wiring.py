"""Settings in, a ready gate out: the only place that builds things.

gate = build_gate()                          # as configured for this user
gate = build_gate(load_settings(project))    # and for the project at this root
"""

from __future__ import annotations

from collections.abc import Sequence

import signoff
from signoff.approvals import LazyApprovals, build_costs, build_metered
from signoff.assess.level import Level
from signoff.challenge.channels.host import HostChannel
from signoff.challenge.channels.notify import Notifier
from signoff.challenge.evaluator import Evaluator, PolicyTexts
from signoff.challenge.ladder import Ladder
from signoff.challenge.replies import ReplyReader
from signoff.challenge.request import Channel
from signoff.challenge.words.reply_reader import ModelReplyReader
from signoff.challenge.words.story import SessionStory
from signoff.challenge.words.summary import ModelSummarizer, PlainSummarizer, Summarizer
from signoff.effects.dispatch import Effects, Handler
from signoff.effects.store import Store
from signoff.gate import Gate
from signoff.judgement import (
    RulesSource,
    build_judge,
    build_memory,
    build_rules,
    guard_paths,
    load_settings_here,
    shipped_rules,
)
from signoff.redaction.redact import Redactor
from signoff.settings import ChannelName, Settings
from signoff.storage.installation import installation_key, this_machine
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.reading import Readable
from signoff.storage.sqlite import SqliteStore
from signoff.storage.transcripts.recorded import transcript_of_record
from signoff.storage.transcripts.transcript import transcript_of_session

__all__ = [
    "RulesSource",
    "build_channels",
    "build_costs",
    "build_evaluator",
    "build_gate",
    "build_judge",
    "build_ladder",
    "build_memory",
    "build_notifier",
    "build_reply_reader",
    "build_rules",
    "build_store",
    "build_story",
    "build_summarizer",
    "guard_paths",
    "load_settings_here",
    "shipped_rules",
]


def build_gate(
    settings: Settings | None = None,
    *,
    channels: Sequence[Channel] | None = None,
    store: Store | None = None,
    handlers: Sequence[Handler] = (),
    rules: RulesSource | None = None,
    ladder: Ladder | None = None,
) -> Gate:
    """Build the gate these settings describe.

    Args:
        settings: None = those of this user and of the project around the working folder.
        channels: asked in order instead of the configured ones; () = nobody is asked.
        store: keeps the record instead of the configured file.
        rules: gives the rules in force instead of what follows the configured files.
        ladder: asks instead of what is configured, for a daemon with channels of its own.

    Raises:
        BadSettings: a settings file or variable is refused.
        StoreError: the key of this installation cannot be made or read.
    """
    chosen = settings or load_settings_here()
    kept = store or build_store(chosen)
    effects = Effects(
        kept,
        Redactor(installation_key(chosen.key_file)),
        origin=this_machine(signoff.__version__),
        handlers=handlers,
    )
    return Gate(
        build_memory(chosen, kept),
        build_judge(chosen, rules=rules),
        ladder=ladder or build_ladder(chosen, channels),
        effects=effects,
        locks=LockFile(chosen.locks_file),
    )


def build_store(settings: Settings) -> SqliteStore:
    """Build the store of the record; nothing is opened before it is used."""
    return SqliteStore(settings.record_file, busy_timeout_s=settings.limits.busy_timeout_s)


def build_ladder(settings: Settings, channels: Sequence[Channel] | None = None) -> Ladder:
    """Build who is asked in this process: grants, the model, then the configured channels.

    Args:
        channels: the only ones asked; () = nobody.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    if channels is not None:
        return Ladder(channels)
    asking = LazyApprovals(settings)
    chosen = settings.evaluator
    return Ladder(
        build_channels(settings, asking),
        evaluator=build_evaluator(settings, policies=asking),
        standing=asking,
        outcomes=asking,
        model_up_to=chosen.up_to.level if chosen else Level.HIGH,
    )


def build_channels(settings: Settings, asking: LazyApprovals | None = None) -> tuple[Channel, ...]:
    """Build the configured channels, in order; all that people answer later on are one."""
    people = asking or LazyApprovals(settings)
    names = dict.fromkeys(name is ChannelName.HOST for name in settings.channels)
    return tuple(HostChannel() if is_host else people for is_host in names)


def build_evaluator(settings: Settings, *, policies: PolicyTexts | None = None) -> Evaluator | None:
    """Build the model that is asked before people, None if none is configured.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    chosen = settings.evaluator
    if chosen is None:
        return None
    # Only who asks a model pays for loading what it takes.
    from signoff.challenge.evaluators.llm import LlmEvaluator  # noqa: PLC0415 - see above
    from signoff.challenge.evaluators.registry import open_model  # noqa: PLC0415 - see above
    from signoff.challenge.evaluators.requests import RequestEvaluator  # noqa: PLC0415 - see above

    return RequestEvaluator(
        LlmEvaluator(
            chosen.model,
            chosen.threshold,
            policies,
            build_costs(settings),
            model_api=open_model(chosen, key=settings.evaluator_key),
            mask=Redactor(installation_key(settings.key_file)),
        )
    )


def build_reply_reader(settings: Settings) -> ReplyReader | None:
    """Build the model that reads replies no explicit form covers, None if none is configured."""
    metered = build_metered(settings)
    return ModelReplyReader(metered) if metered else None


def build_summarizer(settings: Settings) -> Summarizer:
    """Build what tells a session's story so far: a model, else its last turns as they are.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    mask = Redactor(installation_key(settings.key_file))
    metered = build_metered(settings)
    return ModelSummarizer(metered=metered, mask=mask) if metered else PlainSummarizer(mask=mask)


def build_story(settings: Settings, record: Readable) -> SessionStory:
    """Build what tells the story behind a request: by the host's transcript, else the record.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    return SessionStory(
        sources=(
            lambda session: transcript_of_session(settings.home, session),
            lambda session: transcript_of_record(record, session=session),
        ),
        summarizer=build_summarizer(settings),
    )


def build_notifier(settings: Settings) -> Notifier | None:
    """Build what tells people on other services, None if none are configured.

    Raises:
        BadSettings: Apprise is not installed, or does not know an address.
        StoreError: the key of this installation cannot be made or read.
    """
    if not settings.notify_urls:
        return None
    return Notifier(settings.notify_urls, mask=Redactor(installation_key(settings.key_file)))
