"""The APIs a model can be behind, and which one the settings mean.

model = open_model(settings.evaluator, key=settings.evaluator_key)
"""

from __future__ import annotations

from typing import assert_never

from signoff.challenge.evaluators.anthropic_model import AnthropicModel
from signoff.challenge.evaluators.chosen import Api, EvaluatorSettings
from signoff.challenge.evaluators.model import Model
from signoff.challenge.evaluators.openai_compatible import OpenAiCompatibleModel
from signoff.challenge.outbound.endpoint import Endpoint
from signoff.challenge.outbound.patience import Patience


def open_model(chosen: EvaluatorSettings, *, key: str) -> Model:
    """Return the model the settings mean; nothing is called yet.

    Raises:
        BadSettings: its address is refused.
    """
    endpoint = Endpoint.parse(chosen.base_url)
    patience = Patience(timeout_s=chosen.timeout_s)
    match chosen.api:
        case Api.ANTHROPIC:
            return AnthropicModel(name=chosen.model, endpoint=endpoint, key=key, patience=patience)
        case Api.OPENAI:
            return OpenAiCompatibleModel(
                name=chosen.model, endpoint=endpoint, key=key, patience=patience
            )
        case _:
            assert_never(chosen.api)
