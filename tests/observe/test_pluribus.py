"""All hands of Pluribus against professionals (Brown and Sandholm, 2019), where the archive is at hand."""

import tarfile
import time
from pathlib import Path

import pytest

from nemesis.observe.phh import split_hands
from nemesis.observe.replay import check_passage

ARCHIVE = Path(__file__).parents[3] / "shared" / "data" / "pluribus_10000.tar.xz"


@pytest.mark.slow
@pytest.mark.skipif(not ARCHIVE.exists(), reason="the archive of Pluribus hands is not at hand")
def test_all_ten_thousand_hands_end_with_the_published_stacks():
    began = time.perf_counter()
    verdicts = []
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if member.name.endswith(".phh"):
                lines = archive.extractfile(member).read().splitlines(keepends=True)
                verdicts += [check_passage(passage) for passage in split_hands(lines, member.name)]
    assert [checked.problem for checked in verdicts if not checked.agrees] == []
    assert len(verdicts) == 10_000
    assert sum(checked.rake for checked in verdicts) == 0
    assert time.perf_counter() - began < 60
