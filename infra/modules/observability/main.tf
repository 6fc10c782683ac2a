# Metrics out of the functions' JSON logs, a dashboard, alerts.

locals {
  filter_functions = "resource.type=\"cloud_run_revision\" resource.labels.service_name=(${join(" OR ", [for name in var.functions : "\"${name}\""])})"

  alerts = {
    dead-letters = {
      title     = "Messages became dead letters"
      filter    = "metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\" resource.type=\"pubsub_subscription\" resource.label.subscription_id=\"dead-letters.archive\""
      threshold = 0
      aligner   = "ALIGN_MAX"
      duration  = "0s"
      help      = "See docs/operate.md, dead letters: verifleet dead-letters list, mend the cause, replay."
    }
    backlog-age = {
      title     = "Messages wait too long"
      filter    = "metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\" resource.type=\"pubsub_subscription\" resource.label.subscription_id!=monitoring.regex.full_match(\".*archive\")"
      threshold = 600
      aligner   = "ALIGN_MAX"
      duration  = "300s"
      help      = "A function or the code runner does not keep up: see docs/operate.md, scale."
    }
    errors = {
      title     = "Functions fail"
      filter    = "metric.type=\"logging.googleapis.com/user/${google_logging_metric.errors.name}\" resource.type=\"cloud_run_revision\""
      threshold = 0.1
      aligner   = "ALIGN_RATE"
      duration  = "300s"
      help      = "Read the error logs of the function named in the alert; see docs/operate.md, incidents."
    }
    latency = {
      title     = "Requests are slow"
      filter    = "metric.type=\"run.googleapis.com/request_latencies\" resource.type=\"cloud_run_revision\""
      threshold = 5000
      aligner   = "ALIGN_PERCENTILE_99"
      duration  = "600s"
      help      = "99th percentile above 5 s: see docs/operate.md, scale."
    }
    false-positives = {
      title     = "A verifier accepted wrong canaries"
      filter    = "metric.type=\"logging.googleapis.com/user/${google_logging_metric.false_positive_share.name}\" resource.type=\"cloud_run_job\""
      threshold = 0.01
      aligner   = "ALIGN_PERCENTILE_99"
      duration  = "0s"
      help      = "More than 1 % of wrong canary answers were accepted: stop training on this verifier and roll back."
    }
  }
}

resource "google_logging_metric" "errors" {
  name        = "verifleet-errors"
  description = "Log lines of severity ERROR and above"
  filter      = "${local.filter_functions} severity>=ERROR"

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
}

resource "google_logging_metric" "unverified" {
  name        = "verifleet-unverified-events"
  description = "Events that were flagged as unverified"
  filter      = "${local.filter_functions} jsonPayload.unverified=true"

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
}

resource "google_logging_metric" "false_positive_share" {
  name            = "verifleet-false-positive-share"
  description     = "Share of wrong canary answers that a verifier accepted; target under 0.05, alert above 0.01"
  filter          = "resource.type=\"cloud_run_job\" resource.labels.job_name=\"canaries\" jsonPayload.canaries.verifier:*"
  value_extractor = "EXTRACT(jsonPayload.canaries.false_positive_share)"

  label_extractors = {
    verifier = "EXTRACT(jsonPayload.canaries.verifier)"
  }

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "DISTRIBUTION"
    labels {
      key        = "verifier"
      value_type = "STRING"
    }
  }
}

resource "google_monitoring_notification_channel" "email" {
  count = var.email == "" ? 0 : 1

  display_name = "verifleet alerts"
  type         = "email"
  labels       = { email_address = var.email }
}

resource "google_monitoring_alert_policy" "alert" {
  for_each = local.alerts

  display_name          = "verifleet: ${each.value.title}"
  combiner              = "OR"
  notification_channels = google_monitoring_notification_channel.email[*].id

  conditions {
    display_name = each.value.title
    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.threshold
      duration        = each.value.duration
      aggregations {
        alignment_period   = "300s"
        per_series_aligner = each.value.aligner
      }
    }
  }

  documentation {
    content   = each.value.help
    mime_type = "text/markdown"
  }
}

resource "google_monitoring_dashboard" "fleet" {
  dashboard_json = jsonencode({
    displayName = "verifleet"
    gridLayout = {
      columns = "2"
      widgets = [for title, query in {
        "Requests a second"           = "metric.type=\"run.googleapis.com/request_count\" resource.type=\"cloud_run_revision\""
        "Latency, 99th percentile"    = "metric.type=\"run.googleapis.com/request_latencies\" resource.type=\"cloud_run_revision\""
        "Instances"                   = "metric.type=\"run.googleapis.com/container/instance_count\" resource.type=\"cloud_run_revision\""
        "Oldest message that waits"   = "metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\" resource.type=\"pubsub_subscription\""
        "Dead letters kept"           = "metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\" resource.type=\"pubsub_subscription\" resource.label.subscription_id=\"dead-letters.archive\""
        "False positives of canaries" = "metric.type=\"logging.googleapis.com/user/${google_logging_metric.false_positive_share.name}\" resource.type=\"cloud_run_job\""
        } : {
        title = title
        xyChart = {
          dataSets = [{
            plotType = "LINE"
            timeSeriesQuery = {
              timeSeriesFilter = {
                filter = query
                aggregation = {
                  alignmentPeriod  = "60s"
                  perSeriesAligner = strcontains(query, "latencies") || strcontains(query, "share") ? "ALIGN_PERCENTILE_99" : strcontains(query, "request_count") ? "ALIGN_RATE" : "ALIGN_MAX"
                }
              }
            }
          }]
        }
      }]
    }
  })
}
