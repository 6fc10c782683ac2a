"""The trainers' own packages call our rewards: `make test-trainers`.

Where a package is not installed, its tests are skipped. What the calls look like is recorded in
tests/unit/rewards/test_rewards.py, which needs none of them.
"""
