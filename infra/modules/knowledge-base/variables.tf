variable "project" {
  description = "Project id."
  type        = string
}

variable "region" {
  description = "Location of the bucket."
  type        = string
}

variable "readers" {
  description = "E-mails of the accounts that read, by function."
  type        = map(string)
}

variable "log_bucket" {
  description = "Bucket for access logs; empty for none."
  type        = string
  default     = ""
}
