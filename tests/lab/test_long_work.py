"""The pages where work takes long, in a real browser: it goes on without the page, and is mended when it dies."""

import csv
import io
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import SECONDS, Lab, Visitor, running_lab
from playwright.sync_api import Page, expect

from nemesis.lab.jobs import Jobs, State, process_of

DATA = Path(__file__).parent.parent / "data"
LONG = 1000 * SECONDS
Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab with a store of its own, whose jobs end with the tests."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEMESIS_STORE", str(folder / "hands.duckdb"))
        with running_lab(folder) as lab:
            yield lab
    for job in Jobs(folder / "jobs").all():
        process = process_of(job.folder)
        if process is not None:
            os.kill(process, signal.SIGKILL)


def fill(page: Page, label: str, value: int) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(str(value))
    field.blur()  # which hands the value on at once


def start_run(page: Page, generations: int) -> None:
    recipe = page.get_by_label("recipe", exact=True)
    recipe.fill("ga-la")
    page.get_by_role("option", name="ga-la", exact=True).click()
    for label, value in (("generations", generations), ("population", 6), ("games each", 4)):
        fill(page, label, value)
    page.get_by_role("button", name="Start this evolution").click()


def test_a_run_goes_on_when_its_page_is_closed_and_is_finished_when_it_is_opened_again(visit: Visit, lab: Lab) -> None:
    visitor = visit()
    page = visitor.go("/evolution")
    expect(page.get_by_text("No run yet")).to_be_visible()
    start_run(page, 5)
    expect(page.locator(".big")).to_have_text("ga-la-1")
    page.close()
    jobs = Jobs(lab.folder / "jobs")
    wait_for(lambda: jobs.job("ga-la-1").state is State.FINISHED, jobs)
    visitor.page = visitor.open_page()
    page = visitor.go("/evolution")
    expect(page.locator(".centre .chip")).to_have_text("finished")
    expect(page.locator(".centre svg").first).to_have_attribute("aria-label", re.compile("best ends at"))
    expect(page.locator(".q-drawer--right svg").first).to_have_attribute(
        "aria-label", re.compile("share of tournaments")
    )
    expect(page.get_by_text("ga-la-1: the champion")).to_be_visible(timeout=LONG)
    page.keyboard.press("f")
    expect(page.get_by_text("hands on the same deals")).to_be_visible(timeout=LONG)


def test_a_run_whose_process_is_killed_is_told_and_goes_on(visit: Visit, lab: Lab) -> None:
    page = visit().go("/evolution")
    start_run(page, 100_000)  # more than anybody waits for: it is killed, paused and stopped on the way
    expect(page.locator(".big")).to_have_text("ga-la-2")
    jobs = Jobs(lab.folder / "jobs")
    wait_for(lambda: jobs.job("ga-la-2").done > 1, jobs)
    os.kill(process_of(jobs.folder / "ga-la-2") or 0, signal.SIGKILL)
    expect(page.get_by_text("was killed by SIGKILL; it was started again")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="End its process").click()
    expect(page.locator(".centre .chip")).to_have_text("paused", timeout=LONG)
    page.get_by_role("button", name="Go on from the last checkpoint").click()
    expect(page.locator(".centre .chip")).to_have_text("running", timeout=LONG)
    page.get_by_role("button", name="Stop it").click()
    expect(page.locator(".centre .chip")).to_have_text("stopped", timeout=LONG)
    remove = page.get_by_role("button", name="Remove this run")
    remove.click()
    expect(remove).to_contain_text("Sure?")
    remove.click()
    expect(page.locator(".big")).to_have_text("ga-la-1")
    assert not (lab.folder / "runs" / "ga-la-2").exists()


def test_good_and_broken_files_are_imported_and_a_hand_is_three_clicks_away(
    visit: Visit, lab: Lab, tmp_path: Path
) -> None:
    broken = tmp_path / "x';rm -rf ..;.txt"
    broken.write_text("this is a shopping list: eggs, milk, bread")
    page = visit().go("/players")
    expect(page.get_by_text("No hands yet")).to_be_visible()
    chooser = page.locator("input[type=file]").first
    chooser.set_input_files([DATA / "pokerstars.phhs", broken])
    expect(page.get_by_text("set aside: 000")).to_contain_text("this is no hand history that is known", timeout=LONG)
    for stored in (lab.folder / "uploads").rglob("*.*"):
        assert re.fullmatch(r"\d{4}-[A-Za-z0-9_-]+\.(phhs|txt)", stored.name)
    names = page.locator("table.players td.who button")
    expect(names.first).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="sort by VPIP").click()
    expect(page.locator("th", has_text="VPIP ▾")).to_be_visible(timeout=LONG)
    names.first.click()
    page.locator("[data-pick=vpip]").click()
    expect(page.get_by_text("Hands behind VPIP")).to_be_visible(timeout=LONG)
    page.locator(".q-drawer--right .job-line").first.click()
    expect(page.locator(".replay svg")).to_be_visible(timeout=LONG)
    rows = page.locator("table.actions tr.chosen")
    before = rows.get_attribute("data-step")
    page.keyboard.press("ArrowRight")
    expect(rows).not_to_have_attribute("data-step", str(before), timeout=LONG)
    page.keyboard.press("n")
    expect(page.locator(".q-drawer--right")).to_contain_text("the model gave it", timeout=LONG)
    page.reload()
    expect(page.locator(".replay svg")).to_be_visible(timeout=LONG)


