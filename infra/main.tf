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
  repository_id = "${var.prefix}verifleet"
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
  secret_id = "${var.prefix}gemini-api-key"
  replication {
    auto {}
  }

  depends_on = [google_project_service.api]
}

resource "google_service_account" "build" {
  account_id   = "${var.prefix}vf-function-build"
  display_name = "Builds the verifleet functions"

  depends_on = [google_project_service.api]
}

resource "google_project_iam_member" "build" {
  project = var.project
  role    = "roles/logging.logWriter"
  member  = google_service_account.build.member
}

resource "google_storage_bucket_iam_member" "build_sources" {
  bucket = var.source_bucket
  role   = "roles/storage.objectViewer"
  member = google_service_account.build.member
}

# Cloud Functions copies the sources to a bucket that it makes with the first deployment; a grant on the bucket itself
# would come too early for that one.
resource "google_project_iam_member" "build_copied_sources" {
  project = var.project
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title       = "only-copied-sources"
    description = "The bucket that Cloud Functions keeps sources in"
    expression  = "resource.name.startsWith('projects/_/buckets/gcf-v2-sources-${data.google_project.this.number}-${var.region}')"
  }
}

resource "google_artifact_registry_repository" "functions" {
  #checkov:skip=CKV_GCP_84:The images hold this open-source project and no secrets; Google's own keys encrypt them.
  repository_id = "${var.prefix}verifleet-functions"
  location      = var.region
  format        = "DOCKER"
  description   = "Images of the functions, written by their builds"

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

resource "google_artifact_registry_repository_iam_member" "build" {
  location   = google_artifact_registry_repository.functions.location
  repository = google_artifact_registry_repository.functions.name
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.build.member
}

module "function" {
  source   = "./modules/function"
  for_each = local.functions

  project        = var.project
  region         = var.region
  prefix         = var.prefix
  name           = each.key
  description    = "verifleet ${each.key}"
  source_bucket  = var.source_bucket
  source_version = var.source_version
  build_account  = google_service_account.build.id
  repository     = google_artifact_registry_repository.functions.id
  ingress        = var.ingress
  memory         = local.size[each.value.weight].memory
  cpu            = local.size[each.value.weight].cpu
  concurrency    = local.size[each.value.weight].concurrency
  min_instances  = local.size[each.value.weight].min
  max_instances  = local.size[each.value.weight].max
  timeout_s      = each.value.timeout
  secrets = merge(
    var.gemini == "key" && each.value.gemini ? { GOOGLE_API_KEY = google_secret_manager_secret.gemini.secret_id } : {},
    each.key == "summarizer-agent" ? var.alerts : {},
  )
  environment = merge(
    each.value.gemini ? { GOOGLE_CLOUD_LOCATION = var.region } : {},
    var.settings,
    var.gemini == "vertex" && each.value.gemini ? { GOOGLE_GENAI_USE_VERTEXAI = "true" } : {},
    {
      GOOGLE_CLOUD_PROJECT     = var.project
      VERIFLEET_ACK_DEADLINE_S = tostring(local.ack_deadline_s)
      # Every service is private: Cloud Run checks the callers' tokens and hands them on without their signature.
      VERIFLEET_PUSH_ACCOUNT             = module.messaging.push_account
      VERIFLEET_PUSH_CHECKED_BY_PLATFORM = "true"
      # One server process for each CPU: Python uses one.
      WORKERS = local.size[each.value.weight].cpu
    },
    var.prefix == "" ? {} : { VERIFLEET_PREFIX = var.prefix },
    each.value.store ? { VERIFLEET_STORE = module.documents.store } : {},
    each.value.knowledge && var.knowledge_base != "" ? { VERIFLEET_KNOWLEDGE_BASE = var.knowledge_base } : {},
    each.key == "code-verifier" ? {
      VERIFLEET_CODE_RUNNER_JOB  = "projects/${var.project}/locations/${var.region}/jobs/${var.prefix}code-runner"
      VERIFLEET_RUNNER_MAX_TASKS = tostring(coalesce(var.runner_tasks, local.size.runner.tasks))
      VERIFLEET_RUNNER_MIN_TASKS = tostring(var.runner_min_tasks)
    } : {},
    # Told in /health: the function itself runs no program.
    each.key == "code-verifier" && var.sandbox_languages != "" ? { VERIFLEET_SANDBOX_LANGUAGES = var.sandbox_languages } : {},
    each.key == "summarizer-agent" && length(var.desk_readers) > 0 ? {
      # Invoking is all or nothing for Cloud Run; the function refuses what is more than reading by these.
      VERIFLEET_READERS = join(" ", [for member in var.desk_readers : element(split(":", member), 1)])
    } : {},
    each.key == "verifier-agent" && var.forward_by_a2a ? {
      SUMMARIZER_URL = "https://${var.prefix}summarizer-agent-${data.google_project.this.number}.${var.region}.run.app"
    } : {},
  )
  invokers = concat(
    endswith(each.key, "-agent") ? var.agent_invokers : var.invokers,
    each.key == "summarizer-agent" ? var.desk_readers : [],
    var.vertex_tuning && endswith(each.key, "-verifier") ? [
      "serviceAccount:service-${data.google_project.this.number}@gcp-sa-vertex-tune.iam.gserviceaccount.com"
    ] : [],
  )

  depends_on = [
    google_project_service.api, google_project_iam_member.build, google_project_iam_member.build_copied_sources,
    google_storage_bucket_iam_member.build_sources, google_artifact_registry_repository_iam_member.build,
  ]
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
  prefix         = var.prefix
  project_number = data.google_project.this.number
  functions      = module.function
  publishes      = local.publishes
  publishers     = var.publishers
  ack_deadline_s = local.ack_deadline_s

  depends_on = [google_project_service.api]
}

module "code_runner" {
  source = "./modules/code-runner"

  project           = var.project
  region            = var.region
  prefix            = var.prefix
  image             = var.runner_image
  subscriptions     = module.messaging.runner_subscriptions
  publish_topics    = { for name in ["code-results", "dead-letters"] : name => module.messaging.topics[name] }
  launcher_account  = module.function["code-verifier"].account
  launcher_name     = module.function["code-verifier"].name
  launcher_url      = module.function["code-verifier"].url
  min_tasks         = var.runner_min_tasks
  cpu               = local.size.runner.cpu
  memory            = local.size.runner.memory
  min_rung          = var.sandbox_min_rung
  platform_sandbox  = var.platform_sandbox
  sandbox_packages  = var.sandbox_packages
  sandbox_languages = var.sandbox_languages
  idle_s            = var.runner_idle_s
  settings          = var.settings

  depends_on = [google_project_service.api]
}

module "documents" {
  source = "./modules/documents"

  project = var.project
  region  = var.region
  prefix  = var.prefix
  users   = { for name, is in local.functions : name => module.function[name].account if is.store }

  depends_on = [google_project_service.api]
}

module "knowledge_base" {
  source = "./modules/knowledge-base"

  project = var.project
  region  = var.region
  prefix  = var.prefix
  readers = merge(
    { for name, is in local.functions : name => module.function[name].account if is.knowledge },
    var.bulk == null || var.knowledge_base == "" ? {} : { bulk-score = module.bulk_score[0].account },
  )

  depends_on = [google_project_service.api]
}

module "observability" {
  source = "./modules/observability"

  prefix        = var.prefix
  functions     = keys(local.functions)
  subscriptions = module.messaging.worked_subscriptions
  email         = var.alert_email

  depends_on = [google_project_service.api]
}

module "canaries" {
  source = "./modules/canaries"

  project   = var.project
  region    = var.region
  prefix    = var.prefix
  image     = var.runner_image
  verifiers = { for name in local.verifiers : name => module.function[name].url }

  depends_on = [google_project_service.api]
}

module "bulk_score" {
  source = "./modules/bulk-score"
  count  = var.bulk == null ? 0 : 1

  project            = var.project
  region             = var.region
  prefix             = var.prefix
  image              = var.runner_image
  input_bucket       = var.bulk.input
  output_bucket      = var.bulk.output
  tasks              = var.bulk.tasks
  parallelism        = var.bulk.parallelism
  cpu                = var.bulk.cpu
  memory             = var.bulk.memory
  code_verifier_name = module.function["code-verifier"].name
  code_verifier_url  = module.function["code-verifier"].url
  knowledge_base     = var.knowledge_base
  settings           = var.settings

  depends_on = [google_project_service.api]
}

module "budget" {
  source = "./modules/budget"
  count  = var.billing_account == "" ? 0 : 1

  prefix          = var.prefix
  billing_account = var.billing_account
  project_number  = data.google_project.this.number
  amount          = var.monthly_budget
  channels        = module.observability.channels
}
