variable "project" {
  description = "Google Cloud project that everything is created in."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "A project id has 6 to 30 lower-case letters, digits and hyphens."
  }
}

variable "region" {
  description = "Region of everything: functions, jobs, database, bucket, messages, and Gemini on Vertex AI."
  type        = string
  default     = "europe-west1"
  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "A region looks like europe-west1."
  }
}

variable "prefix" {
  description = "Put before every name that is unique in a project, so that several installations live in one, for example stage-; empty for the only one."
  type        = string
  default     = ""
  validation {
    condition     = can(regex("^([a-z][a-z0-9-]{0,6}-)?$", var.prefix))
    error_message = "A prefix has at most 8 characters, begins with a lower-case letter and ends with a hyphen, like stage-."
  }
}

variable "source_bucket" {
  description = "Bucket with the staged function sources, one NAME.zip each (tools/stage.py)."
  type        = string
  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", var.source_bucket))
    error_message = "A bucket's name, without gs://: 3 to 63 lower-case letters, digits, dots, hyphens and underscores."
  }
}

variable "source_version" {
  description = "Prefix of the staged sources in the bucket, for example the commit; a new one deploys."
  type        = string
  validation {
    condition     = can(regex("^[A-Za-z0-9._-]{1,64}$", var.source_version))
    error_message = "A source version is a short name of letters, digits, dots, hyphens and underscores."
  }
}

variable "runner_image" {
  description = "Image of the code runner, with its digest: REGION-docker.pkg.dev/PROJECT/verifleet/code-runner@sha256:..."
  type        = string
  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.runner_image))
    error_message = "Give the runner's image by digest, so that what was tested is what runs."
  }
}

variable "size" {
  description = "small: scales to zero, few instances. large: warm instances, room for thousands of requests a second."
  type        = string
  default     = "small"
  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "Size is small or large."
  }
}

variable "invokers" {
  description = "Members that may call the verifiers over HTTP, for example serviceAccount:trainer@PROJECT.iam.gserviceaccount.com."
  type        = list(string)
  default     = []
  validation {
    condition     = !anytrue([for member in var.invokers : contains(["allUsers", "allAuthenticatedUsers"], member)])
    error_message = "The verifiers are never open to everybody."
  }
}

variable "agent_invokers" {
  description = "Members that may call the agents over HTTP and A2A."
  type        = list(string)
  default     = []
  validation {
    condition     = !anytrue([for member in var.agent_invokers : contains(["allUsers", "allAuthenticatedUsers"], member)])
    error_message = "The agents are never open to everybody."
  }
}

variable "desk_readers" {
  description = "Accounts that may only read incidents at the summarizer agent, for example user:officer@example.com; groups can't be told apart there."
  type        = list(string)
  default     = []
  validation {
    condition     = alltrue([for member in var.desk_readers : can(regex("^(user|serviceAccount):[^@[:space:]]+@[^@[:space:]]+$", member))])
    error_message = "A reader is user:E-MAIL or serviceAccount:E-MAIL."
  }
}

variable "publishers" {
  description = "Members that may publish to raw-events and verification-requests."
  type        = list(string)
  default     = []
  validation {
    condition     = !anytrue([for member in var.publishers : contains(["allUsers", "allAuthenticatedUsers"], member)])
    error_message = "The topics are never open to everybody."
  }
}

variable "vertex_tuning" {
  description = "Let Vertex AI tuning jobs of this project call the verifiers' /reward."
  type        = bool
  default     = false
}

variable "gemini" {
  description = "How agents and knowledge verifier reach Gemini. off; key: add a version to the secret gemini-api-key (after the prefix) first; vertex: by Vertex AI of this project, without a key."
  type        = string
  default     = "off"
  validation {
    condition     = contains(["off", "key", "vertex"], var.gemini)
    error_message = "Gemini is off, key or vertex."
  }
}

variable "alerts" {
  description = "Who is told of incidents: secrets of Secret Manager by environment variable of summarizer-agent, { VERIFLEET_ALERTS = \"alert-rules\" } with the rules as YAML, and those that the rules name: { VERIFLEET_ALERT_PAGER = \"pager-secret\" }. See docs/alerts.md."
  type        = map(string)
  default     = {}
  validation {
    condition     = alltrue([for name in keys(var.alerts) : can(regex("^VERIFLEET_ALERT(S|_[A-Z0-9_]+)$", name))])
    error_message = "Variables of alerts are VERIFLEET_ALERTS and VERIFLEET_ALERT_...."
  }
}

variable "settings" {
  description = "Further environment variables of every function and the code runner, for example { VERIFLEET_GEMINI_MODEL = \"...\" }; all are in shared/verifleet/settings.py."
  type        = map(string)
  default     = {}
  validation {
    condition     = alltrue([for name in keys(var.settings) : can(regex("^(VERIFLEET_[A-Z0-9_]+|GOOGLE_CLOUD_LOCATION|GOOGLE_GEMINI_BASE_URL|OTEL_[A-Z0-9_]+)$", name))])
    error_message = "Settings are VERIFLEET_..., OTEL_..., GOOGLE_CLOUD_LOCATION or GOOGLE_GEMINI_BASE_URL; everything else has a variable of its own."
  }
  validation {
    condition = length(setintersection(keys(var.settings), [
      "VERIFLEET_PREFIX", "VERIFLEET_STORE", "VERIFLEET_ACK_DEADLINE_S", "VERIFLEET_KNOWLEDGE_BASE", "VERIFLEET_CODE_RUNNER_JOB", "VERIFLEET_RUNNER_MAX_TASKS", "VERIFLEET_RUNNER_MIN_TASKS",
      "VERIFLEET_RUNNER_IDLE_S", "VERIFLEET_SANDBOX_MIN_RUNG", "VERIFLEET_SANDBOX_LAUNCHER", "VERIFLEET_SANDBOX_PACKAGES", "VERIFLEET_SANDBOX_LANGUAGES",
      "VERIFLEET_READERS", "VERIFLEET_PUSH_ACCOUNT", "VERIFLEET_PUSH_AUDIENCE", "VERIFLEET_PUSH_CHECKED_BY_PLATFORM", "VERIFLEET_PUSH_CERTS_URL",
    ])) == 0
    error_message = "Prefix, store, ack deadline, knowledge base, pushing account, the runner's job, tasks, idle time and isolation have variables of their own or are set by the installation itself."
  }
}

