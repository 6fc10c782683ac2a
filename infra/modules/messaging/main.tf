# Every topic and subscription. The names, filters and targets are those of shared/verifleet/messaging/topology.py;
# a test compares the two.

locals {
  push = {
    "raw-events.ingest_agent"                  = { topic = "raw-events", to = "ingest-agent", filter = "" }
    "events.verifier_agent"                    = { topic = "events", to = "verifier-agent", filter = "" }
    "verified-events.summarizer_agent"         = { topic = "verified-events", to = "summarizer-agent", filter = "" }
    "incident-briefs.summarizer_agent"         = { topic = "incident-briefs", to = "summarizer-agent", filter = "attributes.alerts = \"owed\"" }
    "incident-acts.summarizer_agent"           = { topic = "incident-acts", to = "summarizer-agent", filter = "" }
    "incident-acts.verifier_agent"             = { topic = "incident-acts", to = "verifier-agent", filter = "" }
    "verification-requests.math_verifier"      = { topic = "verification-requests", to = "math-verifier", filter = "attributes.verifier = \"math\"" }
    "verification-requests.code_verifier"      = { topic = "verification-requests", to = "code-verifier", filter = "attributes.verifier = \"code\"" }
    "verification-requests.knowledge_verifier" = { topic = "verification-requests", to = "knowledge-verifier", filter = "attributes.verifier = \"knowledge\"" }
    "verification-requests.format_verifier"    = { topic = "verification-requests", to = "format-verifier", filter = "attributes.verifier = \"format\"" }
    "verification-requests.unroutable"         = { topic = "verification-requests", to = "format-verifier", filter = "NOT (attributes.verifier = \"math\" OR attributes.verifier = \"code\" OR attributes.verifier = \"knowledge\" OR attributes.verifier = \"format\")" }
    "code-executions.watchdog"                 = { topic = "code-executions", to = "code-verifier", filter = "" }
    "code-executions-bulk.watchdog"            = { topic = "code-executions-bulk", to = "code-verifier", filter = "" }
    "code-results.code_verifier"               = { topic = "code-results", to = "code-verifier", filter = "" }
  }
  pull = { "code-executions.code_runner" = "code-executions", "code-executions-bulk.code_runner" = "code-executions-bulk" }
  # Results of programs, which somebody waits for, come again at once.
  min_backoff = { "code-results.code_verifier" = "0.5s" }
  archives    = ["verified-events", "incident-briefs", "incident-acts", "verification-results", "dead-letters"]

  pubsub_agent = "serviceAccount:service-${var.project_number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

resource "google_pubsub_topic" "topic" {
  for_each = toset(var.topics)

  #checkov:skip=CKV_GCP_83:Google's own keys encrypt the topics; a customer's key would be one more way to lose them.
  name = "${var.prefix}${each.value}"

  # Messages stay in the region of everything else, wherever they are published from.
  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
}

resource "google_pubsub_subscription" "push" {
  for_each = local.push

  name                       = "${var.prefix}${each.key}"
  topic                      = google_pubsub_topic.topic[each.value.topic].id
  filter                     = each.value.filter == "" ? null : each.value.filter
  ack_deadline_seconds       = var.ack_deadline_s
  message_retention_duration = "604800s"

  push_config {
    push_endpoint = "${var.functions[each.value.to].url}/"
    oidc_token {
      service_account_email = google_service_account.push.email
      audience              = var.functions[each.value.to].url
    }
  }

  retry_policy {
    minimum_backoff = lookup(local.min_backoff, each.key, "10s")
    maximum_backoff = "600s"
  }

  dead_letter_policy {
    dead_letter_topic     = google_pubsub_topic.topic["dead-letters"].id
    max_delivery_attempts = 20
  }

  expiration_policy {
    ttl = ""
  }

  # What fails from the first second on has somewhere to go.
  depends_on = [google_pubsub_topic_iam_member.dead_letters]
}

resource "google_pubsub_subscription" "pull" {
  for_each = local.pull

  name                       = "${var.prefix}${each.key}"
  topic                      = google_pubsub_topic.topic[each.value].id
  ack_deadline_seconds       = var.ack_deadline_s
  message_retention_duration = "604800s"

  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }

  dead_letter_policy {
    dead_letter_topic     = google_pubsub_topic.topic["dead-letters"].id
    max_delivery_attempts = 20
  }

  expiration_policy {
    ttl = ""
  }

  depends_on = [google_pubsub_topic_iam_member.dead_letters]
}

resource "google_pubsub_subscription" "archive" {
  for_each = toset(local.archives)

  name                       = "${var.prefix}${each.value}.archive"
  topic                      = google_pubsub_topic.topic[each.value].id
  ack_deadline_seconds       = 60
  message_retention_duration = "604800s"
  retain_acked_messages      = true

  expiration_policy {
    ttl = ""
  }
}

# --- who may do what ----------------------------------------------------------

resource "google_service_account" "push" {
  account_id   = "${var.prefix}verifleet-push"
  display_name = "Calls the functions for Pub/Sub"
}

resource "google_service_account_iam_member" "push_tokens" {
  service_account_id = google_service_account.push.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = local.pubsub_agent
}

resource "google_cloud_run_v2_service_iam_member" "push" {
  for_each = toset(distinct([for subscription in local.push : subscription.to]))

  name     = var.functions[each.value].name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.push.member
}

resource "google_pubsub_topic_iam_member" "dead_letters" {
  topic  = google_pubsub_topic.topic["dead-letters"].id
  role   = "roles/pubsub.publisher"
  member = local.pubsub_agent
}

resource "google_pubsub_subscription_iam_member" "forwarding" {
  for_each = merge(google_pubsub_subscription.push, google_pubsub_subscription.pull)

  subscription = each.value.name
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub_agent
}

resource "google_pubsub_topic_iam_member" "function" {
  for_each = merge([
    for function, topics in var.publishes : {
      for topic in concat(topics, ["dead-letters"]) : "${function}/${topic}" => { function = function, topic = topic }
    }
  ]...)

  topic  = google_pubsub_topic.topic[each.value.topic].id
  role   = "roles/pubsub.publisher"
  member = "serviceAccount:${var.functions[each.value.function].account}"
}

resource "google_pubsub_topic_iam_member" "publisher" {
  for_each = {
    for pair in setproduct(["raw-events", "verification-requests"], var.publishers) : "${pair[0]}/${pair[1]}" => pair
  }

  topic  = google_pubsub_topic.topic[each.value[0]].id
  role   = "roles/pubsub.publisher"
  member = each.value[1]
}
