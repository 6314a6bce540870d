"""Open every page of the built site in a browser, wide and narrow, and say what is off.

    .venv/bin/python tools/look_at_site.py [--shots FOLDER] [--browser PATH] [PAGE ...]

Pages are opened from disk at 1280 and at 390 pixels. One line a problem: an error on
the console, a request that leaves this machine or fails, a picture that is not there, a
page that is wider than its window. The search is tried once. Exits 1 on any problem.
Pictures of the pages are kept in FOLDER. It needs Playwright and a Chromium.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SITE = Path(__file__).parents[1] / "out" / "site"
WIDTHS = (1280, 390)
BROKEN = "[...document.images].filter(i => !i.naturalWidth).map(i => i.src)"
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll('.md-content__inner > *')].filter(
  e => e.scrollWidth > e.clientWidth + 12 && getComputedStyle(e).overflowX === 'visible'
).map(e => e.tagName + ' ' + e.innerText.slice(0, 40))"""


def problems_of(browser: Any, path: Path, width: int, shots: Path | None) -> list[str]:
    """Return what is wrong with a page at a width.

    Args:
        browser: a running one.
        path: the page's file.
        width: of the window [pixels].
        shots: where a picture of it goes; None for none.
    """
    found: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.on("console", lambda m: m.type == "error" and found.append(m.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", lambda r: found.append(f"failed: {r.url}"))
    page.on("request", lambda r: r.url.startswith("http") and found.append(r.url))
    page.goto(path.as_uri())
    page.wait_for_load_state("load")
    found += [f"no picture: {source}" for source in page.evaluate(BROKEN)]
    if (wider := page.evaluate(WIDE)) > 0:
        found.append(f"wider than its window by {wider} pixels")
    found += [f"sticks out: {what}" for what in page.evaluate(CUT)]
    if shots is not None:
        name = "-".join(path.relative_to(SITE).with_suffix("").parts)
        page.screenshot(path=shots / f"{name}-{width}.png")
    page.close()
    return found


def search_problems(browser: Any, word: str) -> list[str]:
    """Return what is wrong with the search, from disk.

    Args:
        browser: a running one.
        word: that some page has.
    """
    page = browser.new_page(viewport={"width": WIDTHS[0], "height": 900})
    page.goto((SITE / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type(word)
    try:
        page.wait_for_selector(".md-search-result__item", timeout=20000)
    except Exception as error:  # Playwright's own, which is not imported here
        return [f"search: nothing for '{word}': {str(error).splitlines()[0]}"]
    finally:
        page.close()
    return []


def looked(names: list[str], shots: Path | None, program: str) -> Iterator[str]:
    """Yield every problem of the pages, with where it is.

    Args:
        names: pages, from the site's top; all of them where there is none.
        shots: where pictures go.
        program: the browser.
    """
    from playwright.sync_api import sync_playwright

    pages = [SITE / name for name in names] or [
        path for path in sorted(SITE.rglob("*.html")) if path.name != "404.html"
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield from search_problems(browser, "capture point")
        for path in pages:
            for width in WIDTHS:
                for problem in problems_of(browser, path, width, shots):
                    yield f"{path.relative_to(SITE)} at {width}: {problem}"
        browser.close()
    print(f"{len(pages)} pages at {len(WIDTHS)} widths")


def main(arguments: list[str]) -> int:
    """Look at the site and return the exit code."""
    parser = argparse.ArgumentParser("look_at_site.py", description=__doc__)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium") or "chromium")
    parser.add_argument("names", nargs="*", metavar="PAGE")
    asked = parser.parse_args(arguments)
    if not (SITE / "index.html").exists():
        print("There is no site yet; run 'make site' first.", file=sys.stderr)
        return 2
    if asked.shots is not None:
        asked.shots.mkdir(parents=True, exist_ok=True)
    count = 0
    for problem in looked(asked.names, asked.shots, asked.browser):
        print(problem, flush=True)
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
