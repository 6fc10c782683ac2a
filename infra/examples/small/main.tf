# A small installation as a root module of its own; see docs/deploy.md for where the values come from. The same values in
# infra/terraform.tfvars do the same without it.

terraform {
  backend "gcs" {
    bucket = "my-project-verifleet-state"
    prefix = "verifleet"
  }
}

module "verifleet" {
  source = "../.."

  project        = "my-project"
  region         = "europe-west1"
  size           = "small"
  source_bucket  = "my-project-verifleet-source"
  source_version = "v0.1.0"
  runner_image   = "europe-west1-docker.pkg.dev/my-project/verifleet/code-runner@sha256:0000000000000000000000000000000000000000000000000000000000000000"
  alert_email    = "oncall@example.org"
}

output "urls" {
  description = "URL of every function, by name."
  value       = module.verifleet.urls
}
