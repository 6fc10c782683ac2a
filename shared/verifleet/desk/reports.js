// The reports of one incident: the latest first, the earlier ones as they are scrolled to; each is drawn once and stays.

import { ask, badge, link, make, say, text, time } from "./parts.js";

const PAGE = 100;

export class Reports {
  constructor(id, { onwhy, onsplit }) {
    Object.assign(this, { id, onwhy, onsplit });
    this.shown = new Map(); // event_id: { one, li }
    this.chosen = new Set();
    this.cursor = null;
    this.list = make("ul", { class: "plain" });
    this.head = make("h3", { id: "s-reports" }, "Reports");
    this.bar = make("div", { class: "buttons splitting", hidden: "" });
    this.more = make("button", { type: "button", "data-name": "more", hidden: "", onclick: () => this.load() }, "More reports");
    const only = make("input", { type: "checkbox", onchange: (event) => this.node.classList.toggle("claimed", event.target.checked) });
    const heading = make("div", { class: "heading" }, this.head, make("label", {}, only, "only those with claims"));
    this.node = make("section", { "aria-labelledby": "s-reports" }, heading, this.bar, this.list, this.more);
    this.watch = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) this.load(); });
  }

  close() { this.watch.disconnect(); }

  // The latest reports as they are now; those before them stay as they were drawn.
  refresh(reports, more, total) {
    this.head.textContent = total ? `Reports: ${total}` : "Reports: none";
    const oldest = reports.at(-1)?.time || "";
    const now = new Set(reports.map((one) => one.event_id));
    for (const [id, { one, li }] of this.shown) {
      if (one.time > oldest && !now.has(id)) { li.remove(); this.shown.delete(id); }
    }
    let next = this.list.firstChild;
    for (const one of reports) {
      const li = this.item(one);
      if (li === next) next = next.nextSibling; else this.list.insertBefore(li, next);
    }
    if (this.shown.size === reports.length) this.further(more);
  }

  item(one) {
    const known = this.shown.get(one.event_id);
    if (known && known.one.revision === one.revision) return known.li;
    const li = known?.li || make("li");
    li.className = one.claims.length ? "" : "chatter";
    li.replaceChildren(...this.told(one));
    this.shown.set(one.event_id, { one, li });
    return li;
  }

  further(cursor) {
    this.cursor = cursor;
    this.more.hidden = !cursor;
    if (cursor) this.watch.observe(this.more); else this.watch.disconnect();
  }

  async load() {
    if (this.loading || !this.cursor) return;
    this.loading = true;
    try {
      const page = await ask(`incidents/${encodeURIComponent(this.id)}/reports`, { limit: PAGE, cursor: this.cursor });
      this.list.append(...page.reports.filter((one) => !this.shown.has(one.event_id)).map((one) => this.item(one)));
      this.watch.disconnect(); // it tells anew whether the button is in sight
      this.further(page.next);
    } catch (error) { say(error.message); } finally { this.loading = false; }
  }

  told(one) {
    const by = one.author || one.source;
    const why = one.claims.length ? make("button", { type: "button", "data-name": `why ${one.event_id}`, onclick: () => this.onwhy(one),
      "aria-label": `Why? The report of ${by}` }, "Why?") : "";
    const verdicts = one.claims.map((claim) => badge(claim.verdict)).flatMap((node) => [node, " "]);
    return [make("p", {}, this.box(one, by), make("strong", {}, text(by)), ` (${one.source}) `, time(one.time), " ", link(one.url)),
      make("p", {}, text(one.content)),
      make("p", { class: "soft" }, ...(verdicts.length ? verdicts : ["no claim that can be checked "]),
        `reliability ${one.reliability_score.toFixed(2)} `, why)];
  }

  // --- those that are to leave ------------------------------------------------

  box(one, by) {
    return make("input", { type: "checkbox", class: "choice", "aria-label": `The report of ${by} leaves`,
      checked: this.chosen.has(one.event_id), onchange: (event) => {
        if (event.target.checked) this.chosen.add(one.event_id); else this.chosen.delete(one.event_id);
        this.count();
      } });
  }

  choose() {
    this.node.classList.add("choosing");
    this.bar.hidden = false;
    const go = make("button", { type: "button", onclick: () => this.onsplit([...this.chosen]) }, "Split off…");
    this.said = make("span", { role: "status" });
    this.bar.replaceChildren(this.said, go, make("button", { type: "button", onclick: () => this.done() }, "Cancel"));
    this.go = go;
    this.count();
    this.head.scrollIntoView();
    (this.list.querySelector(".choice") || go).focus();
  }

  count() {
    const many = this.chosen.size;
    this.said.textContent = many ? `${many} report${many === 1 ? "" : "s"} chosen to leave for an incident of their own.`
      : "Choose the reports that are of another incident.";
    this.go.disabled = !many;
  }

  done() {
    this.chosen.clear();
    for (const box of this.list.querySelectorAll(".choice")) box.checked = false;
    this.node.classList.remove("choosing");
    this.bar.hidden = true;
  }
}
