# Firestore: one collection for each kind of document that the functions keep; a test compares them with the code.

locals {
  # Kinds that `Store.find` searches by their keys, newest first.
  found = ["act", "alert", "audit", "backlog", "cluster", "finding", "incident", "listing", "member", "report", "revision", "seen", "task"]
  kinds = concat(local.found, [
    "account", "batch", "brief", "execution", "grounding", "health", "lease", "look", "mark", "opening", "output", "result",
    "secret", "shown", "source", "tally", "verified", "waiting",
  ])
}

resource "google_firestore_database" "documents" {
  name                              = "${var.prefix}${var.database}"
  location_id                       = var.region
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "OPTIMISTIC"
  delete_protection_state           = "DELETE_PROTECTION_ENABLED"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
}

# The one query there is: any of some keys, in a window of time, newest first.
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

# No field is indexed by itself: rising times would bound every collection to 500 writes a second, and the rest is
# never searched, long, or both.
resource "google_firestore_field" "unindexed" {
  for_each = toset(local.kinds)

  database   = google_firestore_database.documents.name
  collection = each.value
  field      = "*"
  index_config {}

  # One after the other: Firestore refuses many changes of indexes at once.
  depends_on = [google_firestore_index.by_key]
}

# What has expired is removed by Firestore; reads leave it out at once.
resource "google_firestore_field" "expires_at" {
  for_each = toset(local.kinds)

  database   = google_firestore_database.documents.name
  collection = each.value
  field      = "expires_at"
  ttl_config {}
  index_config {}

  depends_on = [google_firestore_field.unindexed]
}

resource "google_project_iam_member" "user" {
  for_each = var.users

  project = var.project
  role    = "roles/datastore.user"
  member  = "serviceAccount:${each.value}"

  condition {
    title      = "only-the-fleet-database"
    expression = "resource.name == \"projects/${var.project}/databases/${var.prefix}${var.database}\""
  }
}
