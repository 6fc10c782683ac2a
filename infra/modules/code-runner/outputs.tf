output "job" {
  description = "Full name of the job, for VERIFLEET_CODE_RUNNER_JOB."
  value       = "projects/${var.project}/locations/${var.region}/jobs/${google_cloud_run_v2_job.runner.name}"
}

output "account" {
  description = "E-mail of the runner's service account."
  value       = google_service_account.runner.email
}
