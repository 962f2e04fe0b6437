"""Photographs and measures pages in Chromium; tests/show says what for."""
import base64, itertools, json, os, pathlib, re, select, signal, subprocess, sys, tempfile, time, wave
PATIENCE, TALLEST = 30, 12000  # seconds and CSS pixels for one picture
READABLE = 9.9  # CSS pixels of the smallest letters on a phone; ten, but for rounding
VIEWS = [("desktop", 1100, 900, 1), ("phone", 390, 800, 2)]
failed, (axe, out, *pages) = sys.argv[1] == "1", map(pathlib.Path, sys.argv[2:])
AXE = axe.read_text()
# Everything that axe-core knows, its advice too.
FAULTS = """axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v =>
  `${v.id} (${v.impact}), ${v.nodes.length} times: ${v.nodes[0].html.slice(0, 160)}`))"""
SHOWN = "[...document.images].map(i => [i.getAttribute('src'), i.clientWidth])"
# Letters of a drawing in its own units: [size, text] of the smallest, and its width.
SMALLEST = """(() => { const root = document.documentElement, box = root.viewBox.baseVal;
  const one = root.getScreenCTM().a, sizes = [...document.querySelectorAll('text')].map(t => {
    const m = t.getScreenCTM(); return [parseFloat(getComputedStyle(t).fontSize) *
      Math.hypot(m.a, m.b) / one, t.textContent] });
  return [sizes.sort((a, b) => a[0] - b[0])[0], box.width] })()"""
SPEED = 170  # words a minute
READ = 120  # words at the beginning that are read aloud
# Waits for pictures, then measures. An element is to blame when its own box
# or its own text sticks out, unless something around it clips or scrolls it.
MEASURE = r"""(async () => {
  const root = document.documentElement, blame = [], pictures = [...document.images];
  await Promise.all(pictures.map(i => { i.loading = 'eager'; return i.decode().catch(() => 0) }));
  const clips = e => e != root && e != document.body &&
    (getComputedStyle(e).overflowX != 'visible' || clips(e.parentElement));
  for (const e of document.querySelectorAll('body, body *')) {
    const boxes = [e.getBoundingClientRect()], range = document.createRange();
    for (const t of e.childNodes) if (t.nodeType == 3 && !clips(e)) {
      range.selectNode(t); boxes.push(range.getBoundingClientRect()) }
    const right = Math.round(Math.max(...boxes.map(b => b.right)));
    if (right <= innerWidth || e != document.body && clips(e.parentElement)) continue;
    const wide = Math.round(Math.max(...boxes.map(b => b.width)));
    const name = [e.localName + (e.id && '#' + e.id), ...e.classList].join('.');
    const text = (e.alt || e.textContent).trim().replace(/\s+/g, ' ').slice(0, 40);
    blame.push([wide, `<${name}> ${wide} px wide, ends at ${right}: "${text}"`]);
  }
  return { inner: innerWidth, dark: matchMedia('(prefers-color-scheme: dark)').matches,
    scroll: Math.max(root.scrollWidth, document.scrollingElement.scrollWidth),
    blame: blame.sort((a, b) => b[0] - a[0]).slice(0, 6).map(b => b[1]),
    lost: pictures.filter(i => !i.naturalWidth).map(i => i.getAttribute('src')) } })()"""

