"""Isolation of untrusted programs; the only place that runs them."""

from verifleet.sandbox.jobs import Job, JobResult, ProcessResult, Sandbox
from verifleet.sandbox.supervisor import LocalSandbox

__all__ = ["Job", "JobResult", "LocalSandbox", "ProcessResult", "Sandbox"]
