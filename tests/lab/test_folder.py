"""Nothing that a page names leads out of the lab's folder."""

from pathlib import Path

import pytest

from nemesis.lab.folder import cookie_secret, inside


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMESIS_LAB", str(tmp_path / "lab"))


@pytest.mark.parametrize(
    "name", ["..", "../x", "/etc/passwd", "a/b", "a\\b", "", ".hidden", "x" * 81, "a\n", "a\0", 3, None]
)
def test_a_name_that_is_not_plain_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="cannot be a name here"):
        inside("runs", name)  # type: ignore[arg-type]


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    inside("runs").mkdir()
    inside("runs").joinpath("out").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="leads out of the lab's folder"):
        inside("runs", "out")


def test_the_secret_stays_and_is_for_the_owner_alone() -> None:
    secret = cookie_secret()
    assert len(secret) == 64
    assert cookie_secret() == secret
    assert inside("cookie-secret").stat().st_mode & 0o077 == 0