class Browser:
    """Chromium with a throw-away home; it reads commands on descriptor 3, answers on 4."""
    def __init__(self, home):
        (its_in, self.to), (self.come, its_out) = os.pipe(), os.pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={home}",
                 "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-gpu",
                 "--host-resolver-rules=MAP * ~NOTFOUND"]  # mail must do without the network
        flags += ["--no-sandbox"] * (os.geteuid() == 0)  # the sandbox refuses to work for root
        # The shell puts the pipes in place, whatever numbers they have here.
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec {i}<&$0 {o}>&$1; exec chromium "${@:2}" 3<&$i 4>&$o',
             str(its_in), str(its_out), *flags], pass_fds=(its_in, its_out),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(home + "/moans", "wb"),
            env=dict(os.environ, HOME=home, TMPDIR=home), start_new_session=True)
        os.close(its_in), os.close(its_out)
        self.count, self.buffer, self.events, self.session = 0, bytearray(), [], {}

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.come], [], [], max(0, self.until - time.monotonic()))[0]:
                raise RuntimeError(f"not shown after {PATIENCE} s")
            if not (piece := os.read(self.come, 1 << 20)):
                raise BrokenPipeError
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        self.events.append(message.get("params", {}))
        return message

    def ask(self, method, **params):
        self.count += 1
        command = {"id": self.count, "method": method, "params": params, **self.session}
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while (answer := self.read()).get("id") != self.count:
            pass
        if {"error", "errorText", "exceptionDetails"} & {*answer, *answer.get("result", {})}:
            raise RuntimeError(f"{method}: {answer}")
        return answer["result"]

    def shoot(self, page, device, width, height, scale, scheme):
        """Writes one picture; returns what there is to say about it."""
        self.until, self.events, self.session = time.monotonic() + PATIENCE, [], {}
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.ask("Page.enable"), self.ask("Runtime.enable"), self.ask("Log.enable")
        # Not "mobile": that would shrink a page that is too wide until it fits.
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=scale, mobile=False, screenWidth=width, screenHeight=height)
        colours = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[colours])
        self.ask("Page.setLifecycleEventsEnabled", enabled=True)
        self.go(page)
        seen = self.evaluate(MEASURE)
        if seen["inner"] != width or seen["dark"] != (scheme == "dark"):
            raise RuntimeError(f"Chromium did not take {width} px, {scheme}: {seen}")
        self.evaluate(AXE + ";0")
        faults = self.evaluate(FAULTS)
        tall = self.ask("Page.getLayoutMetrics")["cssContentSize"]["height"]
        picture = self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": width, "height": min(tall, TALLEST), "scale": 1})
        (out / f"{page.stem}-{device}-{scheme}.png").write_bytes(base64.b64decode(picture["data"]))
        said = [f"{device}: {tall} px tall, cut at {TALLEST}"] if tall > TALLEST else []
        said += [f"FAILED: axe: {fault}" for fault in faults]
        said += [f"picture not shown: {source}" for source in seen["lost"]]
        for p in self.events:
            p = p.get("entry") or p.get("exceptionDetails") or p
            if "exceptionId" in p or {"error", "assert"} & {p.get("level"), p.get("type")}:
                words = [p, p.get("exception", {}), *p.get("args", [])]
                words = [w.get("text", w.get("value", w.get("description"))) for w in words]
                said.append(" ".join(["console:", *map(str, filter(None, words)), p.get("url", "")]))
        if device == "phone" and seen["scroll"] > width:
            wide = f"FAILED: scrolls sideways on a phone: {seen['scroll']} px wide"
            said.append("\n    ".join([wide, *seen["blame"]]))
        if (device, scheme) == ("phone", "light"):
            said += self.spoken(page) + self.letters(page)
        return said

    def evaluate(self, script):
        return self.ask("Runtime.evaluate", expression=script, awaitPromise=True,
                        returnByValue=True)["result"].get("value")

    def go(self, page):
        loader = self.ask("Page.navigate", url=page.as_uri())["loaderId"]
        while not any(p.get("name") == "load" and p["loaderId"] == loader for p in self.events):
            self.read()  # until this page, not about:blank, is loaded

    def spoken(self, page):
        """What a screen reader is given, read aloud; faults in it."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        def is_said(node):
            role = node.get("role", {}).get("value")
            return not node["ignored"] and role in ("StaticText", "image")
        words = [n.get("name", {}).get("value", "") for n in nodes if is_said(n)]
        text = "\n".join(filter(None, map(str.strip, words)))
        (out / f"{page.stem}.said.txt").write_text(text + "\n")
        beginning, wav = " ".join(text.split()[:READ]), out / f"{page.stem}.wav"
        subprocess.run(["espeak-ng", "-s", str(SPEED), "-w", str(wav), beginning], check=True)
        with wave.open(str(wav)) as sound:
            seconds = sound.getnframes() / sound.getframerate()
        count = len(text.split())
        told = [f"read aloud: {count} words, about {round(count * seconds / READ / 60)} minutes"]
        signs = [l for l in text.split("\n") if re.search(r"^[|\u00b7]|===", l)]
        return told + [f"FAILED: spoken: {line[:60]!r}" for line in signs[:5]]

    def letters(self, page):
        """The smallest letters of each picture as they are shown now."""
        told = []
        for source, shown in self.evaluate(SHOWN):
            drawing = (page.parent / source).with_suffix(".svg")
            if not drawing.exists():
                continue
            self.go(drawing)
            smallest, wide = self.evaluate(SMALLEST)
            if smallest:
                size, text = smallest[0] * shown / wide, smallest[1][:20]
                told.append((size, f"{size:.1f} px on a phone: {text!r} in {drawing.stem}"))
        small = [f"FAILED: letters: {words}" for size, words in sorted(told) if size < READABLE]
        return ["smallest letters: " + min(told)[1], *small[:5]] if told else []

for interruption in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
    signal.signal(interruption, lambda *_: sys.exit("stopped"))  # and tidy up
for page in pages:
    told = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(home)  # one each: a page that hangs can't spoil the next
        try:
            for view, scheme in itertools.product(VIEWS, ["light", "dark"]):
                told += [s for s in browser.shoot(page, *view, scheme) if s not in told]
        except BrokenPipeError:
            told.append("FAILED: Chromium ended: " + pathlib.Path(home, "moans").read_text()[-600:])
        except Exception as error:
            told.append(f"FAILED: {error}")
        finally:
            os.killpg(browser.process.pid, signal.SIGKILL)
            os.close(browser.to), os.close(browser.come), browser.process.wait()
    failed |= any(s.startswith("FAILED") for s in told)
    print("\n  ".join([f"{page.name}: {len(told) or 'no'} complaints", *told]), flush=True)
print(f"pictures are in {out}")
sys.exit(failed)
