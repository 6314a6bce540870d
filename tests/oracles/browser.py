"""A page in a real browser: its picture, its document and what it complains of."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
from PIL import Image

from oracles.missing import lacking

SIZE = (900, 600)
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new --no-sandbox --disable-background-networking "
    "--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--ignore-gpu-blocklist "
    "--no-first-run --hide-scrollbars --force-device-scale-factor=1 "
    "--enable-logging=stderr"
).split()


def browser() -> str:
    """Return the path of a Chromium, or skip the test (fail where CI is set)."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        lacking("chromium", "no Chromium: install the Debian package 'chromium'")
    return found


class Visit:
    """One look at a page: its picture, its final document and what it complained of."""

    def __init__(self, url: str, folder: Path, name: str, milliseconds: int) -> None:
        self.shot = folder / f"{name}.png"
        own = (
            f"--user-data-dir={folder / name}",
            f"--virtual-time-budget={milliseconds}",
            f"--window-size={SIZE[0]},{SIZE[1]}",
            f"--screenshot={self.shot}",
            "--dump-dom",
        )
        self.command = [browser(), *FLAGS, *own, url]
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        """Open the browser."""
        pipe = subprocess.PIPE
        return subprocess.Popen(self.command, stdout=pipe, stderr=pipe, text=True)

    def finish(self) -> None:
        """Wait for the browser and read what it left; one that hangs is opened anew."""
        for tries_left in (2, 1, 0):
            try:
                self.document, log = self.process.communicate(timeout=30)
                break
            except subprocess.TimeoutExpired:
                if not tries_left:
                    raise
            finally:
                self.process.kill()
            self.process.communicate()
            self.process = self.start()
        self.complaints = [line for line in log.splitlines() if "CONSOLE" in line]
        with Image.open(self.shot) as image:
            self.image = np.asarray(image.convert("RGB")).astype(int)
