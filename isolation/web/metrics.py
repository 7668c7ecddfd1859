"""What can be watched from outside, in the form that Prometheus reads.

Where there are several processes, any of them tells the figures of all, each with a label that says
whose they are: so it doesn't matter which one is asked. What they share, such as engine hosts, is
told once and without a label.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)

Gauges = Callable[[], Iterable[tuple[str, str, float]]]
Families = list[dict[str, Any]]  # metrics as JSON


class Metrics(Collector):
    """Counts what happens; what there is at a moment is asked for when somebody looks."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._latency = Histogram(
            "isolation_move_seconds",
            "from the receipt of a move to its acknowledgement, stored and told",
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._refused = Counter(
            "isolation_refused", "events that were refused", ["code"], registry=self._registry
        )
        self._gauges: Gauges = list
        self._registry.register(self)
        self._shared: Gauges = list
        self._process: str | None = None
        self._others: Callable[[], Mapping[str, Families]] = dict

    def show(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def show_shared(self, gauges: Gauges) -> None:
        """What's the same whichever process is asked."""
        self._shared = gauges

    def share(self, process: str, others: Callable[[], Mapping[str, Families]]) -> None:
        """Tell the figures of other processes too."""
        self._process, self._others = process, others

    def moved(self, seconds: float) -> None:
        self._latency.observe(seconds)

    def refused(self, code: str) -> None:
        self._refused.labels(code).inc()

    def collect(self) -> Iterable[Metric]:
        return _families(self._gauges())

    def families(self) -> Families:
        """Our own figures, as they can be sent to others."""
        return [
            {
                "name": metric.name,
                "summary": metric.documentation,
                "type": metric.type,
                "samples": [[one.name, dict(one.labels), one.value] for one in metric.samples],
            }
            for metric in self._registry.collect()
        ]

    def text(self) -> bytes:
        registry = CollectorRegistry()
        registry.register(_Unlabelled(self._shared))
        shared = generate_latest(registry)
        if self._process is None:
            return generate_latest(self._registry) + shared
        registry = CollectorRegistry()
        registry.register(_Labelled({**self._others(), self._process: self.families()}))
        return generate_latest(registry) + shared


def _families(gauges: Iterable[tuple[str, str, float]]) -> Iterable[Metric]:
    for name, summary, value in gauges:
        family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
        yield family(f"isolation_{name}", summary, value=value)


class _Unlabelled(Collector):
    """What all processes share."""

    def __init__(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        return _families(self._gauges())


class _Labelled(Collector):
    """The figures of several processes."""

    def __init__(self, processes: Mapping[str, Families]) -> None:
        self._processes = processes

    def collect(self) -> Iterable[Metric]:
        merged: dict[str, Metric] = {}
        for process, families in self._processes.items():
            for family in families:
                fresh = Metric(family["name"], family["summary"], family["type"])
                metric = merged.setdefault(family["name"], fresh)
                for name, labels, value in family["samples"]:
                    metric.add_sample(name, {**labels, "process": process}, value)
        return merged.values()
