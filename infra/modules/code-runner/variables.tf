variable "project" {
  description = "Project id."
  type        = string
}

variable "region" {
  description = "Region."
  type        = string
}

variable "image" {
  description = "The runner's image, by digest."
  type        = string
}

variable "subscription" {
  description = "The one subscription that it pulls."
  type        = string
}

variable "publish_topics" {
  description = "Topics that it publishes to, full names by short name."
  type        = map(string)
}

variable "launcher_account" {
  description = "E-mail of the account that launches it."
  type        = string
}

variable "min_rung" {
  description = "Weakest isolation in which programs are run."
  type        = string
}

variable "cpu" {
  description = "CPUs of a task."
  type        = string
}

variable "memory" {
  description = "Memory of a task."
  type        = string
}

variable "platform_sandbox" {
  description = "Start programs inside Cloud Run's sandbox command."
  type        = bool
}
