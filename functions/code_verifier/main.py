"""The code verifier's function: admits programs, has the code-runner job judge them, hands out the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving.app import cloud_function, verifier_app
from verifleet.serving.code import EXPECTS, CodeDispatch
from verifleet.storage import open_store

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; clients are made on the first request."""
    publisher = PubSubPublisher(settings)
    dispatch = CodeDispatch(settings, open_store(settings), publisher)
    return verifier_app(
        "code", dispatch, settings=settings, publisher=publisher, expects=EXPECTS, handler=dispatch.handle
    )


code_verifier = cloud_function("code_verifier", build)
