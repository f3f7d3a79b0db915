#!/usr/bin/env python3
"""Makes the pictures of apps/README.md and joints/README.md from the programs themselves, in a headless browser.

make.py PROGRAMS: the folder of a build's programs, such as build/release/apps. Needs Debian's chromium,
chromium-driver, python3-selenium and python3-pil.
"""

import base64
import io
import os
import subprocess
import sys
import tempfile

import pages
from PIL import Image

WIDTH, HEIGHT = 450, 300  # pixels
COLOURS = 32  # enough for shaded bodies, and a third of the bytes
HERE = os.path.dirname(os.path.abspath(__file__))
JOINTS = os.path.join(HERE, "..", "..", "joints", "pictures")
# Seconds at which a mechanism shows best what it is; a tenth of its run where it is not said.
MOMENTS = {"andrews": 0.01, "atv": 0.9, "sprocket_chain": 0.02, "humanoid": 0.15, "insulator_chain": 0.08,
           "lane_change_car": 0.3, "train_carriage": 0.3, "truck": 0.3, "gimbal": 0.4}


def picture_of(driver, program, model, folder):
    """A mechanism at its moment, as PNG; nothing where it has no bodies."""
    moment = MOMENTS.get(model, 0.1 * pages.usual_end(program, model))
    page = os.path.join(folder, "page.html")
    subprocess.run([program, "run", model, "--tend", repr(moment), "--quiet", "--html", page], check=True)
    driver.get("file://" + page)
    driver.execute_script(
        "for (const id of ['curves', 'early']) document.getElementById(id).style.display = 'none';"
        "const view = document.getElementById('view');"
        f"view.style.width = '{WIDTH}px'; view.style.height = '{HEIGHT}px'; view.style.minHeight = '0';"
        "document.body.style.display = 'block'; document.body.style.background = '#fff'")
    # The page draws in the new size once it has seen it.
    data = driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => {"
        "linkwork.seek(linkwork.times[linkwork.times.length - 1]);"
        "document.getElementById('home').click(); done(linkwork.picture()) }))")
    if not data:
        return None
    drawn = Image.open(io.BytesIO(base64.b64decode(data.split(",", 1)[1]))).convert("RGB")
    image = drawn.resize((WIDTH, HEIGHT), Image.LANCZOS)  # at rest a page may draw more points
    out = io.BytesIO()
    image.quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def make_pictures(driver, program, pictures, folder):
    os.makedirs(pictures, exist_ok=True)
    for model in pages.models_of(program):
        picture = picture_of(driver, program, model, folder)
        if picture is None:
            continue
        with open(os.path.join(pictures, model + ".png"), "wb") as file:
            file.write(picture)
        print(f"{model}: {len(picture)} bytes", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if pages.missing():
        sys.exit(pages.missing())
    with tempfile.TemporaryDirectory() as scratch:
        chromium = pages.start(scratch)
        try:
            unknown = set(MOMENTS) - set(pages.models_of(os.path.join(sys.argv[1], "linkwork")))
            if unknown:
                sys.exit(f"MOMENTS names models that are not there: {sorted(unknown)}")
            make_pictures(chromium, os.path.join(sys.argv[1], "linkwork"), HERE, scratch)
            make_pictures(chromium, os.path.join(sys.argv[1], "examples", "joint_gallery"), JOINTS, scratch)
        finally:
            chromium.quit()