variable "knowledge_base" {
  description = "gs:// address of a base made by `verifleet kb build`; empty for the general one in the package."
  type        = string
  default     = ""
  validation {
    condition     = var.knowledge_base == "" || can(regex("^gs://[^/]+/.+", var.knowledge_base))
    error_message = "A knowledge base is gs://BUCKET/OBJECT."
  }
}

variable "bulk" {
  description = "The job bulk-score (docs/bulk.md), which reads one bucket and adds results to another, both made beforehand; null for none. tasks: so many share the rows; parallelism: so many run at once, 0 as many as the quota lets."
  type = object({
    input       = string
    output      = string
    tasks       = optional(number, 10)
    parallelism = optional(number, 0)
    cpu         = optional(string, "4")
    memory      = optional(string, "4Gi")
  })
  default  = null
  nullable = true
  validation {
    condition     = var.bulk == null ? true : alltrue([for name in [var.bulk.input, var.bulk.output] : can(regex("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", name))])
    error_message = "input and output are names of buckets, without gs://."
  }
  validation {
    condition     = var.bulk == null ? true : var.bulk.input != var.bulk.output
    error_message = "What is read and what is written are two buckets, so that results can't change what they are of."
  }
  validation {
    condition     = var.bulk == null ? true : var.bulk.tasks >= 1 && var.bulk.tasks <= 10000
    error_message = "From 1 to 10000 tasks share the rows."
  }
}

variable "forward_by_a2a" {
  description = "The verifier agent calls the summarizer agent over A2A and falls back to the topic; else by the topic."
  type        = bool
  default     = false
}

variable "ingress" {
  description = "Where requests to the functions may come from: ALLOW_ALL (callers are authenticated all the same), ALLOW_INTERNAL_ONLY (networks and Pub/Sub of this project) or ALLOW_INTERNAL_AND_GCLB."
  type        = string
  default     = "ALLOW_ALL"
  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_ONLY", "ALLOW_INTERNAL_AND_GCLB"], var.ingress)
    error_message = "Ingress is ALLOW_ALL, ALLOW_INTERNAL_ONLY or ALLOW_INTERNAL_AND_GCLB."
  }
}

variable "runner_tasks" {
  description = "Tasks of the code runner at once, at most; null: 5 in a small installation, 100 in a large one."
  type        = number
  default     = null
  nullable    = true
}

variable "runner_min_tasks" {
  description = "Tasks of the code runner that are up without work, so that no program waits for a start; what one costs a day is in docs/operate.md."
  type        = number
  default     = 0
  validation {
    condition     = var.runner_min_tasks >= 0 && var.runner_min_tasks <= 1000
    error_message = "From 0 to 1000 tasks are kept up."
  }
}

variable "runner_idle_s" {
  description = "Seconds that a task of the code runner lingers without work before it exits."
  type        = number
  default     = 60
}

variable "sandbox_min_rung" {
  description = "Weakest isolation in which the code runner still runs programs (docs/operate.md): A, B or C."
  type        = string
  default     = "B"
  validation {
    condition     = contains(["A", "B", "C"], var.sandbox_min_rung)
    error_message = "A rung is A, B or C."
  }
}

variable "sandbox_packages" {
  description = "Packages that Python programs may import besides the standard library: numpy, or empty for none. The runner's image must be built with the same (SANDBOX_PACKAGES)."
  type        = string
  default     = ""
  validation {
    condition     = contains(["", "numpy"], var.sandbox_packages)
    error_message = "The package that can be offered is numpy."
  }
}

variable "sandbox_languages" {
  description = "Languages that programs may be written in besides Python, JavaScript and SQL: cpp, or empty for none. The runner's image must be built with the same (SANDBOX_LANGUAGES)."
  type        = string
  default     = ""
  validation {
    condition     = contains(["", "cpp"], var.sandbox_languages)
    error_message = "The language that can be offered is cpp."
  }
}

variable "platform_sandbox" {
  description = "Start the code runner's programs inside Cloud Run's sandbox command (Preview) as an outer wall."
  type        = bool
  default     = false
}

variable "alert_email" {
  description = "Where alerts go; empty for none."
  type        = string
  default     = ""
  validation {
    condition     = var.alert_email == "" || can(regex("^[^@ ]+@[^@ ]+$", var.alert_email))
    error_message = "An e-mail address, or empty."
  }
}

variable "billing_account" {
  description = "Billing account for the budget alert; empty for none."
  type        = string
  default     = ""
  validation {
    condition     = var.billing_account == "" || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "A billing account looks like 012345-6789AB-CDEF01."
  }
}

variable "monthly_budget" {
  description = "Monthly budget in the billing account's currency; an alert at 50, 90 and 100 %."
  type        = number
  default     = 100
  validation {
    condition     = var.monthly_budget > 0
    error_message = "The budget is above zero."
  }
}
