# The fleet on Google Cloud. Names are those of the design: functions and jobs with hyphens, topics as on a laptop.

data "google_project" "this" {
  project_id = var.project
}

resource "google_project_service" "api" {
  for_each = toset(concat([
    "artifactregistry", "billingbudgets", "cloudbuild", "cloudfunctions", "cloudresourcemanager", "cloudscheduler",
    "compute", "dns", "firestore", "iam", "logging", "monitoring", "pubsub", "run", "secretmanager", "storage",
  ], var.vertex_tuning || var.gemini == "vertex" ? ["aiplatform"] : []))

  service            = "${each.value}.googleapis.com"
  disable_on_destroy = false
}

resource "google_artifact_registry_repository" "images" {
  #checkov:skip=CKV_GCP_84:The images hold this open-source project and no secrets; Google's own keys encrypt them.
  repository_id = "verifleet"
  location      = var.region
  format        = "DOCKER"
  description   = "Images of the code runner"

  docker_config {
    immutable_tags = true
  }

  cleanup_policies {
    id     = "keep-the-last-ten"
    action = "KEEP"
    most_recent_versions {
      keep_count = 10
    }
  }

  cleanup_policies {
    id     = "delete-after-90-days"
    action = "DELETE"
    condition {
      older_than = "7776000s"
    }
  }

  depends_on = [google_project_service.api]
}

# Made in every installation, and free while it has no version: the key is added by hand, then `gemini = "key"` is set.
resource "google_secret_manager_secret" "gemini" {
  secret_id = "gemini-api-key"
  replication {
    auto {}
  }

  depends_on = [google_project_service.api]
}

resource "google_service_account" "build" {
  account_id   = "vf-function-build"
  display_name = "Builds the verifleet functions"

  depends_on = [google_project_service.api]
}

resource "google_project_iam_member" "build" {
  for_each = toset(["roles/logging.logWriter", "roles/artifactregistry.writer", "roles/storage.objectViewer"])

  project = var.project
  role    = each.value
  member  = google_service_account.build.member
}

module "function" {
  source   = "./modules/function"
  for_each = local.functions

  project        = var.project
  region         = var.region
  name           = each.key
  description    = "verifleet ${each.key}"
  source_bucket  = var.source_bucket
  source_version = var.source_version
  build_account  = google_service_account.build.id
  memory         = local.size[each.value.weight].memory
  cpu            = local.size[each.value.weight].cpu
  concurrency    = local.size[each.value.weight].concurrency
  min_instances  = local.size[each.value.weight].min
  max_instances  = local.size[each.value.weight].max
  timeout_s      = each.value.timeout
  secrets        = var.gemini == "key" && each.value.gemini ? { GOOGLE_API_KEY = google_secret_manager_secret.gemini.secret_id } : {}
  environment = merge(
    var.settings,
    var.gemini == "vertex" && each.value.gemini ? { GOOGLE_GENAI_USE_VERTEXAI = "true" } : {},
    {
      GOOGLE_CLOUD_PROJECT     = var.project
      VERIFLEET_ACK_DEADLINE_S = tostring(local.ack_deadline_s)
      # One server process for each CPU: Python uses one.
      WORKERS = local.size[each.value.weight].cpu
    },
    each.value.store ? { VERIFLEET_STORE = module.documents.store } : {},
    each.value.knowledge && var.knowledge_base != "" ? { VERIFLEET_KNOWLEDGE_BASE = var.knowledge_base } : {},
    each.key == "code-verifier" ? {
      VERIFLEET_CODE_RUNNER_JOB  = "projects/${var.project}/locations/${var.region}/jobs/code-runner"
      VERIFLEET_RUNNER_MAX_TASKS = tostring(local.size.runner.tasks)
    } : {},
    each.key == "verifier-agent" && var.forward_by_a2a ? {
      SUMMARIZER_URL = "https://summarizer-agent-${data.google_project.this.number}.${var.region}.run.app"
    } : {},
  )
  invokers = concat(
    endswith(each.key, "-agent") ? var.agent_invokers : var.invokers,
    var.vertex_tuning && endswith(each.key, "-verifier") ? [
      "serviceAccount:service-${data.google_project.this.number}@gcp-sa-vertex-tune.iam.gserviceaccount.com"
    ] : [],
  )

  depends_on = [google_project_service.api, google_project_iam_member.build]
}

resource "google_project_iam_member" "vertex" {
  for_each = { for name, is in local.functions : name => module.function[name].account if is.gemini && var.gemini == "vertex" }

  project = var.project
  role    = "roles/aiplatform.user"
  member  = "serviceAccount:${each.value}"
}

resource "google_cloud_run_v2_service_iam_member" "forwarding" {
  count = var.forward_by_a2a ? 1 : 0

  name     = module.function["summarizer-agent"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = "serviceAccount:${module.function["verifier-agent"].account}"
}

module "messaging" {
  source = "./modules/messaging"

  region         = var.region
  project_number = data.google_project.this.number
  functions      = module.function
  publishes      = local.publishes
  publishers     = var.publishers
  ack_deadline_s = local.ack_deadline_s

  depends_on = [google_project_service.api]
}

module "code_runner" {
  source = "./modules/code-runner"

  project          = var.project
  region           = var.region
  image            = var.runner_image
  subscription     = module.messaging.runner_subscription
  publish_topics   = { for name in ["verification-results", "dead-letters"] : name => module.messaging.topics[name] }
  launcher_account = module.function["code-verifier"].account
  cpu              = local.size.runner.cpu
  memory           = local.size.runner.memory
  min_rung         = var.sandbox_min_rung
  platform_sandbox = var.platform_sandbox

  depends_on = [google_project_service.api]
}

module "documents" {
  source = "./modules/documents"

  project = var.project
  region  = var.region
  users   = { for name, is in local.functions : name => module.function[name].account if is.store }

  depends_on = [google_project_service.api]
}

module "knowledge_base" {
  source = "./modules/knowledge-base"

  project = var.project
  region  = var.region
  readers = { for name, is in local.functions : name => module.function[name].account if is.knowledge }

  depends_on = [google_project_service.api]
}

module "observability" {
  source = "./modules/observability"

  functions     = keys(local.functions)
  subscriptions = module.messaging.worked_subscriptions
  email         = var.alert_email

  depends_on = [google_project_service.api]
}

module "canaries" {
  source = "./modules/canaries"

  project   = var.project
  region    = var.region
  image     = var.runner_image
  verifiers = { for name in local.verifiers : name => module.function[name].url }

  depends_on = [google_project_service.api]
}

module "budget" {
  source = "./modules/budget"
  count  = var.billing_account == "" ? 0 : 1

  billing_account = var.billing_account
  project_number  = data.google_project.this.number
  amount          = var.monthly_budget
  channels        = module.observability.channels
}
