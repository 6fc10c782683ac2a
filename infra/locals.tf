locals {
  # light: little work, little memory. heavy: worker processes of 512 MiB each, two for each CPU. waiting: code-verifier,
  # whose requests mostly wait for a runner (the caller's, the watchdog's and the result's), many at once.
  sizes = {
    small = {
      light   = { memory = "512Mi", cpu = "1", concurrency = 40, min = 0, max = 10 }
      heavy   = { memory = "2Gi", cpu = "1", concurrency = 20, min = 0, max = 10 }
      waiting = { memory = "1Gi", cpu = "1", concurrency = 250, min = 0, max = 10 }
      runner  = { tasks = 5, cpu = "2", memory = "4Gi" }
    }
    large = {
      light   = { memory = "512Mi", cpu = "1", concurrency = 80, min = 2, max = 200 }
      heavy   = { memory = "4Gi", cpu = "2", concurrency = 40, min = 2, max = 400 }
      waiting = { memory = "1Gi", cpu = "1", concurrency = 500, min = 2, max = 200 }
      runner  = { tasks = 100, cpu = "4", memory = "8Gi" }
    }
  }
  size = local.sizes[var.size]

  # Above what any handler takes; the lease of an idempotency record is as long.
  ack_deadline_s = 120

  # What each function is: its weight, its time-out in seconds, and what it uses beside its own code.
  functions = {
    ingest-agent       = { weight = "light", timeout = 60, store = true, gemini = false, knowledge = false }
    verifier-agent     = { weight = "heavy", timeout = 100, store = true, gemini = true, knowledge = false }
    summarizer-agent   = { weight = "light", timeout = 100, store = true, gemini = true, knowledge = false }
    math-verifier      = { weight = "heavy", timeout = 300, store = false, gemini = false, knowledge = false }
    code-verifier      = { weight = "waiting", timeout = 300, store = true, gemini = false, knowledge = false }
    knowledge-verifier = { weight = "heavy", timeout = 300, store = false, gemini = true, knowledge = true }
    format-verifier    = { weight = "heavy", timeout = 300, store = false, gemini = false, knowledge = false }
  }

  # Topics that each function publishes to, beside dead-letters, which every one may use.
  publishes = {
    ingest-agent       = ["events"]
    verifier-agent     = ["verified-events"]
    summarizer-agent   = ["incident-briefs", "incident-acts"]
    math-verifier      = ["verification-results"]
    code-verifier      = ["code-executions", "code-executions-bulk", "verification-results"]
    knowledge-verifier = ["verification-results"]
    format-verifier    = ["verification-results"]
  }

  verifiers = [for name in keys(local.functions) : name if endswith(name, "-verifier")]
}
