"""A browser that opens a page from disk and records errors and requests."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class BrowserUnavailableError(Exception):
    """Why there is no browser."""


@contextmanager
def start_browser() -> Generator[Any]:
    """Chromium as the system has it, without a window and with an empty profile."""
    path = os.environ.get("KARAT_TEST_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise BrowserUnavailableError("no Chromium on the path; `apt-get install chromium` brings one")
    from playwright.sync_api import Error, sync_playwright

    with TemporaryDirectory() as profile, sync_playwright() as playwright:
        try:
            context = playwright.chromium.launch_persistent_context(
                profile,
                executable_path=path,
                headless=True,
                args=[*FLAGS],
                viewport={"width": 1280, "height": 900},
            )
        except Error as error:
            raise BrowserUnavailableError(str(error).splitlines()[0]) from error
        yield context
        context.close()


class Opened:
    """A page with what went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    @property
    def item(self) -> Any:
        return self.page.locator("#item")

    def wait_for(self, beginning: str) -> None:
        """Wait until the status begins like this."""
        self.page.wait_for_function(
            "words => document.getElementById('status').textContent.startsWith(words)", arg=beginning
        )

    def search(self, words: str) -> None:
        self.page.get_by_role("searchbox").fill(words)

    def choose(self, name: str, option: str) -> None:
        self.control(name).select_option(option)

    def control(self, name: str) -> Any:
        return self.page.locator(f'#filters label:has(> span:text-is("{name}")) select')

    def rows(self) -> list[str]:
        """The rows in sight, from the top."""
        options = self.page.locator("#list [role=option]").all()
        listed = [(int(one.get_attribute("aria-posinset")), one.inner_text()) for one in options]
        return [text for _, text in sorted(listed)]


@contextmanager
def open_page(
    context: Any, path: Path, *, scheme: Literal["light", "dark"] = "light", hash_: str = ""
) -> Generator[Opened]:
    """Open a file and wait until all its rows are read."""
    page = context.new_page()
    page.set_default_timeout(120_000)  # against hanging, not against slow machines
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    opened = Opened(page)
    page.goto(f"{path.resolve().as_uri()}{hash_}")
    page.wait_for_selector("html[data-ready]", state="attached")
    try:
        yield opened
    finally:
        page.close()
