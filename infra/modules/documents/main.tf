# Firestore: one collection for each kind of document of shared/verifleet/storage/store.py.

locals {
  kinds = ["execution", "lease", "result", "report", "brief", "source", "task"]
  found = ["report", "brief", "task"]
}

resource "google_firestore_database" "documents" {
  name                              = var.database
  location_id                       = var.region
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "OPTIMISTIC"
  delete_protection_state           = "DELETE_PROTECTION_ENABLED"
  point_in_time_recovery_enablement = var.point_in_time_recovery ? "POINT_IN_TIME_RECOVERY_ENABLED" : "POINT_IN_TIME_RECOVERY_DISABLED"
}

# `find`: any of some keys, newest first.
resource "google_firestore_index" "by_key" {
  for_each = toset(local.found)

  database    = google_firestore_database.documents.name
  collection  = each.value
  query_scope = "COLLECTION"

  fields {
    field_path   = "keys"
    array_config = "CONTAINS"
  }
  fields {
    field_path = "time"
    order      = "DESCENDING"
  }
}

# Rising times in a single-field index would bound every collection to 500 writes a second.
resource "google_firestore_field" "time" {
  for_each = toset(local.kinds)

  database   = google_firestore_database.documents.name
  collection = each.value
  field      = "time"
  index_config {}
}

# What has expired is removed by Firestore; reads leave it out at once.
resource "google_firestore_field" "expires_at" {
  for_each = toset(local.kinds)

  database   = google_firestore_database.documents.name
  collection = each.value
  field      = "expires_at"
  ttl_config {}
  index_config {}
}

# Never searched, and long.
resource "google_firestore_field" "data" {
  for_each = toset(local.kinds)

  database   = google_firestore_database.documents.name
  collection = each.value
  field      = "data"
  index_config {}
}

resource "google_project_iam_member" "user" {
  for_each = var.users

  project = var.project
  role    = "roles/datastore.user"
  member  = "serviceAccount:${each.value}"

  condition {
    title      = "only-the-fleet-database"
    expression = "resource.name == \"projects/${var.project}/databases/${var.database}\""
  }
}
