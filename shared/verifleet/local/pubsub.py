"""The ordinary Pub/Sub clients for the commands that talk to a fleet, here or in a Google Cloud project."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verifleet.errors import PublishError, SettingsError, TransientError
from verifleet.local.addresses import Addresses
from verifleet.settings import settings

EMULATOR = "PUBSUB_EMULATOR_HOST"


def choose_fleet(project: str | None, port_offset: int) -> str:
    """The project to talk to; without one the local fleet's, whose broker is made sure to answer.

    Raises TransientError when no fleet answers: the clients themselves would try for minutes.
    """
    if project is not None:
        return project
    if port_offset or EMULATOR not in os.environ:
        os.environ[EMULATOR] = Addresses(port_offset).broker
    broker = os.environ[EMULATOR]
    host, _, port = broker.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except (OSError, ValueError):
        raise TransientError(
            f"no fleet answers at {broker}; start it with `verifleet up`, or name its --port-offset"
        ) from None
    return settings().google_cloud_project


@contextmanager
def pubsub(project: str | None, port_offset: int) -> Iterator[tuple[str, Any, Any]]:
    """(project, PublisherClient, SubscriberClient).

    What Pub/Sub refuses is raised as PublishError, credentials that are missing or expired as SettingsError.
    """
    project = choose_fleet(project, port_offset)
    from google.api_core.exceptions import GoogleAPICallError, GoogleAPIError
    from google.auth.exceptions import GoogleAuthError
    from google.cloud.pubsub_v1 import PublisherClient

    try:
        publisher, subscriber = PublisherClient(), _subscriber()
    except GoogleAuthError as error:
        raise SettingsError(_no_credentials(project)) from error
    try:
        yield project, publisher, subscriber
    except GoogleAuthError as error:
        raise SettingsError(_no_credentials(project)) from error
    except GoogleAPIError as error:
        why = error.message if isinstance(error, GoogleAPICallError) else str(error)
        raise PublishError(f"Pub/Sub of {project} refuses: {why}") from error
    finally:
        publisher.stop()
        subscriber.close()


def _no_credentials(project: str) -> str:
    here = Addresses(0).broker
    return (
        f"no usable Google Cloud credentials for the project {project}: for the fleet on this machine leave --project "
        f"out or `export {EMULATOR}={here}`; for Google Cloud run `gcloud auth application-default login`"
    )


def _subscriber() -> Any:
    from google.cloud.pubsub_v1 import SubscriberClient

    if EMULATOR not in os.environ:
        return SubscriberClient()
    # Against an emulator the client keeps gRPC's 4 MiB for what it receives, less than one message may have.
    import grpc
    from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

    channel = grpc.insecure_channel(os.environ[EMULATOR], options=[("grpc.max_receive_message_length", -1)])
    return SubscriberClient(transport=SubscriberGrpcTransport(channel=channel))
