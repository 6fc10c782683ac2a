output "topics" {
  description = "Full names of the topics, by short name."
  value       = { for name, topic in google_pubsub_topic.topic : name => topic.id }
}

output "runner_subscription" {
  description = "The subscription that the code runner pulls."
  value       = google_pubsub_subscription.pull["code-executions.code_runner"].name
}

output "worked_subscriptions" {
  description = "Subscriptions that somebody works off, unlike the archives."
  value       = keys(merge(local.push, local.pull))
}
