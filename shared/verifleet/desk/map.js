// The map: land and borders are two paths of the package (world.json), incidents are buttons on them. Positions are in
// hundredths of a degree, longitude to the right and latitude downwards.

import { draw, make, place, text } from "./parts.js";

const WEST = -18000, EAST = 18000, NORTH = -8400, SOUTH = 6000;
const NEAREST = 0.6; // pixels of a hundredth of a degree
const LOCAL = 0.06;
const COUNTRY = 0.015;
const CELL = 30; // pixels within which incidents are one point
const LISTED = 60;
const RANK = ["unknown", "minor", "moderate", "severe", "extreme"];

const where = (row) => row.position || row.country_position;

let world = null;
// Asked once, and again when it did not come.
const shapes = () => (world ||= fetch("desk/world.json").then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error())))
  .catch((error) => { world = null; throw error; }));

export class WorldMap {
  constructor({ onopen, label }) {
    this.onopen = onopen;
    this.rows = [];
    this.around = null; // the incident that it is about
    this.view = null;
    this.land = draw("path", { class: "land" });
    this.borders = draw("path", { class: "borders" });
    this.ground = draw("g", { "aria-hidden": "true" }, this.land, this.borders);
    this.points = draw("g", { role: "group", "aria-label": `Incidents, ${label}` });
    this.svg = draw("svg", { class: "world", role: "group", "aria-label": `Map, ${label}` }, this.ground, this.points);
    this.here = make("div", { class: "here" });
    this.note = make("p", { class: "soft" });
    const way = (words, name, act) => make("button", { type: "button", "aria-label": name, title: name, onclick: act }, words);
    const buttons = make("p", { class: "buttons zoom" }, way("+", "Zoom in", () => this.zoom(2)), way("−", "Zoom out", () => this.zoom(0.5)),
      way("Whole map", "Whole map", () => { this.view = null; this.redraw(); }));
    const frame = make("div", { class: "frame" }, this.svg, buttons);
    this.node = make("div", { class: "map" }, frame, this.note, this.here);
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
    this.sizes = new ResizeObserver(() => this.redraw());
    this.sizes.observe(this.svg);
    this.shape();
  }

  async shape() {
    try {
      const { land, borders } = await shapes();
      this.land.setAttribute("d", land);
      this.borders.setAttribute("d", borders);
    } catch {
      setTimeout(() => this.node.isConnected && this.shape(), 3000);
    }
  }

  close() { this.sizes.disconnect(); }

