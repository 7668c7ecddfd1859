"""What can be watched from outside, in the form that Prometheus reads."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)

Gauges = Callable[[], Iterable[tuple[str, str, float]]]


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

    def show(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def moved(self, seconds: float) -> None:
        self._latency.observe(seconds)

    def refused(self, code: str) -> None:
        self._refused.labels(code).inc()

    def collect(self) -> Iterable[Metric]:
        for name, summary, value in self._gauges():
            if name.endswith("_total"):
                yield CounterMetricFamily(f"isolation_{name}", summary, value=value)
            else:
                yield GaugeMetricFamily(f"isolation_{name}", summary, value=value)

    def text(self) -> bytes:
        return generate_latest(self._registry)
