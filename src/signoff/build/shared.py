"""Parts of one installation that several others work with, each built at its first use, and once.

shared = SharedParts(settings)
shared.redactor, shared.costs, shared.model
evaluator = shared.evaluator(policies)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from signoff.challenge.channels.notify import Notifier
from signoff.challenge.evaluator import Evaluator, PolicyTexts
from signoff.challenge.evaluators.model import Metered, Model
from signoff.challenge.proofs.steps import TeachBackValidator
from signoff.challenge.replies import ReplyReader
from signoff.challenge.terms.plan import TeachBackBy
from signoff.challenge.words.explaining import ModelTeachBack
from signoff.challenge.words.reply_reader import ModelReplyReader
from signoff.challenge.words.session_transcripts import SessionTranscripts
from signoff.challenge.words.summary import ModelSummarizer, PlainSummarizer, Summarizer
from signoff.effects.costs import Costs
from signoff.errors import BadSettings
from signoff.redaction.redact import Redactor
from signoff.settings import Settings
from signoff.storage.costs.cost_file import CostFile
from signoff.storage.installation import installation_key
from signoff.storage.reading import Readable
from signoff.storage.transcripts import transcript_of_record, transcript_of_session

KEPT = 16  # models that projects name beside the user's


class SharedParts:
    """Builds what several parts of a process share, each once: redactor, model, costs, notices.

    Args:
        settings: the user's settings; see `under` for a project's.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # Set by who signs checkpoints of the audit log; cards show it.
        self.log_state: Callable[[], str] = str
        self._others: list[SharedParts] = []

    def under(self, settings: Settings) -> SharedParts:
        """Return the parts for a project's settings; a new object only if the model differs."""
        # One model, one cache and one budget, however many projects use the same settings.
        for parts in (self, *self._others):
            if _model_of(parts.settings) == _model_of(settings):
                return parts
        made = SharedParts(settings)
        self._others = [*self._others[1 - KEPT :], made]
        return made

    @cached_property
    def redactor(self) -> Redactor:
        """The redactor with this installation's key.

        Raises:
            StoreError: the key of this installation cannot be made or read.
        """
        return Redactor(installation_key(self.settings.key_file))

    @cached_property
    def costs(self) -> Costs:
        """The tracker of model costs, with the daily budget."""
        chosen = self.settings.evaluator
        return Costs(
            CostFile(self.settings.costs_file),
            budget_cents=chosen.daily_budget_cents if chosen else None,
        )

    @cached_property
    def metered(self) -> Metered | None:
        """The configured model with cost tracking, None if none is configured."""
        chosen, model = self.settings.evaluator, self._model
        return Metered(model, chosen.model, self.costs) if chosen and model else None

    @cached_property
    def reply_reader(self) -> ReplyReader | None:
        """The model that interprets free-text replies, None if none is configured."""
        return ModelReplyReader(self.metered) if self.metered else None

    @cached_property
    def summarizer(self) -> Summarizer:
        """Summarises a session with the model; without a model it quotes the last turns.

        Raises:
            StoreError: the key of this installation cannot be made or read.
        """
        if self.metered is None:
            return PlainSummarizer(mask=self.redactor)
        return ModelSummarizer(metered=self.metered, mask=self.redactor)

    @cached_property
    def validator(self) -> TeachBackValidator | None:
        """Judges the meaning of explanations; None if only their words are checked.

        Raises:
            BadSettings: a model must do it, and none is configured.
            StoreError: the key of this installation cannot be created or read.
        """
        chosen = self.settings.approval.teach_back
        if chosen is TeachBackBy.WORDS:
            return None
        if self.metered is None:
            raise BadSettings(
                f"`approval.teach_back` is `{chosen.value}`, but there is no section `evaluator`"
            )
        is_required = chosen is TeachBackBy.MODEL_REQUIRED
        return ModelTeachBack(self.metered, self.redactor, is_required=is_required)

    @cached_property
    def notifier(self) -> Notifier | None:
        """Sends notices through Apprise, None if no service is configured.

        Raises:
            BadSettings: Apprise is not installed, or does not know an address.
            StoreError: the key of this installation cannot be made or read.
        """
        urls = self.settings.notify_urls
        address = self.settings.inbox_url
        return Notifier(urls, mask=self.redactor, address=address) if urls else None

    def evaluator(self, policies: PolicyTexts | None = None) -> Evaluator | None:
        """Build the model that is asked before people, None if none is configured or allowed.

        Args:
            policies: guidelines by people about tools, which the model is given.

        Raises:
            StoreError: the key of this installation cannot be made or read.
        """
        chosen, model = self.settings.evaluator, self._model
        if chosen is None or model is None or not self.settings.model_approves:
            return None
        # Only who asks a model pays for loading what it takes.
        from signoff.challenge.evaluators.llm import (  # noqa: PLC0415 - see above
            LlmEvaluator,
            RequestEvaluator,
        )

        return RequestEvaluator(
            LlmEvaluator(
                chosen.model,
                chosen.threshold,
                policies,
                self.costs,
                model_api=model,
                mask=self.redactor,
            )
        )

    def transcripts(self, record: Readable) -> SessionTranscripts:
        """Build what reads a session's last turns: from the host's transcript, else the audit log.

        Raises:
            StoreError: the key of this installation cannot be made or read.
        """
        home = self.settings.home
        return SessionTranscripts(
            sources=(
                lambda session: transcript_of_session(home, session),
                lambda session: transcript_of_record(record, session=session),
            ),
            summarizer=self.summarizer,
        )

    @cached_property
    def _model(self) -> Model | None:
        """The configured model's API; nothing is called yet."""
        chosen = self.settings.evaluator
        if chosen is None:
            return None
        # Only who asks a model pays for loading TLS.
        from signoff.challenge.evaluators.registry import open_model  # noqa: PLC0415 - see above

        return open_model(chosen, key=self.settings.evaluator_key)


def _model_of(settings: Settings) -> tuple[object, ...]:
    """Return what settings of projects may differ in here."""
    key, teach_back = settings.evaluator_key, settings.approval.teach_back
    return settings.evaluator, key, teach_back, settings.model_approves