  show(rows, around = null) {
    this.rows = rows;
    this.around = around;
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.paint(); });
  }

  get size() { return [this.svg.clientWidth, this.svg.clientHeight]; }

  least() {
    const [wide, high] = this.size;
    return Math.min(wide / (EAST - WEST), high / (SOUTH - NORTH));
  }

  seen() {
    if (this.view) return this.view;
    const at = this.around && where(this.around);
    if (at) return { x: at[1] * 100, y: -at[0] * 100, scale: this.around.position ? LOCAL : COUNTRY };
    return { x: 0, y: (NORTH + SOUTH) / 2, scale: this.least() };
  }

  zoom(by, x, y) {
    const view = this.seen();
    const scale = Math.min(NEAREST, Math.max(this.least(), view.scale * by));
    this.view = { x: x ?? view.x, y: y ?? view.y, scale };
    this.redraw();
  }

  clusters() {
    const { x, y, scale } = this.seen();
    const [wide, high] = this.size;
    const found = new Map();
    for (const row of this.rows) {
      const at = where(row);
      if (!at) continue;
      const left = wide / 2 + (at[1] * 100 - x) * scale, top = high / 2 + (-at[0] * 100 - y) * scale;
      if (left < 0 || top < 0 || left > wide || top > high) continue;
      const rough = !row.position;
      const key = `${Math.floor(left / CELL)},${Math.floor(top / CELL)},${rough}`;
      const one = found.get(key);
      if (one) one.rows.push(row); else found.set(key, { left, top, rough, rows: [row] });
    }
    return [...found.values()];
  }

  paint() {
    const [wide, high] = this.size;
    if (!wide || !high) return;
    const { x, y, scale } = this.seen();
    this.ground.setAttribute("transform", `translate(${wide / 2 - x * scale} ${high / 2 - y * scale}) scale(${scale})`);
    const focused = this.points.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    const nodes = this.clusters().map((one) => this.point(one));
    nodes.sort((one, other) => one.order - other.order);
    this.points.replaceChildren(...nodes.map(({ node }) => node));
    const again = nodes.find(({ ids }) => focused && ids.has(focused)) || (focused ? nodes[0] : null);
    (again || nodes[0])?.node.setAttribute("tabindex", "0");
    if (again) again.node.focus();
    const rough = this.rows.filter((row) => !row.position && row.country_position).length;
    const lost = this.rows.filter((row) => !where(row)).length;
    const notes = [rough ? `Rings: somewhere in that country (${rough}).` : "", lost ? `Not here, since nobody tells where: ${lost}.` : ""];
    this.note.textContent = notes.filter(Boolean).join(" ");
  }

  point({ left, top, rough, rows }) {
    const worst = rows.reduce((found, row) => (RANK.indexOf(row.severity) > RANK.indexOf(found) ? row.severity : found), "unknown");
    const own = this.around && rows.some((row) => row.incident_id === this.around.incident_id);
    const first = rows[0];
    const name = rows.length === 1 ? `${first.event_type}, ${rough ? "somewhere in " : ""}${place(first)}: ${first.headline.slice(0, 100)}, severity ${first.severity}`
      : `${rows.length} incidents ${rough ? "somewhere in or near" : "near"} ${place(first)}, severity up to ${worst}`;
    const radius = 7 + Math.min(9, 2 * Math.log2(rows.length));
    const node = draw("g", { class: `point ${worst}${own ? " own" : ""}${rough ? " rough" : ""}`, role: "button", tabindex: "-1", "aria-label": name,
      transform: `translate(${left} ${top})`, "data-id": first.incident_id, onclick: () => this.choose(rows) },
    draw("circle", { r: radius + 6, class: "room" }), draw("circle", { r: radius }),
    rows.length > 1 ? draw("text", { "aria-hidden": "true", dy: "0.35em" }, String(rows.length)) : "",
    draw("title", {}, name));
    return { node, ids: new Set(rows.map((row) => row.incident_id)), order: left + top * 0.2 };
  }

  choose(rows) {
    if (rows.length === 1) { this.onopen(rows[0].incident_id); return; }
    const at = rows.map(where);
    const [south, north] = [Math.min(...at.map((one) => one[0])), Math.max(...at.map((one) => one[0]))];
    const [west, east] = [Math.min(...at.map((one) => one[1])), Math.max(...at.map((one) => one[1]))];
    const apart = Math.max(north - south, east - west) * 100;
    if (apart > CELL / NEAREST && this.seen().scale < NEAREST) {
      const by = Math.max(2, (0.6 * Math.min(...this.size)) / (apart * this.seen().scale));
      this.here.replaceChildren();
      this.zoom(by, 50 * (west + east), -50 * (south + north));
      return;
    }
    const head = make("h3", { id: "here-title", tabindex: "-1" }, `${rows.length} incidents near `, text(place(rows[0])));
    this.here.replaceChildren(make("section", { "aria-labelledby": "here-title" }, head, make("ul", { class: "plain" },
      ...rows.slice(0, LISTED).map((row) => make("li", {}, make("a", { href: `#${encodeURIComponent(row.incident_id)}` },
        row.event_type, ", ", text(place(row)), ": ", text(row.headline)))),
      rows.length > LISTED ? make("li", { class: "soft" }, `and ${rows.length - LISTED} more: filter by place`) : "")));
    head.focus();
  }

  key(event) {
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const way = ways[event.key];
    if (way && event.shiftKey) {
      const view = this.seen();
      const step = 80 / view.scale;
      this.view = { ...view, x: view.x + way[0] * step, y: view.y + way[1] * step };
      this.redraw();
    } else if (way) this.move(event.target.closest(".point"), way);
    else if (event.key === "Enter" || event.key === " ") event.target.closest(".point")?.dispatchEvent(new MouseEvent("click"));
    else if (["+", "=", "-"].includes(event.key)) {
      const id = event.target.closest(".point")?.dataset.id; // it stays in sight
      const known = this.rows.find((row) => row.incident_id === id);
      const at = known && where(known);
      this.zoom(event.key === "-" ? 0.5 : 2, at && at[1] * 100, at && -at[0] * 100);
    }
    else return;
    event.preventDefault();
  }

  // To the nearest point in this direction.
  move(from, [right, down]) {
    if (!from) return;
    const middle = (node) => { const box = node.querySelector("circle").getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const node of this.points.children) {
      const [px, py] = middle(node);
      const along = (px - x) * right + (py - y) * down, aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
      if (along > 1 && along + 2 * aside < least) { least = along + 2 * aside; best = node; }
    }
    if (!best) return;
    from.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  }

  drag(event) {
    if (event.button || event.target.closest(".point")) return;
    const begin = this.seen();
    const moved = (to) => {
      this.view = { ...begin, x: begin.x - (to.clientX - event.clientX) / begin.scale, y: begin.y - (to.clientY - event.clientY) / begin.scale };
      this.redraw();
    };
    const ended = () => { removeEventListener("pointermove", moved); removeEventListener("pointerup", ended); removeEventListener("pointercancel", ended); };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", ended);
    addEventListener("pointercancel", ended);
  }
}
