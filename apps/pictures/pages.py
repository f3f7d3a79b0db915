"""What is done with pages of runs: the models that a program offers, and a headless browser, as Debian's chromium,
chromium-driver and python3-selenium make it."""

import re
import shutil
import subprocess

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None


def output_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def models_of(program):
    """Names of the models that a command has."""
    lines = output_of(program, "list").split("\n")
    first, last = lines.index("models") + 1, lines.index("formulations")
    return [line.split()[0] for line in lines[first:last]]


def usual_end(program, model):
    """To which time a model runs where nobody says [s]."""
    return float(re.search(r"runs to t = (\S+) s", output_of(program, "list", model)).group(1))


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
