"""Settings in, a ready gate out: the only place that builds things.

gate = build_gate()                          # as configured for this user
gate = build_gate(load_settings(project))    # and for the project at this root
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.resources import files
from typing import Protocol, assert_never

import signoff
from signoff.assess.assessment import Judge
from signoff.assess.pack import PACKS, Policy
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.channels.host import HostChannel
from signoff.challenge.channels.notify import Notifier
from signoff.challenge.channels.terminal import TerminalChannel
from signoff.challenge.evaluator import Evaluator
from signoff.challenge.evaluators.metered import Metered
from signoff.challenge.ladder import Ladder
from signoff.challenge.replies import ReplyReader
from signoff.challenge.request import Channel
from signoff.challenge.words.reply_reader import ModelReplyReader
from signoff.challenge.words.summary import ModelSummarizer, PlainSummarizer, Summarizer
from signoff.effects.costs import Costs
from signoff.effects.dispatch import Effects, Handler
from signoff.effects.redact import Redactor
from signoff.effects.store import Store
from signoff.gate import Gate
from signoff.settings import ChannelName, Settings, load_settings
from signoff.storage.costs.cost_file import CostFile
from signoff.storage.installation import installation_key, this_machine
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.project import find_project
from signoff.storage.recall import Recall
from signoff.storage.rules_in_force import RulesInForce
from signoff.storage.sqlite import SqliteStore


class PolicyTexts(Protocol):
    """Whatever gives people's policies in words."""

    def format_for_llm(self, tool: str) -> str:
        """Return the policies of a tool and the global ones as a list."""


class RulesSource(Protocol):
    """Whatever gives the rules in force."""

    def current(self) -> RuleSet:
        """Return the rules in force."""


def build_gate(
    settings: Settings | None = None,
    *,
    channels: Sequence[Channel] | None = None,
    store: Store | None = None,
    handlers: Sequence[Handler] = (),
    rules: RulesSource | None = None,
) -> Gate:
    """Build the gate these settings describe.

    Args:
        settings: None = those of this user and of the project around the working folder.
        channels: asked in order instead of the configured ones; () = nobody is asked.
        store: keeps the record instead of the configured file.
        rules: gives the rules in force instead of what follows the configured files.

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
        ladder=Ladder(build_channels(chosen) if channels is None else channels),
        effects=effects,
        locks=LockFile(chosen.locks_file),
    )


def load_settings_here() -> Settings:
    """Read the settings of this user and of the project around the working folder."""
    project = find_project(os.getcwd(), home=os.path.expanduser("~"))
    return load_settings(project.root)


def build_store(settings: Settings) -> SqliteStore:
    """Build the store of the record; nothing is opened before it is used."""
    return SqliteStore(settings.record_file, busy_timeout_s=settings.limits.busy_timeout_s)


def build_memory(settings: Settings, store: Store) -> Recall:
    """Build what gathers facts."""
    return Recall(
        store=store,
        home=settings.home,
        guard_paths=guard_paths(settings),
        file_limit=settings.limits.files,
        script_bytes=settings.limits.script_bytes,
    )


def build_judge(settings: Settings, *, rules: RulesSource | None = None) -> Judge:
    """Build the judgement: rules that follow their files, and the policy."""
    source = rules or build_rules(settings)
    policy = Policy(
        pack=PACKS[settings.pack.value], lines=settings.lines, at_least=settings.at_least
    )
    return Judge(rules=source.current, policy=policy)


def build_rules(settings: Settings) -> RulesInForce:
    """Build what keeps the rules in force."""
    return RulesInForce(
        pack=shipped_rules(),
        user_file=settings.rules_file,
        project_file=settings.project_file,
    )


def shipped_rules() -> RuleSet:
    """Read the rules that ship with signoff."""
    pack = files("signoff.assess.rules") / "packs" / "default.yaml"
    return load_rules(pack.read_text(encoding="utf-8"), file="default.yaml")


def build_channels(settings: Settings) -> tuple[Channel, ...]:
    """Build the configured channels, in order."""
    return tuple(_channel(name, settings) for name in settings.channels)


def build_costs(settings: Settings) -> Costs:
    """Build what keeps the costs of model calls, with the budget of the day."""
    chosen = settings.evaluator
    return Costs(
        CostFile(settings.costs_file),
        budget_cents=chosen.daily_budget_cents if chosen else None,
    )


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
    metered = _metered(settings)
    return ModelReplyReader(metered) if metered else None


def build_summarizer(settings: Settings) -> Summarizer:
    """Build what tells a session's story so far: a model, else its last turns as they are.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    mask = Redactor(installation_key(settings.key_file))
    metered = _metered(settings)
    return ModelSummarizer(metered=metered, mask=mask) if metered else PlainSummarizer(mask=mask)


def build_notifier(settings: Settings) -> Notifier | None:
    """Build what tells people on other services, None if none are configured.

    Raises:
        BadSettings: Apprise is not installed, or does not know an address.
        StoreError: the key of this installation cannot be made or read.
    """
    if not settings.notify_urls:
        return None
    return Notifier(settings.notify_urls, mask=Redactor(installation_key(settings.key_file)))


def _metered(settings: Settings) -> Metered | None:
    """Build the configured model with its purse, None if none is configured."""
    chosen = settings.evaluator
    if chosen is None:
        return None
    from signoff.challenge.evaluators.registry import open_model  # noqa: PLC0415 - TLS once more

    model = open_model(chosen, key=settings.evaluator_key)
    return Metered(model, chosen.model, build_costs(settings))


def guard_paths(settings: Settings) -> tuple[str, ...]:
    """Return signoff's own files and folders: what an agent must not touch."""
    own = (
        settings.config_dir,
        settings.state_dir,
        os.path.dirname(os.path.abspath(signoff.__file__)),
        settings.project_file,
    )
    return tuple(path for path in own if path)


def _channel(name: ChannelName, settings: Settings) -> Channel:
    """Build one channel."""
    match name:
        case ChannelName.TERMINAL:
            return TerminalChannel(
                min_review_s=settings.limits.min_review_s,
                timeout_s=settings.limits.answer_timeout_s,
            )
        case ChannelName.HOST:
            return HostChannel()
        case _:
            assert_never(name)
