"""Where the fleet keeps what must outlive a request: one Store protocol, SQLite on a laptop, Firestore in the cloud."""
