"""The APIs a model can be behind, and which one the settings mean.

model = open_model(settings.evaluator, key=settings.evaluator_key)
"""

from __future__ import annotations

from typing import assert_never

from signoff.challenge.evaluators.anthropic_model import AnthropicModel
from signoff.challenge.evaluators.chosen import EvaluatorSettings, ModelApi
from signoff.challenge.evaluators.model import Model
from signoff.challenge.evaluators.openai_compatible import OpenAiCompatibleModel
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.outbound.patience import RetryPolicy


def open_model(chosen: EvaluatorSettings, *, key: str) -> Model:
    """Build the model that the settings name; nothing is sent yet.

    Raises:
        BadSettings: its address is not allowed.
    """
    endpoint = OutboundEndpoint.parse(chosen.base_url)
    patience = RetryPolicy(timeout_s=chosen.timeout_s)
    match chosen.api:
        case ModelApi.ANTHROPIC:
            return AnthropicModel(name=chosen.model, endpoint=endpoint, key=key, patience=patience)
        case ModelApi.OPENAI:
            return OpenAiCompatibleModel(
                name=chosen.model, endpoint=endpoint, key=key, patience=patience
            )
        case _:
            assert_never(chosen.api)
