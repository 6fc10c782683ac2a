"""Durable documents: the Store protocol and what implements it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.errors import SettingsError
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.settings import Settings

__all__ = ["Document", "Store", "open_store"]


def open_store(settings: Settings) -> Store:
    """The store that `settings.store` names; connects on first use. Raises SettingsError."""
    if settings.store.startswith("sqlite:///"):
        from verifleet.storage.sqlite import SqliteStore

        return SqliteStore(settings.store.removeprefix("sqlite:///"))
    if settings.store == "firestore" or settings.store.startswith("firestore:"):
        from verifleet.storage.firestore import FirestoreStore

        return FirestoreStore(settings.google_cloud_project, settings.store.partition(":")[2] or "(default)")
    raise SettingsError(f"VERIFLEET_STORE: {settings.store!r} is not supported; use sqlite:///path or firestore")