def test_a_file_is_dropped_anywhere_on_the_page(visit: Visit) -> None:
    page = visit().go("/players")
    made = "([name, text]) => { const d = new DataTransfer(); d.items.add(new File([text], name)); return d; }"
    dropped = page.evaluate_handle(made, ["pluribus.phhs", (DATA / "pluribus.phhs").read_text()])
    page.dispatch_event(".lab-footer", "drop", {"dataTransfer": dropped})
    expect(page.get_by_text("1 dropped file", exact=True)).to_be_visible(timeout=LONG)
    expect(page.locator(".job-line", has_text="1 dropped file")).to_contain_text("finished", timeout=LONG)


def test_uploads_are_bounded(visit: Visit, lab: Lab, tmp_path: Path) -> None:
    page = visit().go("/players")
    program = tmp_path / "agent.py"
    program.write_text("import os")
    before = set((lab.folder / "uploads").rglob("*.*"))
    page.locator("input[type=file]").first.set_input_files(program)
    expect(page.get_by_text("only files that end in")).to_be_visible()
    assert set((lab.folder / "uploads").rglob("*.*")) == before


@pytest.mark.parametrize(
    "address", ["/players?player=999999999", "/players?player=1&hand=99999999", "/players?player=../../etc&number=os"]
)
def test_addresses_that_lead_nowhere_are_told(visit: Visit, address: str) -> None:
    page = visit().go(address)
    expect(page.locator(".centre")).to_contain_text(re.compile("This cannot be shown|players"), timeout=LONG)


def test_a_matrix_fills_and_can_be_downloaded(visit: Visit) -> None:
    page = visit().go("/arena")
    for label, value in (("hands a pair", 100), ("matches", 2), ("hands a match", 10)):
        fill(page, label, value)
    page.get_by_role("button", name="Play this contest").click()
    expect(page.locator(".centre .chip")).to_have_text("finished", timeout=LONG)
    expect(page.locator(".centre svg").first).to_contain_text("±")
    with page.expect_download() as found:
        page.get_by_role("button", name="as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(found.value.path()).read_text())))
    pairs = [row for row in rows if row["what"] == "pair"]
    assert len(pairs) == 5 * 4
    assert {row["player"] for row in pairs} == {"analysis", "la", "lp", "ta", "tp"}
    assert sum(float(row["mean"]) for row in pairs) == pytest.approx(0)
    assert len({row["opponent"] for row in rows if row["what"] == "stretch"}) == 4
    with page.expect_download() as found:
        page.get_by_role("button", name="as a picture").click()
    assert Path(found.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_network_is_trained_watched_exported_and_imported(visit: Visit, tmp_path: Path) -> None:
    page = visit().go("/models")
    page.locator("tr[data-pick]").first.click()
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile(r"hands 1–\d+: \d+ decisions"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="One epoch").click()
    expect(page.get_by_text("epoch 1", exact=True)).to_be_visible(timeout=LONG)
    page.keyboard.press(" ")
    expect(page.get_by_text("300 epochs are used up")).to_be_visible(timeout=LONG)
    page.locator(".centre tr[data-pick]").nth(2).click()
    expect(page.get_by_text(re.compile("It says (fold|call|raise); the player did"))).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("button", name="Download both networks").click()
    text = Path(found.value.path()).read_text()
    assert json.loads(text)["opponent_model"] == 1
    (tmp_path / "good.json").write_text(text)
    (tmp_path / "bad.json").write_text('{"opponent_model": 1, "hand": [1], "action": "os.system"}')
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(tmp_path / "bad.json")
    expect(page.locator(".q-notification")).to_contain_text(re.compile("network", re.I))
    chooser.set_input_files(tmp_path / "good.json")
    expect(page.get_by_text("the networks were taken")).to_be_visible()
    expect(page.get_by_text("epoch 0", exact=True)).to_be_visible()


def wait_for(true: Callable[[], bool], jobs: Jobs) -> None:
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, [(job.name, job.state, job.line, job.told) for job in jobs.all()]
        time.sleep(0.1)
