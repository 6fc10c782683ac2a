"""`verifleet release`: new revisions of the functions take traffic once the labelled canaries pass on them, or never.

Terraform leaves a service's traffic as it is, and `hold` pins it to named revisions before an apply, so that what an
apply makes serves nobody. `release` then tags the newest revision of each function, lets the code runner's job probe
its isolation and the canaries' job ask the tagged revisions, and sends them all traffic; or else puts everything back,
the jobs' former containers included, which have no revisions of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifleet.errors import SettingsError, VerifleetError
from verifleet.messaging.topology import FUNCTIONS, cloud_name

TAG = "canary"
RUNNER_JOB, CANARIES_JOB = "code-runner", "canaries"
CALL_S = 30.0
"""For one call; operations that it starts are waited for much longer."""

Say = Callable[[str], None]
_BY_REVISION = "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION"


class RefusedError(VerifleetError):
    """The new revisions are not to serve; says why."""


@dataclass(frozen=True, slots=True)
class Held:
    """What served at one moment.

    Attributes:
        services: traffic targets of each service, by its name.
        jobs: what the tasks of each job are made of, by its name.
    """

    services: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    jobs: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    def write(self, file: Path) -> None:
        """Keep it in a file."""
        file.write_text(json.dumps({"services": self.services, "jobs": self.jobs}), encoding="utf-8")

    @classmethod
    def read(cls, file: Path) -> Held:
        """Read what `write` wrote; raises SettingsError."""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            return cls(dict(data["services"]), dict(data["jobs"]))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise SettingsError(f"{file} is not what `verifleet release --hold` writes: {error}") from None


class Release:
    """One installation's services and jobs, through the unmodified google-cloud-run clients.

    Args:
        project: Google Cloud project.
        region: of the services.
        prefix: of the installation's names.
        say: told each step.
        endpoint: another endpoint of the Admin API, called without credentials.
        timeout_s: for the canaries, the probe, and each change of traffic.
    """

    def __init__(
        self,
        project: str,
        region: str,
        prefix: str,
        say: Say,
        *,
        endpoint: str | None = None,
        timeout_s: float = 1200.0,
    ) -> None:
        self._place = f"projects/{project}/locations/{region}"
        self._prefix = prefix
        self._say = say
        self._timeout_s = timeout_s
        self._services, self._jobs = _clients(endpoint)

    def hold(self) -> Held:
        """Pin all traffic to the revisions that have it, and tell what serves; what is not there is left out."""
        held: dict[str, list[dict[str, Any]]] = {}
        changes = []
        for name, service in self._present():
            targets = _named(service)
            held[name] = [_as_data(target) for target in targets]
            if [_as_data(target) for target in service.traffic] != held[name]:
                changes.append((name, targets))
        self._set_traffic(changes)
        self._say(f"{len(held)} services keep the revisions that serve now")
        jobs = {name: json.loads(type(job.template).to_json(job.template)) for name, job in self._present_jobs()}
        return Held(held, jobs)

    def forward(self, held: Held | None = None) -> None:
        """Canaries, probe, then all traffic to the newest revisions; or everything back and RefusedError.

        Without `held`, what serves now is what is returned to, and jobs stay as they are.
        """
        services = dict(self._present())
        missing = [
            cloud_name(name, self._prefix) for name in FUNCTIONS if cloud_name(name, self._prefix) not in services
        ]
        if missing:
            raise RefusedError(f"there is no service {', '.join(missing)} in {self._place}")
        for name, service in services.items():
            if _last(service.latest_created_revision) != _last(service.latest_ready_revision):
                state = service.terminal_condition.message or "see its logs"
                self.back(held or Held())
                raise RefusedError(f"{name}: {_last(service.latest_created_revision)} is not ready: {state}")
        now = Held({name: [_as_data(target) for target in _named(service)] for name, service in services.items()})
        former = Held({**now.services, **(held or Held()).services}, (held or Held()).jobs)
        try:
            urls = self._tagged(services)
            self._execute(RUNNER_JOB, ["--probe"])
            self._say("programs are isolated and run")
            verifiers = {name.removesuffix("_verifier"): name for name in FUNCTIONS if name.endswith("_verifier")}
            pairs = [f"{kind}={urls[cloud_name(name, self._prefix)]}" for kind, name in verifiers.items()]
            self._execute(CANARIES_JOB, ["canaries", *(word for pair in pairs for word in ("--verifier", pair))])
            self._say("the canaries pass on the new revisions")
            # Receivers first: what a new function sends, an old one may not know yet.
            order = [cloud_name(name, self._prefix) for name in reversed(FUNCTIONS)]
            self._set_traffic((name, _all_on_newest(services[name])) for name in order)
        except BaseException as error:  # an interrupted release is put back as well
            self._say("the new revisions don't serve; putting back what did")
            self.back(former)
            if isinstance(error, RefusedError) and not former.jobs:
                said = f"{error}. The jobs keep the new image: no --held FILE says what they had"
                raise RefusedError(said) from error
            raise
        for name, service in services.items():
            self._say(f"{name}: all traffic to {_last(service.latest_ready_revision)}")

    def back(self, held: Held) -> None:
        """Send traffic and jobs back to what is held. Raises RefusedError for what could not be, after all the rest."""
        failed = []
        for change in held.services.items():
            try:
                self._set_traffic([(change[0], [_target(data) for data in change[1] if data.get("tag") != TAG])])
                self._say(f"{change[0]}: {', '.join(_told(data) for data in change[1] if data['percent'])}")
            except RefusedError as error:
                failed.append(str(error))
        for name, template in held.jobs.items():
            try:
                self._restore_job(name, template)
            except RefusedError as error:
                failed.append(str(error))
        if failed:
            raise RefusedError("not put back: " + "; ".join(failed))

    # --- calls ------------------------------------------------------------------------

    def _present(self) -> Iterator[tuple[str, Any]]:
        for function in FUNCTIONS:
            name = cloud_name(function, self._prefix)
            found = self._get(self._services.get_service, f"{self._place}/services/{name}")
            if found is not None:
                yield name, found

    def _present_jobs(self) -> Iterator[tuple[str, Any]]:
        for short in (RUNNER_JOB, CANARIES_JOB):
            name = cloud_name(short, self._prefix)
            found = self._get(self._jobs.get_job, f"{self._place}/jobs/{name}")
            if found is not None:
                yield name, found

    def _get(self, get: Callable[..., Any], name: str) -> Any:
        from google.api_core.exceptions import NotFound

        with _refused(f"{name} can't be read"):
            try:
                return get(name=name, timeout=CALL_S)
            except NotFound:
                return None

    def _tagged(self, services: Mapping[str, Any]) -> dict[str, str]:
        """The URL of each service's newest revision, which serves nobody else."""
        from google.cloud.run_v2.types import TrafficTarget

        changes = []
        for name, service in services.items():
            tagged = TrafficTarget(type_=_BY_REVISION, revision=_last(service.latest_ready_revision), tag=TAG)
            changes.append((name, [*_named(service), tagged]))
        found = {}
        for name, service in self._set_traffic(changes).items():
            found[name] = next((status.uri for status in service.traffic_statuses if status.tag == TAG), "")
            if not found[name]:
                raise RefusedError(f"{name}: the revision tagged {TAG} has no URL")
        return found

    def _set_traffic(self, changes: Iterable[tuple[str, list[Any]]]) -> dict[str, Any]:
        """Change the traffic of services, all at the same time, and nothing else of them; the services afterwards."""
        from google.cloud.run_v2.types import Service

        under_way = []
        for name, targets in changes:
            service = Service(name=f"{self._place}/services/{name}", traffic=targets)
            request = {"service": service, "update_mask": {"paths": ["traffic"]}}
            with _refused(f"{name}: its traffic can't be changed"):
                under_way.append((name, self._services.update_service(request=request, timeout=CALL_S)))
        done = {}
        for name, operation in under_way:
            with _refused(f"{name}: its traffic was not changed"):
                done[name] = self._ended(operation)
        return done

    def _ended(self, operation: Any) -> Any:
        """What an operation came to; looked at more often than by default, where each look may be 20 s late."""
        from google.api_core.future.polling import DEFAULT_POLLING

        return operation.result(timeout=self._timeout_s, polling=DEFAULT_POLLING.with_delay(0.1, 2.0))

    def _execute(self, short: str, arguments: list[str]) -> None:
        """Run one task of a job with other arguments; RefusedError unless it succeeds."""
        name = cloud_name(short, self._prefix)
        overrides = {"task_count": 1, "container_overrides": [{"args": arguments}]}
        request = {"name": f"{self._place}/jobs/{name}", "overrides": overrides}
        with _refused(f"the job {name} can't be run"):
            operation = self._jobs.run_job(request=request, timeout=CALL_S)
        began = operation.metadata
        what = f"the execution {_last(began.name) if began else ''} of {name} ({' '.join(arguments[:1])})"
        with _refused(f"{what} failed{f', its log: {began.log_uri}' if began and began.log_uri else ''}"):
            execution = self._ended(operation)
        if not execution.succeeded_count:
            raise RefusedError(f"{what} failed, its log: {execution.log_uri or 'in Cloud Logging'}")

    def _restore_job(self, name: str, template: dict[str, Any]) -> None:
        job = self._get(self._jobs.get_job, f"{self._place}/jobs/{name}")
        if job is None:
            raise RefusedError(f"the job {name} is gone")
        former = type(job.template).from_json(json.dumps(template))
        if former == job.template:
            return
        job.template = former
        with _refused(f"the job {name} was not put back"):
            self._ended(self._jobs.update_job(job=job, timeout=CALL_S))
        self._say(f"{name}: {former.template.containers[0].image}")


