"""The build of the extension module is that for the processor."""

from pathlib import Path

import pytest
from secateurs import _cpu


def cpuinfo(folder: Path, flags: str) -> Path:
    path = folder / "cpuinfo"
    path.write_text(f"processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu {flags} hypervisor\nbugs\t\t: none\n")
    return path


def test_a_processor_of_the_level_has_all_flags(tmp_path: Path) -> None:
    assert _cpu.is_v3(cpuinfo(tmp_path, " ".join(sorted(_cpu.FLAGS))))
    for flag in _cpu.FLAGS:
        assert not _cpu.is_v3(cpuinfo(tmp_path, " ".join(_cpu.FLAGS - {flag}))), flag
    assert not _cpu.is_v3(cpuinfo(tmp_path, "avx2x xbmi2"))
    assert not _cpu.is_v3(tmp_path / "none")


@pytest.mark.parametrize("capable", [True, False])
def test_the_faster_build_comes_first(capable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cpu, "is_v3", lambda: capable)
    path = [str(tmp_path)]
    _cpu.select(path)
    assert path == [str(tmp_path)], "there is no other build"
    (tmp_path / "_v3").mkdir()
    _cpu.select(path)
    assert path == ([str(tmp_path / "_v3")] if capable else []) + [str(tmp_path)]
