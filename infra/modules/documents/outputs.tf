output "store" {
  description = "What VERIFLEET_STORE takes."
  value       = "firestore:${google_firestore_database.documents.name}"
}