def _clients(endpoint: str | None) -> tuple[Any, Any]:
    from google.api_core.client_options import ClientOptions
    from google.auth.credentials import AnonymousCredentials
    from google.auth.exceptions import GoogleAuthError
    from google.cloud.run_v2 import JobsClient, ServicesClient

    options: dict[str, Any] = {"transport": "rest"}
    if endpoint:
        options |= {
            "credentials": AnonymousCredentials(),  # type: ignore[no-untyped-call]
            "client_options": ClientOptions(api_endpoint=endpoint),
        }
    try:
        return ServicesClient(**options), JobsClient(**options)
    except GoogleAuthError as error:
        raise SettingsError(f"no Google Cloud credentials: {error}; `gcloud auth application-default login`") from error


@contextmanager
def _refused(problem: str) -> Iterator[None]:
    """What the API, the way to it and a wait that was too long end in."""
    from concurrent.futures import TimeoutError as WaitedError

    from google.api_core.exceptions import GoogleAPIError
    from google.auth.exceptions import GoogleAuthError

    try:
        yield
    except (GoogleAPIError, GoogleAuthError, OSError, WaitedError) as error:
        raise RefusedError(f"{problem}: {getattr(error, 'message', None) or error}") from error


def _named(service: Any) -> list[Any]:
    """Where the traffic goes, by revision instead of "the latest", without our tag."""
    from google.cloud.run_v2.types import TrafficTarget

    newest = _last(service.latest_ready_revision)
    given = list(service.traffic) or [TrafficTarget(percent=100)]
    return [
        TrafficTarget(type_=_BY_REVISION, revision=target.revision or newest, percent=target.percent, tag=target.tag)
        for target in given
        if target.tag != TAG
    ]


def _all_on_newest(service: Any) -> list[Any]:
    """All traffic on the newest revision; tags that others have set stay where they are."""
    from google.cloud.run_v2.types import TrafficTarget

    tags = [
        TrafficTarget(type_=_BY_REVISION, revision=target.revision, tag=target.tag)
        for target in _named(service)
        if target.tag
    ]
    return [TrafficTarget(type_=_BY_REVISION, revision=_last(service.latest_ready_revision), percent=100), *tags]


def _as_data(target: Any) -> dict[str, Any]:
    return {"revision": target.revision, "percent": target.percent, "tag": target.tag}


def _target(data: Mapping[str, Any]) -> Any:
    from google.cloud.run_v2.types import TrafficTarget

    return TrafficTarget(type_=_BY_REVISION, **data)


def _told(data: Mapping[str, Any]) -> str:
    return f"{data['percent']} % to {data['revision']}"


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1]
