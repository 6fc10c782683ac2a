# The two commands: `make demo` and `make test`; `make help` lists all. Everything installs itself into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: help demo run test test-fast coverage mutants docs hooks install-locked check lock audit-packages infra-check ablate image-check stage-check fuzz campaign metamorphic bench plots soak example-trl test-trainers test-ray wheel-test install install-dev clean

install: $(VENV)/.installed-local  ## what runs the fleet on this machine
install-dev: $(VENV)/.installed-dev  ## and what tests it

install-locked: | $(BIN)/python  ## the same by the versions and hashes of requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $(VENV)/.installed-local $(VENV)/.installed-dev

hooks: install-dev  ## at each commit: ruff, spelling and the message, as make check has them
	@$(BIN)/pre-commit install

help:  ## this list
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / { printf "  make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "verifleet needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "python -m venv failed: install your system's python3-venv package"; exit 1; }

$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[$*]'
	@touch $@

demo: install  ## run the main job end to end on this machine and show the results
	@$(BIN)/verifleet demo

run: install  ## keep the fleet running on this machine
	@$(BIN)/verifleet up

# The tests start hundreds of processes of ours: what one of them compiled, the others need not.
test: install-dev  ## all tests; of three processes one mostly waits, for servers
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3

test-fast: install-dev  ## the inner loop: pure cores, no servers and no sandboxes; under a minute
	$(BIN)/python -m pytest -n 2 -m fast tests/unit

coverage: install-dev  ## what share of the package the fast tests run; the floor is in pyproject.toml
	$(BIN)/python -m pytest -n 2 -m fast --cov tests/unit

mutants: install-dev  ## planted faults in comparers and guards, and how many their tests notice; minutes
	@$(BIN)/python -m tools.mutants $(MUTANTS)

docs: install-dev  ## the pages and the API as a site in build/site, every link checked
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[docs]'
	@$(BIN)/python -m tools.site

check: install-dev  ## formatting, lint, types, import rules, spelling, locks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m tools.lock --check
	$(BIN)/python -m tools.house --check

lock: install-dev  ## what functions and the runner install, anew by version and hash
	$(BIN)/python -m tools.lock

audit-packages: install-dev  ## known vulnerabilities of what is locked
	$(BIN)/python -m tools.lock --audit

infra-check: install-dev  ## Terraform, IAM, Dockerfile and build file, without Google Cloud; installs its tools by itself
	$(BIN)/python -m tools.infra_check

ablate: install-dev  ## each rule of the verifier on real reports; PAIRS=FILE STREAMS=FILE
	$(BIN)/python -m tools.ablate $(PAIRS) $(STREAMS)

image-check:  ## the runner's image in containers with what Cloud Run gives; needs docker or podman
	@tools/image_check.sh

stage-check: install-dev  ## every function installed and started from exactly what is uploaded; minutes
	$(BIN)/python -m tools.stage_check

fuzz: install-dev  ## hundreds of thousands of hostile requests against real processes; FUZZ="--requests N --seed S"
	$(BIN)/python -m tests.fuzz.campaign $(FUZZ)

campaign: install-dev  ## 20 seeds of kills and outages under load, every input accounted for; CAMPAIGN="--seeds N --first S"
	$(BIN)/python -m tests.reliability.campaign $(CAMPAIGN)

soak: install-dev  ## 20 minutes at 70 % of the measured capacity, nothing may grow beyond its bounds; SOAK="--minutes N"
	$(BIN)/python -m tests.reliability.soak $(SOAK)

metamorphic: install-dev  ## 200,000 responses in other words that keep their verdict; METAMORPHIC="--only math --seed S"
	$(BIN)/python -m tests.metamorphic.generate $(METAMORPHIC)

BENCHES := $(patsubst tests/benchmarks/bench_%.py,bench-%,$(wildcard tests/benchmarks/bench_*.py))
.PHONY: $(BENCHES)

bench: install-dev  ## every benchmark in a short form, in one table and build/bench.json; one whole: make bench-NAME; BENCH="math broker"
	$(BIN)/python -m tests.benchmarks.table $(BENCH)

plots: install-dev  ## scaling curves in docs/images: clients, batches, stored events, facts; installs matplotlib by itself
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[plots]'
	$(BIN)/python -m tests.benchmarks.curves $(PLOTS)

$(BENCHES): bench-%: install-dev
	$(BIN)/python -m tests.benchmarks.bench_$*

example-trl: install  ## GRPO with TRL on CPU: in process, by URL, and with the server killed; installs torch by itself
	@$(BIN)/python -m tools.example_trl

test-trainers: install-dev  ## the trainers' own packages call our rewards; installs them by itself
	@$(BIN)/python -m tools.trainer_tests

test-ray: install-dev  ## scoring on a Ray cluster of two nodes on this machine; installs Ray by itself
	@$(BIN)/python -m tools.ray_tests

wheel-test: install-dev  ## the built wheel in an empty venv, then the doctor on its sample; needs the network
	@$(BIN)/python -m tools.wheel_test

clean:  ## remove what was installed and made here
	rm -rf $(VENV) .verifleet .mypy_cache .ruff_cache .pytest_cache .hypothesis build
