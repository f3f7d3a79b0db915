"""A headless browser for pages of runs, as Debian's chromium, chromium-driver and python3-selenium make it."""

import shutil

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None


def missing():
    """What there is none of, as a sentence; "" where all is there."""
    if webdriver is None:
        return "python3-selenium is not installed"
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "chromium and chromium-driver are not installed"
    return ""


def start(folder, width=1000, height=700):
    """A browser that keeps what it remembers in `folder`, and what its console says."""
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}",
                     "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-extensions",
                     "--no-first-run", "--disable-background-networking", f"--user-data-dir={folder}/profile"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
