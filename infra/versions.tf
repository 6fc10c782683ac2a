terraform {
  required_version = ">= 1.7"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
    time = {
      source  = "hashicorp/time"
      version = "~> 0.13"
    }
  }

  # The bucket is given at init: terraform init -backend-config=bucket=STATE_BUCKET
  backend "gcs" {
    prefix = "verifleet"
  }
}

provider "google" {
  project = var.project
  region  = var.region
  # Budgets are an API of the billing account, which wants to know which project's quota it uses.
  user_project_override = true
  billing_project       = var.project
}
