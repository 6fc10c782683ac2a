# A small installation; see docs/deploy.md for where the values come from.

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
