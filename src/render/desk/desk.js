(function () {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("turn").textContent);
  const turn = data.turn;
  const answer = data.answer || {};
  const orders = turn.orders || {};
  const forms = orders.forms || [];
  const names = orders.names || {};
  const squareSorts = orders.squares || [];

  // ---- Small helpers -------------------------------------------------------------------

  function put(node, attrs, kids) {
    for (const key of Object.keys(attrs || {})) {
      const value = attrs[key];
      if (value === null || value === undefined || value === false) continue;
      if (key === "on") for (const name of Object.keys(value)) node.addEventListener(name, value[name]);
      else node.setAttribute(key, value === true ? "" : String(value));
    }
    for (const kid of kids.flat()) if (kid !== null && kid !== undefined) node.append(kid);
    return node;
  }
  const h = (tag, attrs, ...kids) => put(document.createElement(tag), attrs, kids);
  const s = (tag, attrs, ...kids) => put(document.createElementNS(SVG, tag), attrs, kids);
  const button = (label, attrs, press) => h("button", { type: "button", ...attrs, on: { click: press } }, label);
  const round = (x) => Math.round(x * 10) / 10;
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const plural = new Intl.PluralRules(document.documentElement.lang);
  /** A sentence of the page with its slots filled; if it has several forms, the one for `given.n`. */
  function told(name, given) {
    let sentence = data.words[name];
    if (Array.isArray(sentence)) {
      const form = plural.select(given.n);
      sentence = sentence[data.samples.findIndex((n) => plural.select(n) === form)];
    }
    return sentence.replace(/\{(\w+)\}/g, (slot, key) => (given && key in given ? given[key] : slot));
  }
  /** The name of an order or a field. */
  const term = (name) => (Object.prototype.hasOwnProperty.call(data.terms, name) ? data.terms[name] : name);
  const say = (words) => { $("say").textContent = ""; $("say").textContent = words; };

  function show(id, words) {
    $(id).textContent = words;
    $(id).hidden = !words;
  }

  /** Names come in capitals; readers like them as names. */
  function nice(name) {
    if (name !== name.toUpperCase()) return name;
    const word = (w) => (w.length < 3 || /\d/.test(w) ? w : w.charAt(0) + w.slice(1).toLowerCase());
    return name.split(" ").map(word).join(" ");
  }

  function mix(colour, other, share) {
    const parts = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16) || 0);
    const a = parts(colour), b = parts(other);
    const one = (x, i) => Math.round(x * (1 - share) + b[i] * share).toString(16).padStart(2, "0");
    return "#" + a.map(one).join("");
  }

  const isColour = (c) => /^#[0-9a-f]{6}$/i.test(c || "");

  // ---- Maps ----------------------------------------------------------------------------

  const CELL = 34;
  const WORLD_CELL = 14;
  const MARGIN = 30;
  const COUNTERS = data.counters;
  const GLYPHS = data.glyphs;
  const SIDES = { own: "#12283f", ally: "#0b5d33", foreign: "#9c1c10" };
  const NEUTRAL = "#4a453b";

  const placeNames = new Map();
  for (const sort of Object.keys(names)) {
    for (const choice of names[sort]) {
      const any = squareSorts.includes(sort) || sort === "place";
      if (any && !choice.at && !placeNames.has(choice.code)) placeNames.set(choice.code, nice(choice.name));
    }
  }

  function squareCode(column, row) {
    if (!orders.square) return column + "," + row;
    return orders.square.split("{column}").join(column).split("{row}").join(row);
  }

  function mapsOf() {
    const found = [];
    const add = (heading) => (part) => { if (part.type === "map") found.push({ map: part, heading }); };
    (turn.opening || []).forEach(add(told("map")));
    (turn.sections || []).forEach((chapter) => chapter.parts.forEach(add(chapter.heading)));
    const used = new Set();
    for (const one of found) {
      const title = (one.map.title || "").trim();
      const plain = title && !title.endsWith(".") && title.length < 40;
      const tactical = one.map.kind === "grid" && one.map.grid.style === "tactical";
      let name = plain ? title : tactical ? one.heading.replace(/^[^:]*: /, "") : one.heading;
      if (used.has(name)) name = capital(one.map.id.replace(/-/g, " "));
      used.add(name);
      one.name = capital(name);
      one.note = plain ? "" : title;
      model(one);
    }
    return found;
  }

  /** Puts places with outlines, in drawing units of one pixel, into a map. */
  function model(one) {
    const map = one.map;
    one.places = [];
    one.byCode = new Map();
    one.terrains = new Map(map.terrains.map((t) => [t.id, t]));
    one.symbols = new Map(map.symbols.map((t) => [t.id, t]));
    one.colours = new Map((map.colours || []).map((c) => [c.seat, c]));
    one.letters = lettersOf(map.symbols);
    one.world = map.kind === "grid" && map.grid.style === "world";
    const add = (place) => {
      one.places.push(place);
      if (!one.byCode.has(place.code)) one.byCode.set(place.code, place);
    };
    if (map.kind === "grid") gridPlaces(one, add);
    else if (map.kind === "regions") regionPlaces(one, add);
    else nodePlaces(one, add);
    const width = map.kind === "grid" ? map.grid.columns.length : 0;
    for (const piece of map.pieces) {
      const place = piece.at ? one.places[piece.at[1] * width + piece.at[0]] : one.byCode.get(piece.place);
      if (place) place.pieces.push(piece);
    }
  }

  function gridPlaces(one, add) {
    const grid = one.map.grid;
    const cell = one.world ? WORLD_CELL : CELL;
    const pitch = grid.hexes ? cell * 0.866 : cell;
    const longest = Math.max(1, ...grid.rows.map((r) => r.length));
    const left = Math.max(MARGIN, 10 + longest * 7);
    const top = 22;
    one.cell = cell;
    one.left = left;
    one.centre = (x, y) => {
      const shifted = grid.hexes && (Math.abs(y) % 2 === 1) === (grid.hexes === "odd");
      return [left + (x + 0.5) * cell + (shifted ? cell / 2 : 0), top + (grid.hexes ? 3 : 0) + (y + 0.5) * pitch];
    };
    grid.squares.forEach((row, y) => row.forEach((known, x) => {
      const [cx, cy] = one.centre(x, y);
      const half = cell / 2, up = cell * 0.577;
      const d = grid.hexes
        ? `M${round(cx)} ${round(cy - up)}l${half} ${round(up / 2)}v${round(up)}l${-half} ${round(up / 2)}l${-half} ${round(-up / 2)}v${round(-up)}z`
        : `M${round(cx - half)} ${round(cy - half)}h${cell}v${cell}h${-cell}z`;
      const code = squareCode(grid.columns[x], grid.rows[y]);
      add({ code, name: "", known, x, y, cx, cy, d, box: [cx - half, cy - half, cell, cell], pieces: [] });
    }));
    one.width = left * 2 + grid.columns.length * cell + (grid.hexes ? cell / 2 : 0);
    one.height = top * 2 + grid.rows.length * pitch + (grid.hexes ? 10 : 0);
  }

  const withoutCode = (name, code) => (name.startsWith(code + " ") ? name.slice(code.length + 1) : name);

  function regionPlaces(one, add) {
    const points = one.map.regions.flatMap((r) => r.outlines.flat());
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
    const x0 = least(xs) - 8, y0 = least(ys) - 8;
    // About a thumb's width for a region of middle size.
    const wide = Math.max(1, most(xs) - x0), high = Math.max(1, most(ys) - y0);
    const ideal = 92 * Math.sqrt(one.map.regions.length);
    const scale = Math.max(0.2, Math.min(4, ideal / Math.sqrt(wide * high)));
    const X = (x) => round((x - x0) * scale), Y = (y) => round((y - y0) * scale);
    for (const region of one.map.regions) {
      const d = region.outlines.map((line) => "M" + line.map((p) => X(p[0]) + " " + Y(p[1])).join("L") + "z").join("");
      const px = region.outlines.flat();
      const bx = X(least(px.map((p) => p[0]))), by = Y(least(px.map((p) => p[1])));
      const bw = X(most(px.map((p) => p[0]))) - bx, bh = Y(most(px.map((p) => p[1]))) - by;
      add({ code: region.id, name: withoutCode(region.name, region.id), known: region.known, region, d,
        cx: X(region.anchor[0]), cy: Y(region.anchor[1]), box: [bx, by, bw, bh], pieces: [],
        label: [X(region.label_at[0]), Y(region.label_at[1])] });
    }
    one.width = X(most(xs)) + 8 * scale;
    one.height = Y(most(ys)) + 8 * scale;
  }

  const NODE = { wide: 92, high: 32, across: 106, down: 84 };

  function nodePlaces(one, add) {
    const used = (at) => [...new Set(one.map.nodes.map((n) => n.at[at]))].sort((a, b) => a - b);
    const columns = used(0), rows = used(1);
    const labels = one.map.nodes.map((node) => wrapped(withoutCode(node.name, node.id), 14));
    const tall = labels.some((l) => l.length > 1) ? 13 : 0;
    const signs = one.map.nodes.some((n) => lore(n.known));
    const high = NODE.high + tall + (signs ? 13 : 0);
    one.map.nodes.forEach((node, i) => {
      const cx = columns.indexOf(node.at[0]) * NODE.across + NODE.across / 2 + 4;
      const cy = rows.indexOf(node.at[1]) * (NODE.down + high - NODE.high) + high / 2 + 10;
      const box = [cx - NODE.wide / 2, cy - high / 2, NODE.wide, high];
      const d = `M${box[0] + 5} ${box[1]}h${NODE.wide - 10}q5 0 5 5v${high - 10}q0 5 -5 5h${10 - NODE.wide}q-5 0 -5 -5v${10 - high}q0 -5 5 -5z`;
      add({ code: node.id, name: withoutCode(node.name, node.id), known: node.known, node, d, cx, cy, box,
        lines: labels[i], pieces: [] });
    });
    one.width = columns.length * NODE.across + 8;
    one.height = rows.length * (NODE.down + high - NODE.high) + 14;
    one.near = new Map(one.places.map((p) => [p.code, []]));
    for (const [a, b] of one.map.links || []) {
      if (one.near.has(a) && one.near.has(b)) {
        one.near.get(a).push(b);
        one.near.get(b).push(a);
      }
    }
  }

  /** What the printout's map says of a node besides its name and forces, such as its planets. */
  function lore(known) {
    return (known.text || []).slice(1).find((line) => /^[A-Z]\d/.test(line)) || "";
  }

  /** A name in two lines at most. */
  function wrapped(text, most) {
    if (text.length <= most) return [text];
    const cut = text.lastIndexOf(" ", most);
    if (cut < 1) return [text.slice(0, most - 1) + "…"];
    const rest = text.slice(cut + 1);
    return [text.slice(0, cut), rest.length > most ? rest.slice(0, most - 1) + "…" : rest];
  }

  /** Letters for the counters of a map, each different. */
  function lettersOf(symbols) {
    const letters = new Map();
    const taken = new Set();
    for (const symbol of symbols) {
      const words = symbol.name.split(/[\s-]+/).filter(Boolean);
      const first = words[0] || "?";
      const bare = first === first.toUpperCase() ? first : words.map((w) => w.charAt(0).toUpperCase()).join("");
      const tries = [bare.slice(0, 2), capital(first.slice(0, 2)), capital(first.slice(0, 3)), capital(first)];
      if (GLYPHS[symbol.shape]) letters.set(symbol.id, GLYPHS[symbol.shape] + "\uFE0E");
      else if (COUNTERS.includes(symbol.shape)) {
        const letter = tries.find((t) => !taken.has(t)) || tries[0];
        taken.add(letter);
        letters.set(symbol.id, letter);
      } else letters.set(symbol.id, "");
    }
    return letters;
  }

  // ---- Words about places --------------------------------------------------------------

  const maps = mapsOf();
  const clickable = maps.filter((one) => !one.world);
  let current = clickable[0] || maps[0] || null;

  function findPlace(code) {
    if (current && !current.world && current.byCode.has(code)) return { one: current, place: current.byCode.get(code) };
    const one = clickable.find((m) => m.byCode.has(code));
    return one ? { one, place: one.byCode.get(code) } : null;
  }

  function nameOf(code) {
    const found = findPlace(code);
    if (found && found.place.name) return found.place.name;
    if (placeNames.has(code) && placeNames.get(code) !== code) return placeNames.get(code);
    const city = found && found.place.pieces.find((p) => p.symbol === "city" && p.name);
    return city && found.one.map.id !== "production" ? nice(city.name) : "";
  }

  const called = (code) => (nameOf(code) && nameOf(code) !== code ? nameOf(code) + " (" + code + ")" : code);

  function terrainName(one, known) {
    const terrain = one.terrains.get(known.terrain);
    return terrain ? terrain.name : known.terrain;
  }

  function whose(one, of) {
    if (of.side === "own") return told("yours");
    const colour = one.colours.get(of.holder);
    const who = of.holder === undefined || of.holder === null ? "" : colour ? colour.name : told("seat", { seat: of.holder });
    const ally = of.side === "ally" ? told("ally") : "";
    return [who, ally].filter(Boolean).join(", ");
  }

  function pieceWords(one, piece) {
    const symbol = one.symbols.get(piece.symbol);
    const kind = symbol ? symbol.name : piece.symbol;
    const parts = [kind];
    if (piece.code) parts.push(piece.code);
    if (piece.name && piece.name !== piece.code) parts.push(nice(piece.name));
    const facts = [parts.join(" ")];
    const level = symbol && symbol.figures === told("figures-level");
    if (piece.size) facts.push(told(level ? "level" : "size", { n: piece.size }));
    if (piece.units) facts.push(told("units", { n: piece.units }));
    const owner = whose(one, piece);
    return facts.join(", ") + (owner ? " (" + owner + ")" : "");
  }

  function placeWords(one, place) {
    const name = nameOf(place.code);
    const known = place.known;
    const facts = [name && name !== place.code ? name + ", " + place.code : place.code, terrainName(one, known)];
    const holder = whose(one, known);
    if (holder) facts.push(told("held", { holder }));
    if (known.veiled) facts.push(told("not-in-sight"));
    if (known.pale && one.map.pale) facts.push(one.map.pale);
    if (place.region && place.region.hatched && one.map.hatch) facts.push(one.map.hatch);
    if (lore(known)) facts.push(lore(known));
    facts.push(...place.pieces.map((p) => pieceWords(one, p)));
    return facts.join("; ");
  }

  // ---- Drawing -------------------------------------------------------------------------

  const box = $("map");
  let zoom = 1;
  const zooms = new Map();
  let svg = null;
  let roving = null;
  let chosen = { code: null, thing: null };
  let marks = {};

  const text = (x, y, words, attrs) =>
    s("text", { x: round(x), y: round(y), "text-anchor": "middle", "font-size": 11, fill: "#1a1a1a", ...attrs }, words);

  function fillOf(one, place) {
    const known = place.known;
    const terrain = one.terrains.get(known.terrain);
    let colour = terrain && isColour(terrain.colour) ? terrain.colour : "#f4f0e6";
    const holder = one.colours.get(known.holder);
    if (place.region && isColour(place.region.colour)) colour = place.region.colour;
    else if (one.map.kind !== "grid" && holder && isColour(holder.colour)) colour = mix(holder.colour, "#ffffff", 0.55);
    if (known.pale) colour = mix(colour, "#ffffff", 0.55);
    if (known.veiled && terrain) colour = mix(colour, "#b9b3a5", 0.45);
    return colour;
  }

  function draw() {
    box.replaceChildren();
    svg = null;
    if (!current) {
      box.append(h("p", {}, told("no-map")));
      return;
    }
    const one = current;
    const live = !one.world;
    svg = s("svg", { viewBox: `0 0 ${round(one.width)} ${round(one.height)}`,
      role: live ? "listbox" : "img", "aria-label": told("map-of", { name: one.name }) });
    const hatch = s("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 3, height: 8, fill: "#1a1a1a", "fill-opacity": 0.35 }));
    const tip = s("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto-start-reverse" },
      s("path", { d: "M0 0L8 4L0 8z", fill: SIDES.own }));
    svg.append(s("defs", {}, hatch, tip));
    const flat = () => s("g", { class: "flat", "aria-hidden": "true" });
    const under = flat(), over = flat();
    if (one.map.kind === "graph") drawLinks(one, under);
    const ground = s("g", live ? { role: "presentation" } : { "aria-hidden": "true" });
    for (const place of one.places) {
      const own = place.known.side === "own" && one.map.kind !== "grid";
      const attrs = { d: place.d, fill: fillOf(one, place), stroke: own ? SIDES.own : one.map.kind === "grid" ? "#8d8775" : "#5a5446",
        "stroke-width": own ? 2.5 : one.map.kind === "grid" ? 0.5 : 1 };
      if (live) Object.assign(attrs, { class: "place", role: "option", tabindex: -1, "data-place": place.code,
        "aria-selected": "false", "aria-label": placeWords(one, place) });
      place.shape = s("path", attrs);
      ground.append(place.shape);
      if (place.region && place.region.hatched) over.append(s("path", { d: place.d, fill: "url(#hatch)" }));
    }
    svg.append(under, ground);
    if (one.map.kind === "grid") drawGrid(one, over);
    if (one.map.kind === "regions") fitLabels(one);
    for (const place of one.places) {
      if (place.region) drawRegion(one, place, over);
      else if (place.node) drawNode(one, place, over);
    }
    marks = {};
    for (const kind of ["chosen", "focus"]) {
      const a = s("path", { class: kind + "-a" }), b = s("path", { class: kind + "-b" });
      marks[kind] = { group: s("g", { class: "flat " + kind, "aria-hidden": "true" }, a, b), shapes: [a, b] };
      svg.append(marks[kind].group);
    }
    svg.append(over);
    box.append(svg);
    if (live) {
      box.removeAttribute("tabindex");
      svg.addEventListener("click", (event) => {
        const hit = event.target.closest("[data-place]");
        if (hit) choose(hit.getAttribute("data-place"), true);
      });
      svg.addEventListener("keydown", onMapKey);
      svg.addEventListener("focusin", (event) => {
        const code = event.target.getAttribute("data-place");
        if (code) setRoving(code, false);
      });
    } else box.setAttribute("tabindex", "0");
    const held = chosen.code && one.byCode.has(chosen.code) ? chosen.code : null;
    const mine = things.find((t) => one.byCode.has(t.at));
    const own = one.places.find((p) => p.known.side === "own" || p.pieces.some((q) => q.side === "own"));
    const first = held || (mine && mine.at) || (own && own.code) || (one.places[0] && one.places[0].code);
    setZoom(zooms.get(one) || homeZoom());
    if (live && first) {
      setRoving(first, false);
      centre(one.byCode.get(first));
    }
    markChosen();
    show("map-note", one.world ? (one.note ? one.note + " " : "") + told("looking") : one.note);
    drawLegend(one);
  }

  function drawLinks(one, layer) {
    for (const [a, b] of one.map.links || []) {
      const from = one.byCode.get(a), to = one.byCode.get(b);
      if (from && to) layer.append(s("line", { x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy, stroke: "#7d7665", "stroke-width": 1.5 }));
    }
  }

  function tone(of) {
    return SIDES[of.side] || NEUTRAL;
  }

  function pieceText(one, piece) {
    const symbol = one.symbols.get(piece.symbol) || { shape: "" };
    const letter = one.letters.get(piece.symbol) || "";
    const size = piece.size ? String(piece.size) : "";
    if (GLYPHS[symbol.shape]) return letter + size;
    if (!piece.code) return letter + size;
    return piece.code + (size && /\d$/.test(piece.code) ? ":" : "") + size;
  }

  /** A counter with its left edge at x and its middle at y; gives its width. Own ones are dark, others light with the seat. */
  function counter(one, layer, x, y, piece, words) {
    const label = words || pieceText(one, piece);
    const own = piece.side === "own";
    const seat = !own && piece.holder !== undefined && piece.holder !== null ? String(piece.holder) : "";
    const tab = seat ? 5 + seat.length * 6 : 0;
    const wide = tab + label.length * 6.6 + 6;
    const colour = tone(piece);
    const round = piece.side === "ally" ? 7 : 1.5;
    layer.append(s("rect", { x, y: y - 7, width: wide, height: 14, rx: round, fill: own ? colour : "#fff", stroke: own ? "#fff" : colour, "stroke-width": own ? 0.8 : 1.4 }));
    if (seat) {
      layer.append(s("rect", { x, y: y - 7, width: tab, height: 14, rx: round, fill: colour }));
      layer.append(text(x + tab / 2, y + 4, seat, { fill: "#fff", "font-weight": 700, "font-size": 10 }));
    }
    layer.append(text(x + tab + (wide - tab) / 2, y + 4, label, { fill: own ? "#fff" : colour, "font-weight": 700 }));
    return wide;
  }

  function widthOf(one, piece) {
    const seat = piece.side !== "own" && piece.holder ? 5 + String(piece.holder).length * 6 : 0;
    return seat + pieceText(one, piece).length * 6.6 + 6;
  }

  function isCounter(one, piece) {
    const symbol = one.symbols.get(piece.symbol);
    return !!symbol && symbol.shape !== "city" && (COUNTERS.includes(symbol.shape) || !!piece.size);
  }

  function drawGrid(one, layer) {
    const grid = one.map.grid;
    const cell = one.cell;
    const last = grid.rows.length - 1;
    // Borders of what is held.
    if (!grid.hexes && !one.world) {
      const at = (x, y) => (y < 0 || y > last || x < 0 || x >= grid.columns.length ? {} : grid.squares[y][x]);
      const lines = { own: "", ally: "", foreign: "" };
      for (const p of one.places) {
        const side = p.known.side;
        if (!(side in lines)) continue;
        const same = (x, y) => at(x, y).holder === p.known.holder && at(x, y).side === side;
        const [x, y, w] = [p.box[0] + 1, p.box[1] + 1, cell - 2];
        if (!same(p.x, p.y - 1)) lines[side] += `M${x} ${y}h${w}`;
        if (!same(p.x, p.y + 1)) lines[side] += `M${x} ${y + w}h${w}`;
        if (!same(p.x - 1, p.y)) lines[side] += `M${x} ${y}v${w}`;
        if (!same(p.x + 1, p.y)) lines[side] += `M${x + w} ${y}v${w}`;
      }
      const dash = { own: null, ally: "2 3", foreign: "6 3" };
      for (const side of Object.keys(lines)) {
        if (lines[side]) layer.append(s("path", { d: lines[side], fill: "none", stroke: SIDES[side], "stroke-width": 2, "stroke-dasharray": dash[side] }));
      }
    }
    // Labels on all four edges.
    const step = (labels, room) => Math.max(1, Math.ceil((Math.max(...labels.map((l) => l.length)) * 6.4 + 4) / room));
    const every = step(grid.columns, cell), down = Math.max(1, Math.ceil(13 / cell));
    grid.columns.forEach((label, x) => {
      if (x % every) return;
      layer.append(text(one.centre(x, 0)[0], 15, label, { fill: "#4a453b" }));
      layer.append(text(one.centre(x, 0)[0], one.height - 8, label, { fill: "#4a453b" }));
    });
    grid.rows.forEach((label, y) => {
      if (y % down) return;
      const cy = one.centre(0, y)[1] + 4;
      layer.append(text(one.left / 2, cy, label, { fill: "#4a453b" }));
      layer.append(text(one.width - one.left / 2, cy, label, { fill: "#4a453b" }));
    });
    for (const route of grid.routes || []) {
      const points = [route.from, ...(route.way || []), route.to].map((p) => one.centre(p[0], p[1]).map(round).join(" "));
      layer.append(s("path", { d: "M" + points.join("L"), fill: "none", stroke: SIDES.own, "stroke-width": 1.6, "stroke-dasharray": "4 3", "marker-end": "url(#tip)" }));
    }
    // Names last, where the squares beside are empty.
    const busy = new Set(one.places.filter((p) => p.pieces.length).map((p) => p.x + "," + p.y));
    const named = [];
    for (const place of one.places) {
      if (!place.pieces.length || one.world) continue;
      const city = place.pieces.find((p) => (one.symbols.get(p.symbol) || {}).shape === "city");
      const units = place.pieces.filter((p) => p !== city && isCounter(one, p));
      const signs = place.pieces.filter((p) => p !== city && !isCounter(one, p));
      let x = place.cx - cell / 2 + 3;
      const y = place.cy - cell / 2;
      if (city) {
        const code = (city.code || "").slice(0, 3);
        const wide = Math.max(13, code.length * 6.2 + 4);
        const own = city.side === "own";
        layer.append(s("rect", { x, y: y + 3, width: wide, height: 13, fill: own ? SIDES.own : "#fff", stroke: tone(city), "stroke-width": 1.4 }));
        layer.append(text(x + wide / 2, y + 13.3, code, { "font-size": 10, fill: own ? "#fff" : tone(city), "font-weight": 700 }));
        x += wide + 2;
        if (city.name) named.push([place, nice(city.name)]);
      }
      for (const sign of signs.slice(0, city ? 1 : 2)) {
        layer.append(text(x + 5, y + 14, one.letters.get(sign.symbol) || sign.code, { fill: tone(sign), "font-size": 13, class: "halo" }));
        x += 13;
      }
      if (units.length) {
        const wide = widthOf(one, units[0]);
        const low = place.cy + (city || signs.length ? 9 : 1);
        const more = units.length > 1;
        counter(one, layer, place.cx - (wide + (more ? 13 : 0)) / 2, low, units[0]);
        if (more) layer.append(text(place.cx + wide / 2 + 1, low + 4, "+" + (units.length - 1), { "font-weight": 700, class: "halo" }));
      }
    }
    for (const [place, name] of named) {
      const wide = name.length * 5.8;
      const lowest = place.y === last;
      const row = lowest ? place.y - 1 : place.y + 1;
      const reach = Math.ceil((wide / cell - 1) / 2);
      let room = true;
      for (let dx = -reach; dx <= reach; dx++) if (busy.has(place.x + dx + "," + row)) room = false;
      if (!room) continue;
      const x = Math.min(Math.max(place.cx, one.left + wide / 2), one.width - one.left - wide / 2);
      const y = lowest ? place.cy - cell / 2 - 3 : place.cy + cell / 2 + 10;
      layer.append(text(x, y, name, { class: "halo small", "font-size": 11 }));
      for (let dx = -reach; dx <= reach; dx++) busy.add(place.x + dx + "," + row);
    }
  }

  function drawStack(one, layer, place, cx, top, most) {
    const list = place.pieces.slice();
    const order = { own: 0, foreign: 1, ally: 2 };
    list.sort((a, b) => (order[a.side] ?? 3) - (order[b.side] ?? 3));
    const rows = [];
    for (const piece of list) {
      const wide = widthOf(one, piece) + 2;
      const row = rows[rows.length - 1];
      if (row && row.wide + wide <= most) {
        row.pieces.push(piece);
        row.wide += wide;
      } else rows.push({ pieces: [piece], wide });
    }
    rows.slice(0, 3).forEach((row, i) => {
      let x = cx - row.wide / 2;
      for (const piece of row.pieces) x += counter(one, layer, round(x), round(top + i * 16), piece) + 2;
    });
    const left = rows.slice(3).reduce((n, r) => n + r.pieces.length, 0);
    if (left) layer.append(text(cx, top + 48, "+" + left, { "font-weight": 700, class: "halo" }));
  }

  /** Whole labels where they hit no other one, else their first words. */
  function fitLabels(one) {
    const area = (place, words) => {
      const half = words.length * 3.3 + 2;
      return [place.label[0] - half, place.label[1] - 6, place.label[0] + half, place.label[1] + 8];
    };
    const whole = (place) => place.region.label || place.code;
    const areas = one.places.map((p) => area(p, whole(p).split(" ")[0]));
    const hit = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    one.places.forEach((place, i) => {
      const wanted = area(place, whole(place));
      const free = wanted[2] - wanted[0] <= place.box[2] && wanted[0] > 0 && !areas.some((a, j) => j !== i && hit(a, wanted));
      place.words = free ? whole(place) : whole(place).split(" ")[0];
      if (free) areas[i] = wanted;
    });
  }

  function drawRegion(one, place, layer) {
    const [x, y] = place.label;
    layer.append(text(x, y + 4, place.words, { class: "halo" }));
    if (place.pieces.length) drawStack(one, layer, place, place.cx, Math.max(place.cy + 3, y + 14), Math.max(40, place.box[2] - 6));
  }

  function drawNode(one, place, layer) {
    const top = place.box[1];
    const seat = place.known.holder;
    layer.append(text(place.cx, top + 13, place.code, { "font-weight": 700, "font-size": 12 }));
    const same = place.name === place.code;
    place.lines.forEach((line, i) => { if (!same) layer.append(text(place.cx, top + 26 + i * 12, line, { "font-size": 11 })); });
    const more = lore(place.known);
    if (more) layer.append(text(place.cx, top + 26 + (same ? 0 : place.lines.length * 12), more, { "font-weight": 700 }));
    if (seat !== undefined && seat !== null) counter(one, layer, place.box[0] + 3, top + 8, { side: place.known.side }, String(seat));
    if (place.pieces.length) drawStack(one, layer, place, place.cx, top + place.box[3] + 4, NODE.across);
  }

  function drawLegend(one) {
    const list = h("ul", {});
    const swatch = (colour) => s("svg", { width: 18, height: 14, "aria-hidden": "true" }, s("rect", { x: 0.5, y: 0.5, width: 17, height: 13, fill: colour, stroke: "#5a5446" }));
    const item = (sign, words) => list.append(h("li", {}, sign, words));
    const seen = new Set(one.places.map((p) => p.known.terrain));
    for (const terrain of one.map.terrains) if (seen.has(terrain.id) && isColour(terrain.colour)) item(swatch(terrain.colour), terrain.name);
    if (seen.has("unknown")) item(swatch("#f4f0e6"), told("unknown"));
    const kinds = new Set(one.map.pieces.map((p) => p.symbol));
    for (const symbol of one.map.symbols) {
      if (!kinds.has(symbol.id)) continue;
      const letter = symbol.shape === "city" ? "□" : one.letters.get(symbol.id);
      item(h("strong", {}, letter + " "), symbol.name + (symbol.figures ? " (" + symbol.figures + ")" : ""));
    }
    const sample = (words, piece, wide) => {
      const icon = s("svg", { width: wide, height: 16, "aria-hidden": "true" });
      counter(one, icon, 1, 8, piece, "A5");
      item(icon, words);
    };
    sample(told("yours"), { side: "own" }, 22);
    sample(told("anothers"), { side: "foreign", holder: 2 }, 33);
    if (one.map.pieces.some((p) => p.side === "ally")) sample(told("an-allys"), { side: "ally", holder: 3 }, 33);
    if (one.map.kind !== "grid") for (const c of one.map.colours || []) if (isColour(c.colour)) item(swatch(mix(c.colour, "#ffffff", 0.55)), c.name);
    if (one.map.pale) item(h("strong", {}, told("pale") + " "), one.map.pale);
    if (one.map.hatch) item(h("strong", {}, told("hatched") + " "), one.map.hatch);
    if (one.places.some((p) => p.known.veiled)) item(h("strong", {}, told("dim") + " "), told("out-of-sight"));
    $("legend").replaceChildren(list);
  }

  // ---- Size and place of the view ------------------------------------------------------

  const fitZoom = () => Math.max(0.3, Math.min(2, (box.clientWidth - 2) / current.width));
  function wholeZoom() {
    const high = parseFloat(getComputedStyle(box).maxHeight) || Infinity;
    return Math.max(0.3, Math.min(fitZoom(), (high - 4) / current.height));
  }
  // Labels stay readable: a wide map is scrolled rather than shrunk.
  const homeZoom = () => (current.world ? 1 : Math.max(1, Math.min(1.5, fitZoom())));

  function setZoom(to) {
    if (!svg) return;
    const mid = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2].map((v) => v / zoom);
    zoom = Math.max(0.3, Math.min(4, to));
    zooms.set(current, zoom);
    svg.setAttribute("width", Math.round(current.width * zoom));
    svg.setAttribute("height", Math.round(current.height * zoom));
    svg.classList.toggle("far", zoom < 0.75);
    box.scrollLeft = mid[0] * zoom - box.clientWidth / 2;
    box.scrollTop = mid[1] * zoom - box.clientHeight / 2;
  }

  function centre(place) {
    box.scrollLeft = place.cx * zoom - box.clientWidth / 2;
    box.scrollTop = place.cy * zoom - box.clientHeight / 2;
  }

  function bringIntoView(place) {
    const [x, y, w, hgt] = place.box.map((v) => v * zoom);
    const pad = 24;
    if (x < box.scrollLeft + pad) box.scrollLeft = x - pad;
    if (x + w > box.scrollLeft + box.clientWidth - pad) box.scrollLeft = x + w + pad - box.clientWidth;
    if (y < box.scrollTop + pad) box.scrollTop = y - pad;
    if (y + hgt > box.scrollTop + box.clientHeight - pad) box.scrollTop = y + hgt + pad - box.clientHeight;
  }

  function setRoving(code, focus) {
    const place = current.byCode.get(code);
    if (!place || !place.shape) return;
    const before = roving && current.byCode.get(roving);
    if (before && before.shape) before.shape.setAttribute("tabindex", "-1");
    roving = code;
    place.shape.setAttribute("tabindex", "0");
    for (const shape of marks.focus ? marks.focus.shapes : []) shape.setAttribute("d", place.d);
    if (focus) {
      place.shape.focus({ preventScroll: true });
      bringIntoView(place);
    }
    if (marks.focus) marks.focus.group.classList.toggle("on", focus || byKeys);
  }

  let byKeys = false;
  document.addEventListener("keydown", () => { byKeys = true; }, true);
  document.addEventListener("pointerdown", () => {
    byKeys = false;
    if (marks.focus) marks.focus.group.classList.remove("on");
  }, true);

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /** The nearest place in a direction. */
  function step(from, dx, dy) {
    if (current.map.kind === "grid") {
      const wide = current.map.grid.columns.length;
      const x = current.map.grid.wrap ? (from.x + dx + wide) % wide : from.x + dx;
      const y = from.y + dy;
      return x < 0 || y < 0 || x >= wide ? null : current.places[y * wide + x];
    }
    const mid = (p) => [p.box[0] + p.box[2] / 2, p.box[1] + p.box[3] / 2];
    const [fx, fy] = mid(from);
    let best = null, least = Infinity;
    for (const place of current.places) {
      const [x, y] = mid(place);
      const along = (x - fx) * dx + (y - fy) * dy;
      const aside = Math.abs((x - fx) * dy) + Math.abs((y - fy) * dx);
      const score = along + aside * (aside > along ? 4 : 1.5);
      if (along > 1 && score < least) [best, least] = [place, score];
    }
    return best;
  }

  function onMapKey(event) {
    const arrow = ARROWS[event.key];
    const from = current.byCode.get(roving);
    if (event.key === "Escape" && picking) {
      stopPicking();
      event.preventDefault();
    }
    if (!from || event.ctrlKey || event.altKey || event.metaKey) return;
    if (arrow) {
      const to = step(from, arrow[0], arrow[1]);
      if (to) setRoving(to.code, true);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      choose(roving, true);
      event.preventDefault();
    } else if (event.key === "Home" || event.key === "End") {
      const list = current.places;
      setRoving((event.key === "Home" ? list[0] : list[list.length - 1]).code, true);
      event.preventDefault();
    } else if (event.key === "+" || event.key === "-") {
      setZoom(zoom * (event.key === "+" ? 1.25 : 0.8));
    }
  }

  function markChosen() {
    const place = chosen.code && current && current.byCode.get(chosen.code);
    for (const shape of marks.chosen ? marks.chosen.shapes : []) shape.setAttribute("d", place ? place.d : "");
    if (!svg) return;
    for (const old of svg.querySelectorAll('[aria-selected="true"]')) old.setAttribute("aria-selected", "false");
    if (place && place.shape && !current.world) place.shape.setAttribute("aria-selected", "true");
  }

  // ---- Things and choices --------------------------------------------------------------

  const choices = new Map();
  for (const sort of Object.keys(names)) choices.set(sort, new Map(names[sort].map((c) => [c.code.toUpperCase(), c])));

  /** What stands somewhere, once for all the sorts that name it. */
  const things = [];
  for (const sort of Object.keys(names)) {
    for (const choice of names[sort]) {
      if (!choice.at) continue;
      const same = things.find((t) => t.code === choice.code && t.name === choice.name && t.at === choice.at);
      if (same) same.sorts.push(sort);
      else things.push({ code: choice.code, name: choice.name, at: choice.at, sorts: [sort] });
    }
  }

  function choiceLabel(choice, long) {
    const name = nice(choice.name);
    if (name.toUpperCase() === choice.code.toUpperCase()) return choice.code;
    if (!long && name.toUpperCase().endsWith(" " + choice.code.toUpperCase())) return name;
    return name + " (" + choice.code + ")";
  }

  const slotWord = (slot) => (slot.name === "n" ? told("number") : term(slot.name));
  const slotLabel = (slot) => capital(slotWord(slot));

  function takesPlace(slot, code) {
    if (squareSorts.includes(slot.sort)) {
      const found = findPlace(code);
      if (found && found.one.map.kind === "grid") return true;
    }
    const list = choices.get(slot.sort);
    return !!list && list.has(code.toUpperCase()) && !list.get(code.toUpperCase()).at && !!findPlace(code);
  }

  /** Whether the map can fill a slot: with a place or with what stands there. */
  const sortIsPlace = new Map();
  function isPlaceSlot(slot) {
    if (!sortIsPlace.has(slot.sort)) {
      const list = [...(choices.get(slot.sort) || new Map()).values()];
      const hits = list.filter((c) => !c.at && findPlace(c.code)).length;
      sortIsPlace.set(slot.sort, squareSorts.includes(slot.sort) || (hits > 0 && hits * 2 >= list.length));
    }
    return sortIsPlace.get(slot.sort);
  }
  const standing = (sort, code) => (names[sort] || []).filter((c) => c.at === code);
  const onMap = (slot) => isPlaceSlot(slot) || (names[slot.sort] || []).some((c) => c.at);

  const ownPlace = (code) => {
    const found = findPlace(code);
    return !!found && found.place.known.side === "own";
  };

  // ---- Here ----------------------------------------------------------------------------

  function choose(code, fromMap) {
    if (picking && fillFromMap(code)) return;
    const found = findPlace(code);
    if (!found) return;
    if (found.one !== current) {
      current = found.one;
      drawTabs();
      chosen = { code, thing: null };
      draw();
    }
    const here = things.filter((t) => t.at === code);
    chosen = { code, thing: here.length === 1 ? here[0] : null };
    setRoving(code, false);
    if (!fromMap) centre(found.place);
    markChosen();
    drawHere();
    drawOrders();
    const parts = [told("chosen", { place: called(code) })];
    if (here.length) parts.push(told("things", { n: here.length }));
    say(parts.join(" "));
  }

  function thingButton(thing, hook) {
    const pressed = chosen.thing === thing;
    const label = choiceLabel(thing);
    const press = () => {
      if (chosen.code !== thing.at) choose(thing.at, false);
      chosen.thing = thing;
      drawHere();
      drawOrders();
      const again = [...$("here").querySelectorAll("[data-thing]")].find((b) => b.getAttribute("data-thing") === thing.sorts[0] + ":" + thing.code);
      if (again) again.focus();
      say(told("is-chosen", { what: label }));
    };
    return button(label, { "data-thing": hook ? thing.sorts[0] + ":" + thing.code : null, "aria-pressed": hook ? String(pressed) : null }, press);
  }

  const chips = (list) => h("ul", { class: "chips", role: "list" }, list.map((b) => h("li", {}, b)));

  function drawHere() {
    const here = $("here");
    here.replaceChildren();
    const found = chosen.code && findPlace(chosen.code);
    if (!found) {
      here.append(h("p", {}, told("choose-place")));
    } else {
      const { one, place } = found;
      const name = nameOf(place.code);
      here.append(h("p", { class: "name" }, name && name !== place.code ? [name + " ", h("span", { class: "code" }, place.code)] : place.code));
      const facts = h("dl", { class: "facts" });
      const fact = (term, ...words) => facts.append(h("div", {}, h("dt", {}, term), words.map((w) => h("dd", {}, w))));
      const ground = terrainName(one, place.known);
      fact(told("ground"), place.known.veiled ? told("ground-unseen", { name: ground }) : ground);
      const holder = whose(one, place.known);
      if (holder) fact(told("held-by"), place.known.side === "own" ? told("you") : holder);
      const notes = [];
      if (lore(place.known)) notes.push(lore(place.known));
      if (place.known.pale && one.map.pale) notes.push(one.map.pale);
      if (place.region && place.region.hatched && one.map.hatch) notes.push(one.map.hatch);
      if (notes.length) fact(told("known"), notes.join("; "));
      if (place.pieces.length) {
        facts.append(h("div", {}, h("dt", {}, told("on-the-map")), h("dd", {}, place.pieces.map((p) => h("div", {}, pieceWords(one, p))))));
      }
      const near = one.near ? one.near.get(place.code) : [];
      if (near && near.length) fact(told("next-to"), near.map((c) => (nameOf(c) ? nameOf(c) + " (" + c + ")" : c)).join(", "));
      here.append(facts);
      const own = things.filter((t) => t.at === place.code);
      if (own.length) here.append(h("h3", {}, told("stands-here")), chips(own.map((t) => thingButton(t, true))));
    }
    if (things.some((t) => t.at !== chosen.code)) {
      here.append(h("details", {}, h("summary", {}, told("everything", { n: things.length })),
        chips(things.map((t) => thingButton(t, false)))));
    }
  }

  // ---- Orders --------------------------------------------------------------------------

  const headOf = (form) => (/^[A-Za-z]*/.exec(form.writes) || [""])[0];
  let openForm = -1;

  function formButton(index) {
    const form = forms[index];
    const twins = forms.filter((f) => f.name === form.name).length > 1;
    const sign = twins ? form.writes.replace(/[{}]/g, "") : headOf(form) || form.writes.replace(/\{[^}]*\}/g, "…");
    const label = [term(form.name), h("span", { class: "code" }, sign)];
    return button(label, { "data-form": index, "aria-expanded": String(openForm === index), "aria-controls": "form" }, () => startForm(index));
  }

  function drawOrders() {
    const area = $("orders");
    area.replaceChildren();
    if (!forms.length) {
      area.append(h("p", {}, told("by-hand")));
      return;
    }
    const groups = [[], [], []];
    forms.forEach((form, i) => {
      const first = form.slots[0];
      const thing = chosen.thing;
      if (thing && first && thing.sorts.includes(first.sort)) groups[0].push(i);
      else if (chosen.code && ((form.section === "place" && ownPlace(chosen.code)) || form.slots.some((slot) => takesPlace(slot, chosen.code)))) groups[1].push(i);
      else groups[2].push(i);
    });
    const headings = [chosen.thing ? choiceLabel(chosen.thing) : "", chosen.code ? called(chosen.code) : ""];
    groups.slice(0, 2).forEach((group, g) => {
      if (group.length) area.append(h("h3", {}, told("for", { what: headings[g] })), chips(group.map(formButton)));
    });
    if (groups[2].length) {
      const fits = groups[0].length + groups[1].length > 0;
      const rest = h("details", {}, h("summary", {}, told(fits ? "other-orders" : "all-orders", { n: groups[2].length })), chips(groups[2].map(formButton)));
      rest.open = !fits || groups[2].includes(openForm) || otherOpen;
      rest.addEventListener("toggle", () => { if (fits) otherOpen = rest.open; });
      area.append(rest);
    }
  }
  let otherOpen = false;

  // ---- Filling a form ------------------------------------------------------------------

  let inputs = [];
  let picking = null;

  /** The code that the text in an input means. */
  function meant(slot, typed) {
    const value = typed.trim();
    if (!value || slot.sort === "n") return value;
    const list = choices.get(slot.sort);
    const behind = /\(([^()]+)\)$/.exec(value);
    if (behind && list && list.has(behind[1].toUpperCase())) return list.get(behind[1].toUpperCase()).code;
    if (behind && (findPlace(behind[1]) || !list)) return behind[1];
    if (!list) return value;
    if (list.has(value.toUpperCase())) return list.get(value.toUpperCase()).code;
    const named = [...list.values()].find((c) => c.name.toUpperCase() === value.toUpperCase() || (findPlace(c.code) && nameOf(c.code).toUpperCase() === value.toUpperCase()));
    return named ? named.code : value;
  }

  function valueOf(entry) {
    const typed = entry.input.value === OTHER ? entry.other.value : entry.input.value;
    if (entry.slot.many) return typed.trim().split(/\s+/).filter(Boolean).join(entry.slot.many === "joined" ? "" : " ");
    return meant(entry.slot, typed);
  }

  const OTHER = "\u0000other";
  let serial = 0;

  function slotOptions(slot) {
    return (names[slot.sort] || []).map((c) => {
      const place = !c.at && isPlaceSlot(slot) && findPlace(c.code) ? nameOf(c.code) : "";
      return [c.code, place && place !== c.code ? place + " (" + c.code + ")" : choiceLabel(c)];
    });
  }

  function datalist(id, options) {
    return h("datalist", { id }, options.map((o) => h("option", { value: o[1] })));
  }

  function slotRow(slot) {
    const id = "slot-" + ++serial;
    const entry = { slot, input: null, other: null, row: null };
    const options = slotOptions(slot);
    const row = h("div", { class: "row" });
    const hook = { id, "data-slot": slot.name, autocomplete: "off", spellcheck: "false" };
    const hints = [];
    if (slot.many) {
      entry.input = h("input", { ...hook, type: "text" });
      row.append(entry.input);
      if (options.length) {
        const add = h("select", { "aria-label": told("add-to", { what: slotLabel(slot) }) }, h("option", { value: "" }, told("add-one")), options.map((o) => h("option", { value: o[0] }, o[1])));
        add.addEventListener("change", () => {
          if (add.value) append(entry, add.value);
          add.value = "";
          refresh();
        });
        row.append(add);
      }
      hints.push(told("several"));
    } else if (slot.sort === "n") {
      entry.input = h("input", { ...hook, type: "number", inputmode: "numeric", min: 0, step: 1 });
      row.append(entry.input);
    } else if (options.length > 1 && options.length <= 30 && !squareSorts.includes(slot.sort)) {
      entry.input = h("select", hook, h("option", { value: "" }, told("choose")), options.map((o) => h("option", { value: o[0] }, o[1])), h("option", { value: OTHER }, told("other")));
      entry.other = h("input", { type: "text", "aria-label": told("something-else", { what: slotLabel(slot) }), autocomplete: "off", hidden: true });
      entry.input.addEventListener("change", () => {
        entry.other.hidden = entry.input.value !== OTHER;
        if (!entry.other.hidden) entry.other.focus();
      });
      row.append(entry.input, entry.other);
    } else {
      entry.input = h("input", { ...hook, type: "text", list: options.length ? id + "-list" : null });
      row.append(entry.input);
      if (options.length) row.append(datalist(id + "-list", options));
    }
    const mapped = onMap(slot) && current && !current.world;
    if (mapped) {
      row.append(button(told("pick"), { "aria-label": told("pick-what", { what: slotWord(slot) }) }, () => {
        startPicking(entry);
        toMap();
      }));
      entry.input.addEventListener("focus", () => startPicking(entry));
    } else entry.input.addEventListener("focus", stopPicking);
    row.addEventListener("input", refresh);
    row.addEventListener("change", refresh);
    entry.row = h("div", { class: "slot" }, h("label", { for: id }, slotLabel(slot) + (hints.length ? " (" + hints.join(", ") + ")" : "")), row);
    return entry;
  }

  function giverRow() {
    const id = "slot-" + ++serial;
    const all = clickable.length ? clickable[0].places : [];
    const own = all.filter((p) => p.known.side === "own"), rest = all.filter((p) => p.known.side !== "own");
    const option = (p) => h("option", { value: p.code }, called(p.code));
    const select = h("select", { id, "data-slot": "@" }, h("option", { value: "" }, told("choose")),
      own.length ? h("optgroup", { label: told("group-yours") }, own.map(option)) : null,
      rest.length ? h("optgroup", { label: told("group-others") }, rest.map(option)) : null);
    const row = h("div", { class: "row" }, select);
    select.addEventListener("focus", stopPicking);
    row.addEventListener("change", refresh);
    return { slot: { name: "@", sort: "@" }, input: select, row: h("div", { class: "slot" }, h("label", { for: id }, told("giver")), row) };
  }

  function setSlot(entry, code) {
    if (entry.input.tagName === "SELECT") {
      const has = [...entry.input.options].some((o) => o.value === code);
      entry.input.value = has ? code : OTHER;
      if (entry.other) {
        entry.other.hidden = has;
        if (!has) entry.other.value = code;
      }
    } else if (entry.slot.many) append(entry, code);
    else {
      const option = slotOptions(entry.slot).find((o) => o[0] === code);
      entry.input.value = option ? option[1] : isPlaceSlot(entry.slot) ? called(code) : code;
    }
  }

  function append(entry, code) {
    const before = entry.input.value.trim();
    entry.input.value = before ? before + " " + code : code;
  }

  const empty = (entry) => !valueOf(entry);

  function startForm(index) {
    const form = forms[index];
    openForm = index;
    stopPicking();
    show("added", "");
    show("form-say", "");
    $("form-name").textContent = term(form.name);
    inputs = form.slots.map(slotRow);
    if (form.section === "place") inputs.unshift(giverRow());
    $("slots").replaceChildren(...inputs.map((e) => e.row));
    prefill(form);
    $("form").hidden = false;
    drawOrders();
    refresh();
    const next = inputs.find(empty);
    if (next && next.slot.sort !== "@" && onMap(next.slot)) startPicking(next);
    // On a phone a focused field would open the keyboard over the map.
    const coarse = window.matchMedia("(pointer: coarse)").matches;
    const target = coarse ? $("form-set") : next ? next.input : $("add");
    target.focus({ preventScroll: true });
    $("form").scrollIntoView({ block: "nearest" });
  }

  function prefill(form) {
    const { code, thing } = chosen;
    const slots = inputs.filter((e) => e.slot.name !== "@");
    const giver = inputs.find((e) => e.slot.name === "@");
    let used = false;
    if (thing) {
      const entry = slots.find((e) => thing.sorts.includes(e.slot.sort));
      if (entry) {
        setSlot(entry, thing.code);
        used = thing.at === code;
      }
    }
    if (giver) {
      const last = $("card").value.split("\n").map(sectionOf).filter((c) => c).pop();
      if (code && ownPlace(code)) {
        giver.input.value = code;
        used = true;
      } else if (last && [...giver.input.options].some((o) => o.value === last)) giver.input.value = last;
    }
    for (const entry of slots) {
      if (!code || !empty(entry)) continue;
      const there = standing(entry.slot.sort, code);
      const taken = slots.some((e) => !empty(e) && e.slot.sort === entry.slot.sort);
      if (there.length !== 1 || taken) continue;
      setSlot(entry, there[0].code);
      used = true;
    }
    // Pieces at the place hardly move there; the place itself is then not offered as a goal.
    const written = (e) => form.writes.indexOf("{" + e.slot.name + "}");
    const open = slots.filter((e) => empty(e) && code && takesPlace(e.slot, code)).sort((a, b) => written(a) - written(b));
    if (open.length && !used) setSlot(open.length > 1 && !ownPlace(code) ? open[1] : open[0], code);
  }

  function endForm() {
    const index = openForm;
    stopPicking();
    openForm = -1;
    inputs = [];
    $("form").hidden = true;
    $("slots").replaceChildren();
    drawOrders();
    const back = document.querySelector('[data-form="' + index + '"]');
    if (back) back.focus({ preventScroll: true });
  }

  /** The line of an order; what is missing is shown as dots. */
  function lineOf(form) {
    const values = new Map(inputs.map((e) => [e.slot.name, valueOf(e)]));
    return form.writes.replace(/\{([^}]+)\}/g, (all, name) => values.get(name) || "…").replace(/\s+/g, " ").trim();
  }

  function refresh() {
    if (openForm < 0) return;
    const form = forms[openForm];
    const giver = inputs.find((e) => e.slot.name === "@");
    const above = form.section === "player" ? "@\n" : giver ? "@" + (valueOf(giver) || "…") + "\n" : "";
    $("preview").textContent = above + lineOf(form);
    for (const entry of inputs) entry.row.classList.toggle("active", !!picking && picking === entry);
  }

  function startPicking(entry) {
    picking = entry;
    const now = told("picking", { what: slotWord(entry.slot) });
    $("pick-words").textContent = now;
    $("pick").hidden = false;
    box.classList.add("picking");
    say(now);
    refresh();
  }

  function stopPicking() {
    if (!picking) return;
    picking = null;
    $("pick").hidden = true;
    box.classList.remove("picking");
    refresh();
  }

  function toMap() {
    $("map-h").scrollIntoView({ block: "start" });
    const place = current && current.byCode.get(roving);
    if (place && place.shape) place.shape.focus({ preventScroll: true });
  }

  function fillFromMap(code) {
    const entry = picking;
    let value = null;
    if (isPlaceSlot(entry.slot)) value = takesPlace(entry.slot, code) ? code : null;
    else {
      const there = standing(entry.slot.sort, code);
      // A second click takes the next one that stands there.
      const at = there.findIndex((c) => c.code === valueOf(entry));
      if (there.length) value = there[(at + 1) % there.length].code;
    }
    if (!value) {
      const why = told("no-fit", { place: called(code), what: slotWord(entry.slot) });
      say(why);
      $("pick-words").textContent = why + " " + told("click-another");
      return true;
    }
    setSlot(entry, value);
    setRoving(code, false);
    say(slotLabel(entry.slot) + ": " + value + ".");
    if (!entry.slot.many) {
      const next = inputs.find((e) => empty(e) && e.slot.sort !== "@");
      if (next && onMap(next.slot)) startPicking(next);
      else if (isPlaceSlot(entry.slot)) {
        stopPicking();
        if (byKeys) (next ? next.input : $("add")).focus();
        $("form").scrollIntoView({ block: "nearest" });
      }
    }
    refresh();
    return true;
  }

  function addLine(event) {
    event.preventDefault();
    if (openForm < 0) return;
    const form = forms[openForm];
    const missing = inputs.find(empty);
    if (missing) {
      const giver = missing.slot.name === "@";
      const first = giver ? told("fill-giver") : told("fill-first", { what: slotWord(missing.slot) });
      show("form-say", first);
      say(first);
      missing.input.focus();
      return;
    }
    const line = lineOf(form);
    const giver = inputs.find((e) => e.slot.name === "@");
    const section = form.section === "player" ? "@" : giver ? "@" + valueOf(giver) : null;
    setCard(inserted($("card").value, line, section));
    endForm();
    const lines = $("card").value.split("\n").filter((l) => l.trim()).length;
    show("added", told("added", { line, n: lines }));
    say($("added").textContent);
  }

  /** The country of a line such as "@TU", "" for "@" alone, null for other lines. */
  function sectionOf(line) {
    const found = /^\s*@\s*([A-Za-z]*)\s*$/.exec(line);
    return found ? found[1].toUpperCase() : null;
  }

  function inserted(card, line, section) {
    const lines = card.replace(/\s+$/, "").split("\n");
    if (lines.length === 1 && !lines[0]) lines.pop();
    if (section === null) return lines.concat(line).join("\n") + "\n";
    const wanted = section.slice(1).toUpperCase();
    let start = -1;
    lines.forEach((l, i) => { if (sectionOf(l) === wanted) start = i; });
    if (start < 0) return lines.concat(section, line).join("\n") + "\n";
    let end = start + 1;
    while (end < lines.length && sectionOf(lines[end]) === null) end++;
    while (end > start + 1 && !lines[end - 1].trim()) end--;
    lines.splice(end, 0, line);
    return lines.join("\n") + "\n";
  }

  // ---- The card ------------------------------------------------------------------------

  const store = ["fieldpost", "card", turn.rules, turn.seed_digest, turn.game, turn.seat, turn.step].join(":");
  const history = [];
  let lastCard = "";
  let lastTyped = 0;

  function remember() {
    if (history[history.length - 1] !== lastCard) history.push(lastCard);
    if (history.length > 200) history.shift();
  }

  function setCard(value) {
    remember();
    $("card").value = value;
    cardChanged();
  }

  function cardChanged() {
    lastCard = $("card").value;
    try {
      if (lastCard) localStorage.setItem(store, lastCard);
      else localStorage.removeItem(store);
    } catch (refused) { /* The card then lives as long as the page. */ }
    show("copied", "");
    $("undo").disabled = !history.length;
    $("last").disabled = $("clear").disabled = !lastCard.trim();
    drawMail();
    checkCard();
  }

  function undo() {
    if (!history.length) return;
    $("card").value = history.pop();
    cardChanged();
    say(told("undone"));
  }

  const MAIL_MAX = 1900;

  function drawMail() {
    const mail = $("mail");
    if (!answer.to) {
      mail.hidden = true;
      show("mail-note", told("copy-note"));
      return;
    }
    const enc = encodeURIComponent;
    const body = $("card").value.replace(/\s+$/, "").split("\n").map((l) => enc(wellFormed(l))).join("%0D%0A");
    const to = enc(answer.to).replace(/%40/g, "@");
    mail.href = "mailto:" + to + "?subject=" + enc(wellFormed(answer.subject || "")) + "&body=" + body + "%0D%0A";
    const long = mail.getAttribute("href").length > MAIL_MAX;
    show("mail-note", long ? told("long") : "");
  }

  /** Half a character, as a torn paste leaves it, can't be encoded. */
  const wellFormed = (words) => words.replace(/[\uD800-\uDFFF]/gu, "?");

  async function copyCard() {
    const card = $("card");
    let done = false;
    try {
      await navigator.clipboard.writeText(card.value);
      done = true;
    } catch (refused) {
      card.focus();
      card.select();
      try { done = document.execCommand("copy"); } catch (never) { done = false; }
    }
    const outcome = told(done ? "copied" : "refused");
    show("copied", outcome);
    say(outcome);
  }

  // ---- Check of form -------------------------------------------------------------------

  const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

  const patterns = forms.map((form) => {
    const bySlot = new Map(form.slots.map((slot) => [slot.name, slot]));
    const slots = [];
    const parts = form.writes.split(/\{([^}]+)\}/).map((part, i) => {
      if (i % 2 === 0) return escaped(part).replace(/\s+/g, "\\s+");
      const slot = bySlot.get(part) || { name: part, sort: "", many: "" };
      slots.push(slot);
      if (slot.sort === "n") return "(\\d+)";
      if (slot.many === "words") return "(\\S+(?:\\s+\\S+)*)";
      return "(\\S+?)";
    });
    return { form, slots, exp: new RegExp("^" + parts.join("") + "$", "i") };
  });

  const heads = new Map();
  for (const form of forms) {
    const head = headOf(form).toUpperCase();
    if (head) heads.set(head, [...(heads.get(head) || []), form]);
  }

  const isWord = new Set(forms.flatMap((f) => f.name.toUpperCase().split(/\s+/).slice(0, 1)));

  /** Whether the page knows a value of a slot; where it can't tell, it does not object. */
  function knows(slot, value) {
    const list = choices.get(slot.sort);
    if (!list || slot.sort === "n") return true;
    const word = value.toUpperCase();
    if (word === "*" || word === "ALL" || list.has(word) || findPlace(word)) return true;
    if (slot.many === "joined") return [...word].every((c) => list.has(c) || /\d/.test(c));
    if (slot.many === "words") return word.split(/\s+/).every((w) => knows({ ...slot, many: "" }, w));
    if (squareSorts.includes(slot.sort) && orders.square && /^[\d,]{3,}$/.test(word)) return looksSquare(word);
    const parts = word.split(/[+-]/).map((w) => w.replace(/!$/, "")).filter(Boolean);
    if (parts.length && parts.every((w) => list.has(w))) return true;
    return list.size === 1 && /^\d+$/.test(word);
  }

  const squareLike = new RegExp("^" + escaped(orders.square || "").replace("\\{column\\}", "\\d+").replace("\\{row\\}", "\\d+") + "$");
  const squareLength = clickable.length && clickable[0].map.kind === "grid" && !/[^}]\{/.test(orders.square || "") && clickable[0].places[0] ? clickable[0].places[0].code.length : 0;
  const looksSquare = (word) => squareLike.test(word) && (!squareLength || word.length === squareLength);

  function oneName(slot) {
    if (slot.name === "n") return told("number");
    return term(slot.name.endsWith("s") && slot.name !== "steps" ? slot.name.slice(0, -1) : slot.name);
  }

  function valueWords(slot, value) {
    const list = choices.get(slot.sort);
    const choice = list && list.get(value.toUpperCase());
    if (choice) return findPlace(choice.code) && nameOf(choice.code) ? nameOf(choice.code) : nice(choice.name);
    return value;
  }

  const LINE_MAX = 160;

  /** What the form of a line says: "ok", "note" or "words", and why. */
  function judge(line, section) {
    const bare = line.split(/[#;]/)[0].trim();
    if (!bare) return { kind: "ok", words: told("remark") };
    if (bare.length > LINE_MAX) return { kind: "note", words: told("too-long") };
    const fits = patterns.map((p) => ({ p, m: p.exp.exec(bare) })).filter((f) => f.m);
    const wrong = (f) => f.p.slots.findIndex((slot, i) => !knows(slot, f.m[i + 1]));
    const placed = (f) => f.p.form.section !== "place" ? f.p.form.section !== "player" || !section : !!section;
    const good = fits.filter((f) => wrong(f) < 0);
    const best = good.find(placed) || good[0];
    if (best) {
      const form = best.p.form;
      const said = best.p.slots.map((slot, i) => valueWords(slot, best.m[i + 1])).join(", ");
      const order = term(form.name) + (said ? ": " + said : "");
      if (form.section === "place" && !section) return { kind: "note", words: told("below-country", { words: order, line: "@" + sampleCountry() }) };
      if (form.section === "player" && section) return { kind: "note", words: told("below-player", { words: order }) };
      return { kind: "ok", words: order };
    }
    if (fits.length) {
      const fit = fits.find(placed) || fits[0];
      const i = wrong(fit);
      const slot = fit.p.slots[i];
      const mine = (names[slot.sort] || []).some((c) => c.at);
      const said = fit.m[i + 1];
      const wrongOne = slot.many === "words" ? said.split(/\s+/).find((w) => !knows({ ...slot, many: "" }, w)) : said;
      return { kind: "note", words: told(mine ? "not-yours" : "not-known", { what: oneName(slot), value: wrongOne }) };
    }
    const head = (/^[A-Za-z]+/.exec(bare) || [""])[0].toUpperCase();
    const ways = (heads.get(head) || []).filter((f) => f.slots.length).map((f) => "“" + f.writes.replace(/[{}]/g, "") + "”");
    if (ways.length && !(isWord.has(head) && head.length > 3)) {
      return { kind: "note", words: told("form", { ways: ways.reduce((one, other) => told("or", { one, other })) }) };
    }
    if (isWord.has(head)) return { kind: "words", words: told("in-words") };
    return { kind: "note", words: told("strange") };
  }

  function sampleCountry() {
    const own = clickable.length && clickable[0].places.find((p) => p.known.side === "own");
    return own ? own.code : "AL";
  }

  let checkTimer = 0;

  function checkCard() {
    const list = $("check");
    list.replaceChildren();
    const sectioned = forms.some((f) => f.section);
    let section = "", letter = false, fine = 0, all = 0;
    $("card").value.split("\n").forEach((line, i) => {
      if (!line.trim()) return;
      let result;
      const country = sectionOf(line);
      if (letter) {
        if (/^\s*END\s*$/i.test(line)) letter = false;
        result = { kind: "ok", words: told("of-letter") };
      } else if (/^\s*PRESS\b/i.test(line)) {
        letter = true;
        result = { kind: "ok", words: told("letter") };
      } else if (sectioned && country !== null) {
        section = country;
        if (!country) result = { kind: "ok", words: told("of-player") };
        else if (findPlace(country)) result = { kind: "ok", words: told("of-country", { name: nameOf(country) || country }) };
        else result = { kind: "note", words: told("no-place", { place: country }) };
      } else result = judge(line, section);
      all++;
      if (result.kind !== "note") fine++;
      const good = result.kind !== "note";
      list.append(h("li", {}, h("span", { class: "sign " + (good ? "good" : "warn"), "aria-hidden": "true" }, good ? "✓" : "?"),
        h("span", { class: good ? "" : "warn" }, told("line", { n: i + 1, words: result.words }))));
    });
    let sum = told("empty");
    if (all > 0 && fine === all) sum = told("all-known", { n: all });
    else if (all > 0) sum = told("some-known", { n: fine, lines: told("lines", { n: all }) });
    $("check-sum").textContent = sum + " " + told("judges");
    clearTimeout(checkTimer);
    if (document.activeElement === $("card")) checkTimer = setTimeout(() => say(sum), 900);
  }

  // ---- The printout --------------------------------------------------------------------

  function tableOf(part, caption) {
    const numeric = (c) => part.rows.some((r) => typeof r[c.id] === "number");
    const head = h("tr", {}, part.columns.map((c) => h("th", { scope: "col", class: numeric(c) ? "n" : null }, c.heading)));
    const cell = (row, c) => {
      const value = Object.prototype.hasOwnProperty.call(row, c.id) ? row[c.id] : "";
      return h("td", { class: numeric(c) ? "n" : null }, String(value));
    };
    const body = part.rows.map((row) => h("tr", {}, part.columns.map((c) => cell(row, c))));
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      h("table", {}, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, body)));
  }

  function partsOf(parts, heading) {
    const made = [];
    let tables = 0;
    parts.forEach((part, i) => {
      const next = parts[i + 1];
      if (part.type === "text") {
        if (!(next && next.type === "table" && /:$/.test(part.text))) made.push(h("p", {}, part.text));
      } else if (part.type === "list") made.push(h("ul", {}, part.items.map((item) => h("li", {}, item))));
      else if (part.type === "table") {
        const before = parts[i - 1];
        tables++;
        const caption = before && before.type === "text" && /:$/.test(before.text) ? before.text.replace(/:$/, "") : tables > 1 ? told("table", { heading, n: tables }) : heading;
        made.push(tableOf(part, caption));
      } else if (part.type === "quote" || part.type === "card") made.push(h("pre", { tabindex: 0 }, part.lines.join("\n")));
      else if (part.type === "battles") {
        for (const battle of part.battles) {
          const sides = battle.sides.map((side) => {
            const numbers = side.before === undefined || side.before === null ? "" : " " + side.before + " → " + side.after;
            return h("li", {}, side.who + numbers + [side.forces, side.odds].filter(Boolean).map((w) => "; " + w).join(""));
          });
          made.push(h("div", { class: "battle" }, h("strong", {}, battle.place), battle.ground ? ", " + battle.ground : null,
            h("ul", {}, sides), h("p", {}, battle.result)));
        }
      }
    });
    return made;
  }

  function drawPrintout() {
    const area = $("printout");
    for (const chapter of turn.sections || []) {
      const cards = chapter.parts.filter((p) => p.type === "card");
      if (cards.length && !turn.over) {
        $("card-forms").append(...partsOf(cards, chapter.heading));
        $("card-forms").hidden = false;
      }
      const made = partsOf(chapter.parts.filter((p) => turn.over || p.type !== "card"), chapter.heading);
      if (made.length) area.append(h("details", {}, h("summary", {}, chapter.heading), made));
    }
  }

  function drawHead() {
    $("title").textContent = told("title", { engine: turn.rules, game: turn.game, step: turn.label });
    $("seat").textContent = told(turn.player ? "seat-of-player" : "seat-of", { seat: turn.seat, title: turn.title, player: turn.player });
    if (turn.over) show("deadline", told("over"));
    else if (answer.deadline) show("deadline", answer.deadline);
    const news = $("news");
    if ((turn.headline || []).length) news.append(h("div", {}, h("h2", {}, told("glance")), h("ul", {}, turn.headline.map((line) => h("li", {}, line)))));
    const opening = (turn.opening || []).filter((p) => p.type !== "map");
    const heading = opening[0] && opening[0].type === "text" && /:$/.test(opening[0].text) ? opening.shift().text.replace(/:$/, "") : told("needs");
    if (opening.length) news.append(h("div", {}, h("h2", {}, heading), partsOf(opening, heading)));
    news.hidden = !news.children.length;
  }

  // ---- Tabs and search -----------------------------------------------------------------

  function drawTabs() {
    const bar = $("tabs");
    bar.replaceChildren();
    bar.hidden = maps.length < 2;
    if (bar.hidden) return;
    maps.forEach((one, i) => {
      const on = one === current;
      bar.append(button(one.name, { role: "tab", id: "tab-" + i, "aria-selected": String(on), "aria-controls": "map", tabindex: on ? 0 : -1 }, () => {
        current = one;
        drawTabs();
        draw();
        $("tab-" + i).focus({ preventScroll: true });
      }));
      if (on) {
        box.setAttribute("role", "tabpanel");
        box.setAttribute("aria-labelledby", "tab-" + i);
      }
    });
  }

  $("tabs").addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const i = (maps.indexOf(current) + move + maps.length) % maps.length;
    $("tab-" + i).click();
    event.preventDefault();
  });

  const searchable = new Map();

  function fillSearch() {
    const add = (code) => {
      const label = called(code);
      if (!searchable.has(label)) searchable.set(label, code);
    };
    for (const code of placeNames.keys()) if (findPlace(code)) add(code);
    for (const thing of things) if (findPlace(thing.at)) add(thing.at);
    for (const one of clickable) for (const p of one.places) if (one.map.kind !== "grid" || p.pieces.length) add(p.code);
    const labels = [...searchable.keys()].sort((a, b) => a.localeCompare(b));
    $("place-list").append(...labels.map((label) => h("option", { value: label })));
  }

  function search(loud) {
    const typed = $("place-search").value.trim();
    if (!typed) return;
    const upper = typed.toUpperCase();
    let code = searchable.get(typed) || (findPlace(typed) && typed) || (findPlace(upper) && upper);
    if (!code && loud) {
      const label = [...searchable.keys()].find((l) => l.toUpperCase().startsWith(upper)) || [...searchable.keys()].find((l) => l.toUpperCase().includes(upper));
      code = label && searchable.get(label);
    }
    if (code) choose(code, false);
    else if (loud) say(told("not-found", { place: typed }));
  }

  // ---- Start ---------------------------------------------------------------------------

  drawHead();
  drawPrintout();
  fillSearch();
  drawTabs();
  draw();
  drawHere();

  $("zoom-in").addEventListener("click", () => setZoom(zoom * 1.25));
  $("zoom-out").addEventListener("click", () => setZoom(zoom * 0.8));
  $("zoom-fit").addEventListener("click", () => setZoom(current ? wholeZoom() : 1));
  $("place-search").addEventListener("input", () => search(false));
  $("place-search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      search(true);
    }
  });
  $("place-go").addEventListener("click", () => search(true));

  if (turn.over) {
    $("orders-part").remove();
    $("card-part").remove();
  } else {
    drawOrders();
    $("form").addEventListener("submit", addLine);
    $("form").addEventListener("keydown", (event) => {
      if (event.key === "Escape") stopPicking();
    });
    $("form-end").addEventListener("click", endForm);
    $("pick-end").addEventListener("click", () => {
      stopPicking();
      if (openForm >= 0) {
        $("form").scrollIntoView({ block: "nearest" });
        $("form-set").focus({ preventScroll: true });
      }
    });
    const card = $("card");
    card.addEventListener("input", () => {
      const now = Date.now();
      if (now - lastTyped > 1500) remember();
      lastTyped = now;
      cardChanged();
    });
    $("last").addEventListener("click", () => {
      const lines = card.value.replace(/\s+$/, "").split("\n");
      const gone = lines.pop();
      setCard(lines.length ? lines.join("\n") + "\n" : "");
      say(told("removed", { line: gone }));
    });
    $("undo").addEventListener("click", undo);
    $("clear").addEventListener("click", () => {
      setCard("");
      say(told("empty-undo"));
    });
    $("copy").addEventListener("click", copyCard);
    try {
      card.value = localStorage.getItem(store) || "";
    } catch (refused) { /* Nothing is kept then. */ }
    cardChanged();
  }
})();
