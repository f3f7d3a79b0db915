#!/usr/bin/env python3
"""Opens the page of every model of the zoo in a real browser.

browser_test.py LINKWORK ODD_PAGE: the command, and a program that writes a page with odd names and values to a file.
Exit status: 0 all hold; 1 something does not; 77 there is no browser, or what drives it.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
FRAMES = 20  # over a run; it is a run of a moment
RUN_PART = 0.02  # of the time that a model runs usually
TOLERANCE = 1e-6  # of the mechanism's size: positions are kept in single precision about a point between the bodies

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "pictures"))
import pages  # noqa: E402

if pages.missing():
    print(f"skipped: {pages.missing()}")
    sys.exit(SKIPPED)

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

command, odd_page = sys.argv[1:3]
failures = []


def expect(holds, page, what):
    if not holds:
        failures.append(f"{page}: {what}")
        print(f"FAILED: {page}: {what}", flush=True)


def write_page(model, folder):
    """Runs a model for a moment. Gives the page and the rows of its poses, none where it has no bodies."""
    end = RUN_PART * pages.usual_end(command, model)
    page, poses = (os.path.join(folder, model + ending) for ending in (".html", ".csv"))
    words = [command, "run", model, "--tend", repr(end), "--rtol", "1e-3", "--atol", "1e-3", "--quiet", "--html", page]
    rate = repr(FRAMES / end)
    has_bodies = model != "cartesian_pendulum"  # is posed directly as equations
    subprocess.run(words + ["--fps", rate] + (["--poses", poses, "--rate", rate] if has_bodies else []), check=True)
    if not has_bodies:
        return page, None
    with open(poses, newline="", encoding="utf-8") as file:
        return page, list(csv.DictReader(file))


def open_page(browser, page, file):
    browser.get("file://" + file)
    errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    expect(not errors, page, f"errors on the console: {errors}")
    requests = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    expect(not requests, page, f"requests: {requests}")


def look_at_poses(browser, page, rows):
    """The drawn positions at three frames are those of the table."""
    names = browser.execute_script("return linkwork.bodies")
    size = browser.execute_script("return linkwork.size")
    times = browser.execute_script("return Array.from(linkwork.times)")
    expect(len(rows) == len(times), page, f"{len(times)} frames and {len(rows)} rows of poses")
    expect(len(rows[0]) == 1 + 7 * len(names), page, f"bodies {names} and columns {list(rows[0])}")
    for k in (0, len(rows) // 3, len(rows) - 1):
        drawn = browser.execute_script(
            "linkwork.seek(arguments[0]); return linkwork.bodies.map(name => linkwork.drawnAt(name))", times[k])
        for name, at in zip(names, drawn):
            wanted = [float(rows[k][f"{name}: {axis}"]) for axis in "xyz"]
            error = max(abs(a - b) for a, b in zip(at, wanted))
            expect(error <= TOLERANCE * size, page, f"'{name}' is drawn at {at} in frame {k}, wanted {wanted}")


def is_seen_to_move(rows):
    """Whether a body moves by more than a pixel: the truck on its road of millimetres does not."""
    columns = [name for name in rows[0] if name.endswith((": x", ": y", ": z"))]
    ways = [max(float(row[name]) for row in rows) - min(float(row[name]) for row in rows) for name in columns]
    spread = [max(float(row[name]) for name in columns) - min(float(row[name]) for name in columns) for row in rows]
    return max(ways) > 0.003 * max(spread)


def look_at_controls(browser, page, rows):
    times = browser.execute_script("return [linkwork.times[0], linkwork.times[linkwork.times.length - 1]]")
    browser.execute_script("const s = document.getElementById('slider'); s.value = 5000;"
                           "s.dispatchEvent(new Event('input'))")
    middle = browser.execute_script("return linkwork.now")
    expect(abs(middle - sum(times) / 2) <= 1e-3 * (times[1] - times[0]), page, f"the slider leads to {middle}")
    if rows is not None:
        pictures = [browser.execute_script("linkwork.seek(arguments[0]); return linkwork.picture()",
                                           times[0] + part * (times[1] - times[0])) for part in (0, 0.4, 0.7, 1)]
        expect(len(pictures[0]) > 1000, page, "nothing is drawn")
        expect(len(set(pictures)) > 1 or not is_seen_to_move(rows), page, "frames over the run are one picture")
    expect(browser.execute_script("return linkwork.charts.length") >= 2, page, "charts of energy and steps")
    browser.execute_script("linkwork.seek(linkwork.times[0])")
    Select(browser.find_element(By.ID, "speed")).select_by_index(0)
    browser.find_element(By.ID, "play").click()
    WebDriverWait(browser, 5, 0.02).until(lambda b: b.execute_script("return linkwork.now > linkwork.times[0]"))
    slow = browser.execute_script("return new Promise(done => { const a = linkwork.now; setTimeout(() => "
                                  "done([linkwork.now - a, linkwork.playing]), 150) })")
    browser.find_element(By.ID, "play").click()
    expect(browser.execute_script("return linkwork.playing") is False or not slow[1], page, "it can't be stopped")


def look_at_forces(browser, page):
    """Arrows come and go with their switches."""
    # The most that are seen at one of some times: a contact need not touch at each of them.
    seen = ("return Math.max(...[0, 0.2, 0.5, 0.8, 1].map(part => {"
            "  linkwork.seek(linkwork.times[0] + part * (linkwork.times[linkwork.times.length - 1] - linkwork.times[0]));"
            "  const kind = arguments[0];"
            "  return linkwork.arrowNames(kind).filter(name => linkwork.arrowOf(name, kind)).length; }))")
    # Some of them change the picture.
    over_bodies = ("const kind = arguments[0], box = document.getElementById(kind);"
                   "return linkwork.times.length < 2 || [0, 0.2, 0.5, 0.8, 1].some(part => {"
                   "  linkwork.seek(linkwork.times[0] + part * (linkwork.times[linkwork.times.length - 1] - linkwork.times[0]));"
                   "  const shown = linkwork.picture();"
                   "  box.checked = false, box.dispatchEvent(new Event('input'));"
                   "  const hidden = linkwork.picture();"
                   "  box.checked = true, box.dispatchEvent(new Event('input'));"
                   "  return shown !== hidden; })")
    for switch in ("forces", "reactions", "torques"):
        names = browser.execute_script("return linkwork.arrowNames(arguments[0])", switch)
        box = browser.find_element(By.ID, switch)
        expect(box.is_displayed() == bool(names), page, f"the switch of {switch} is there for {names}")
        if not names:
            continue
        expect(browser.execute_script(seen, switch) == 0, page, f"{switch} are seen before they are asked for")
        box.click()
        expect(browser.execute_script(seen, switch) > 0, page, f"no arrow of {switch} is seen")
        expect(browser.execute_script(over_bodies, switch), page, f"arrows of {switch} are lost in bodies")
        # A ring of half the length for its radius is as wide as high, and heads stand out at its sides.
        shapeless = browser.execute_script(
            "return linkwork.arrowNames(arguments[0]).map(name => linkwork.arrowOf(name, arguments[0])).filter(arrow => "
            "arrow && !(arrow.extent > 0.9 * arrow.length && arrow.extent < 2 * arrow.length))", switch)
        expect(not shapeless, page, f"arrows of {switch} are not as long as they are meant: {shapeless}")
        box.click()
        expect(browser.execute_script(seen, switch) == 0, page, f"arrows of {switch} stay")


def look_at_reactions(browser, folder, model, joint):
    """The drawn reaction of a joint is that of the table of its columns."""
    end, rate = 0.02, 1000
    page, table = os.path.join(folder, "reactions.html"), os.path.join(folder, "reactions.csv")
    subprocess.run([command, "run", model, "--tend", repr(end), "--quiet", "--html", page, "--fps", repr(rate),
                    "--out", table, "--columns", f"{joint}: reaction force *", "--rate", repr(rate)], check=True)
    open_page(browser, "reactions", page)
    browser.find_element(By.ID, "reactions").click()
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sizes = []
    for k in (0, len(rows) // 3, len(rows) - 1):
        browser.execute_script("linkwork.seek(linkwork.times[arguments[0]])", k)
        arrow = browser.execute_script("return linkwork.arrowOf(arguments[0], 'reactions')", joint)
        wanted = [float(rows[k][f"{joint}: reaction force {axis}"]) for axis in "xy"]
        sizes.append(max(abs(x) for x in wanted))
        error = max(abs(a - b) for a, b in zip(arrow["vector"], wanted))
        # Whole numbers of two bytes, of the largest component over the run.
        expect(error <= 1e-4 * max(sizes), "reactions", f"'{joint}' is drawn with {arrow}, wanted {wanted}")


def look_at_graph(browser, page):
    """Every body and the ground have a place in the graph, and every edge one with its name."""
    nodes = browser.execute_script("return document.querySelectorAll('#graph .node').length")
    bodies = browser.execute_script("return linkwork.bodies.length")
    expect(nodes == (bodies + 1 if bodies else 0), page, f"the graph has {nodes} nodes of {bodies} bodies")
    broken = browser.execute_script(
        "return [...document.querySelectorAll('#graph path')].filter(path => "
        "path.getAttribute('d').includes('NaN') || !path.querySelector('title').textContent).length")
    expect(broken == 0, page, f"{broken} edges of the graph have no place or no name")


def look_at_odd_page(browser, folder):
    file = os.path.join(folder, "odd.html")
    subprocess.run([odd_page, file], check=True)
    open_page(browser, "odd page", file)
    text = browser.find_element(By.TAG_NAME, "body").text
    expect("<b>bold</b> & \"quoted\" é 輪" in text, "odd page", f"names stand in it as they are: {text}")
    expect(not browser.execute_script("return 'injected' in window"), "odd page", "a name was run as a script")
    expect("The run came to t = 0.5 s of 2 s: it was <stopped>" in text, "odd page", f"why the run ended: {text}")
    gap = browser.execute_script("return linkwork.charts[0].graph.rawData_.filter(row => row[1] === null).length")
    expect(gap > 0, "odd page", "NaN is a gap in its curve")
    largest = browser.execute_script("return linkwork.charts[0].graph.yAxisRange()[1]")
    expect(largest < 1, "odd page", f"what is infinite is a gap in its curve, whose axis reaches to {largest}")


start = time.monotonic()
with tempfile.TemporaryDirectory() as folder:
    browser = pages.start(folder)
    try:
        for model in pages.models_of(command):
            file, rows = write_page(model, folder)
            open_page(browser, model, file)
            if rows is not None:
                look_at_poses(browser, model, rows)
            look_at_controls(browser, model, rows)
            look_at_graph(browser, model)
            if rows is not None:
                look_at_forces(browser, model)
        look_at_reactions(browser, folder, "andrews", "B")
        look_at_odd_page(browser, folder)
    finally:
        browser.quit()
print(f"{len(pages.models_of(command)) + 2} pages in {time.monotonic() - start:.0f} s, {len(failures)} failures")
sys.exit(1 if failures else 0)
