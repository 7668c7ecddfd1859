"""What can be said of deploy/ without a container engine or root: names, users, versions, paths."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from isolation.terminal.commands import COMMANDS
from isolation.web.settings import SETTINGS
from tests.server import ROOT

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

# Which belong to others: the shell, Python, numba, PostgreSQL, compose itself.
FOREIGN = {
    "CPU",
    "NUMBA_CPU_FEATURES",
    "NUMBA_CPU_NAME",
    "PATH",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_CACHE_DIR",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "POSTGRES_USER",
    "PUBLISH",
    "PYTHONUNBUFFERED",
}
KNOWN = {setting.name for setting in SETTINGS}


def code(text: str) -> str:
    """Without comments."""
    return re.sub(r"(?m)^\s*#.*$", "", text)


def names(text: str) -> set[str]:
    """The environment variables that a Dockerfile, a compose file or a unit sets or reads."""
    patterns = (
        r"(?m)^(?:ENV|ARG)\s+([A-Z_]+)=",
        r"(?m)^\s+([A-Z_]{3,})=\S* \\?$",
        r"(?m)^\s+([A-Z_]{3,}):",
        r"\$\{([A-Z_]+)",
        r"Environment=([A-Z_]+)",
    )
    return {name for pattern in patterns for name in re.findall(pattern, code(text))}


@pytest.mark.parametrize(
    "path",
    [DEPLOY / "Dockerfile", DEPLOY / "compose.yaml", *UNITS],
    ids=lambda path: path.name,
)
def test_every_setting_is_one(path: Path) -> None:
    assert names(path.read_text(encoding="utf-8")) - FOREIGN <= KNOWN


def test_the_image_runs_as_nobody_in_particular() -> None:
    last_stage = DOCKERFILE.split("\nFROM ")[-1]
    assert re.findall(r"(?m)^USER (\S+)$", last_stage) == ["isolation"]
    assert "--uid 10001" in last_stage
    assert "HEALTHCHECK" in last_stage
    assert "/readyz" in last_stage
    assert "VOLUME /data" in last_stage
    assert "INSTANCE=/data" in last_stage
    assert "install -d -o isolation -g isolation -m 700 /data /backups" in last_stage


def test_images_are_named_with_their_version() -> None:
    images = re.findall(r"(?m)^FROM (\S+)", DOCKERFILE) + re.findall(r"image: (\S+)", COMPOSE)
    assert len(images) > 4
    for image in images:
        name, _, version = image.partition(":")
        assert version not in ("", "latest"), name


def test_what_the_image_leaves_out_is_in_the_requirements() -> None:
    left_out = re.search(r"'/\^\((.+?)\)==/d'", DOCKERFILE)
    assert left_out
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    for name in left_out[1].split("|"):
        assert re.search(rf"(?m)^{name}==", requirements), name


def test_the_image_has_nothing_but_what_it_copies() -> None:
    """And what it copies is there: the list of what's ignored ignores everything else."""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert "*" in ignored
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        source.rstrip("/")
        for sources in re.findall(r"(?m)^COPY (?!--from)(.+) \S+$", DOCKERFILE)
        for source in sources.split()
    }
    assert {name.split("/")[0] for name in allowed} == copied
    for name in allowed:
        assert (ROOT / name).exists(), name


def test_commands_that_are_started_exist() -> None:
    texts = [DOCKERFILE, COMPOSE, PAGE, *(unit.read_text(encoding="utf-8") for unit in UNITS)]
    words = r"python3?,? \"?-m,?\"? isolation,? (\w+)"
    started = {name for text in texts for name in re.findall(words, text)}
    assert started >= {"warmup", "backup", "restore", "worker"}
    assert started <= set(COMMANDS)


def test_compose_has_one_service_by_default() -> None:
    services = re.split(
        r"(?m)^  (?=\S+:$)", COMPOSE.split("\nservices:\n")[1].split("\nvolumes")[0]
    )
    by_default = [
        service.split(":")[0]
        for service in services[1:]
        if "profiles: [scale]" not in service and "<<: *web" not in service
    ]
    assert by_default == ["app"]
    assert "\t" not in COMPOSE


def test_backups_have_a_volume_wherever_they_are_made() -> None:
    services = re.findall(r"volumes: \[(.+)\]", COMPOSE)
    assert '"data:/data", "backups:/backups"' in services  # of the one service by default
    assert '"backups:/backups"' in services  # of the web processes
    for command in ("exec app python -m isolation backup", "run --rm app python -m isolation re"):
        assert command in PAGE


def test_nginx_finds_containers_that_were_made_anew() -> None:
    """Names are looked up again only in a zone, with a resolver, by a version that can."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert "resolver 127.0.0.11" in text
    upstream = text.split("upstream isolation {")[1].split("}")[0]
    assert "zone " in upstream
    assert all(" resolve " in line for line in upstream.splitlines() if "server " in line)
    version = re.search(r"image: nginx:(\d+)\.(\d+)", COMPOSE)
    assert version
    assert (int(version[1]), int(version[2])) >= (1, 28)


def test_a_reload_is_a_rolling_restart() -> None:
    text = (DEPLOY / "systemd" / "isolation.service").read_text(encoding="utf-8")
    assert "ExecReload=/bin/kill -HUP $MAINPID" in text


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_proxies_pass_on_what_the_app_needs(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    assert "TRUSTED_PROXIES=1" in text
    assert {"web-1:5000", "web-2:5000"} <= set(re.findall(r"web-\d:\d+", text))
    if name == "nginx.conf":  # Caddy does these by itself
        for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Upgrade"):
            assert f"proxy_set_header {header} " in text
        assert "proxy_buffering off" in text.split("location /api/bot/")[1].split("}")[0]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_are_valid(unit: Path, tmp_path: Path) -> None:
    """As far as systemd can say, with a Python that's there."""
    text = unit.read_text(encoding="utf-8")
    assert "User=isolation" in text
    assert "NoNewPrivileges=yes" in text
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze")
    copy = tmp_path / unit.name
    copy.write_text(text.replace("/opt/isolation/.venv/bin/python", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_file_is_explained() -> None:
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            assert f"`deploy/{path.relative_to(DEPLOY)}`" in PAGE, path.name


def test_no_file_names_a_registry() -> None:
    for path in [ROOT / ".dockerignore", *(path for path in DEPLOY.rglob("*") if path.is_file())]:
        text = path.read_text(encoding="utf-8")
        assert "index-url" not in text
