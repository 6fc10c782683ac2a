output "name" {
  description = "Name of the function and of the service behind it."
  value       = google_cloudfunctions2_function.function.name
}

output "url" {
  description = "URI of the service behind the function."
  value       = google_cloudfunctions2_function.function.service_config[0].uri
}

output "account" {
  description = "E-mail of the function's service account."
  value       = google_service_account.function.email
}
