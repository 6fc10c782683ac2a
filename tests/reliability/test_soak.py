"""What a soak tells of its samples; the soak itself is `make soak`."""

from tests.reliability.soak import beyond

FLAT = {
    "MB math_verifier": 300.0,
    "descriptors broker": 50.0,
    "threads broker": 8.0,
    "log bytes broker": 1e6,
    "bytes store.db": 0.0,
    "bytes store.db-wal": 5e7,
    "bytes broker.db": 0.0,
    "bytes broker.db-wal": 1e7,
    "p99 ms verification": 40.0,
}


def samples(**grows: float) -> list[dict[str, float]]:
    """Forty samples in which 10 events came each, with so much more of some things in each than in the one before."""
    growing = {name.replace("_", " ", 1): more for name, more in grows.items()}
    return [
        {name: value + number * growing.get(name, 0.0) for name, value in FLAT.items()} | {"events": number * 10}
        for number in range(40)
    ]


def test_what_stays_as_it_is_or_grows_by_what_is_kept_is_within_its_bounds() -> None:
    assert beyond(samples()) == []
    assert beyond([one | {"bytes store.db": one["events"] * 30_000} for one in samples()]) == []


def test_memory_descriptors_threads_and_times_that_grow_are_told() -> None:
    assert [told.partition(":")[0] for told in beyond(samples(MB_math_verifier=10.0))] == ["MB math_verifier"]
    assert beyond(samples(descriptors_broker=2.0))[0].startswith("descriptors broker: 79 became 119")
    assert beyond(samples(threads_broker=1.0))[0].startswith("threads broker")
    slower = [one | {"p99 ms verification": one["events"] ** 2 / 10} for one in samples()]
    assert beyond(slower)[0].startswith("p99 ms verification")


def test_a_file_that_grows_more_for_each_event_is_told() -> None:
    assert beyond([one | {"bytes store.db": one["events"] ** 3} for one in samples()])[0].startswith("bytes store.db")
