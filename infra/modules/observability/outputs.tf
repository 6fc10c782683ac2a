output "channels" {
  description = "Notification channels."
  value       = google_monitoring_notification_channel.email[*].id
}
