output "urls" {
  description = "URL of every function, by name."
  value       = { for name, function in module.function : name => function.url }
}

output "agent_cards" {
  description = "Agent card of every agent."
  value = {
    for name, function in module.function : name => "${function.url}/.well-known/agent-card.json" if endswith(name, "-agent")
  }
}

output "topics" {
  description = "Full names of the topics, by short name."
  value       = module.messaging.topics
}

output "code_runner_job" {
  description = "Full name of the code runner's job."
  value       = module.code_runner.job
}

output "knowledge_bucket" {
  description = "Bucket for knowledge bases."
  value       = module.knowledge_base.bucket
}
