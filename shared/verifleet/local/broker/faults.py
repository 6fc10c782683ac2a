"""Faults that the broker tells its clients, each with its gRPC status."""

from __future__ import annotations

from typing import Any

import grpc


class BrokerError(Exception):
    """A request can't be served; `code` is the gRPC status that the client gets."""

    code: Any = grpc.StatusCode.INTERNAL


class InvalidArgumentError(BrokerError):
    """The request itself is wrong."""

    code = grpc.StatusCode.INVALID_ARGUMENT


class NotFoundError(BrokerError):
    """No such topic or subscription."""

    code = grpc.StatusCode.NOT_FOUND


class AlreadyExistsError(BrokerError):
    """A topic or subscription of this name exists."""

    code = grpc.StatusCode.ALREADY_EXISTS


class FailedPreconditionError(BrokerError):
    """The subscription is of a kind or in a state that does not allow the call."""

    code = grpc.StatusCode.FAILED_PRECONDITION


class NotImplementedHereError(BrokerError):
    """A part of Pub/Sub that this broker leaves out, by name."""

    code = grpc.StatusCode.UNIMPLEMENTED

    def __init__(self, feature: str) -> None:
        super().__init__(f"{feature}: left out of the local broker; Cloud Pub/Sub has it")


class UnavailableError(BrokerError):
    """The broker can't do it now (disk full, shutting down); the client retries."""

    code = grpc.StatusCode.UNAVAILABLE


class BrokerStartError(Exception):
    """The broker can't start; the text says what to do."""


class BrokerDataError(BrokerStartError):
    """The broker's data is damaged or incomplete: starting it again does not help, a person has to look."""
