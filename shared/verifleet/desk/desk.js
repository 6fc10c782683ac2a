// The incident desk: the list, one incident, why, decisions, and what changes.

import { $, AGAIN_MS, address, ask, badge, link, make, passing, place, say, text, time } from "./parts.js";
import { WorldMap } from "./map.js";
import { Reports } from "./reports.js";
import { verifiers } from "./verifiers.js";

const ROW = 84; // pixels of a row, as in desk.css
const SPARE = 8; // rows that are kept beyond both edges
const PAGE = 200;
const VIEWS = ["map", "verifiers"]; // what stands behind # and is no incident
const MOST = 20000; // incidents that are listed
const REFRESH_MS = 250;
const OTHERS = 100; // incidents that a merge offers, those of the same type first

const least = (value, other) => (value < other ? -1 : value > other ? 1 : 0);
const GRADES = ["extreme", "severe", "moderate", "minor", "unknown"];
const reported = (row) => row.reported_at || row.created_at;
// Which of two rows is listed first, by what is chosen; those that changed last before others that are alike.
const ORDERS = {
  changed: (one, other) => least(other.changed_at, one.changed_at),
  severity: (one, other) => GRADES.indexOf(one.severity) - GRADES.indexOf(other.severity) || other.reports - one.reports,
  reports: (one, other) => other.reports - one.reports,
  reported: (one, other) => least(reported(other), reported(one)),
};
const before = (one, other) => ORDERS[$("sort").value](one, other) || ORDERS.changed(one, other);

const state = { rows: [], at: 0, open: null, asOf: "", loading: 0, filters: {}, shown: null };

// --- the list -----------------------------------------------------------------

const list = $("list");
const room = make("div", { class: "room", role: "presentation" });
list.append(room);

function standing(row) {
  const told = [[row.confirmed, "confirmed"], [row.reported, "unconfirmed"], [row.disputed, "disputed"]];
  return told.filter(([count]) => count).map(([count, word]) => `${count} ${word}`).join(", ") || "no facts";
}

// The time that the order makes of interest: a list of what is severe mixes what is of today with what is old.
function when(row) {
  return $("sort").value === "changed" ? ["changed ", time(row.changed_at)] : ["reported ", time(reported(row))];
}

function rowNode(row, index) {
  const since = row.act && row.state !== "open" && row.state !== "merged" && row.revision > row.act.revision;
  return make("div", {
    id: `row-${index}`, role: "option", class: `row ${row.severity}${index === state.at ? " at" : ""}`, "data-at": index,
    "aria-selected": String(row.incident_id === state.open), "aria-setsize": state.rows.length, "aria-posinset": index + 1,
    onclick: () => { state.at = index; open(row.incident_id); },
  },
  make("p", {}, make("strong", {}, row.event_type, ", ", text(place(row))), " ", badge(row.severity), " ", row.state === "open" ? "" : badge(row.state)),
  make("p", {}, text(row.headline)),
  make("p", { class: "meta" }, ...when(row), ` · ${standing(row)} · ${row.reports} reports${since ? " · changed since it was decided" : ""}`));
}

function drawList() {
  room.style.height = `${state.rows.length * ROW}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const last = Math.min(state.rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  const nodes = [];
  for (let index = first; index < last; index += 1) {
    const node = rowNode(state.rows[index], index);
    node.style.top = `${index * ROW}px`;
    nodes.push(node);
  }
  room.replaceChildren(...nodes);
  const active = state.at >= first && state.at < last && state.rows.length ? `row-${state.at}` : null;
  if (active) list.setAttribute("aria-activedescendant", active); else list.removeAttribute("aria-activedescendant");
}

let drawing = 0;
function redraw() { cancelAnimationFrame(drawing); drawing = requestAnimationFrame(drawList); showMap(); }

function counted(more) {
  const many = state.rows.length;
  $("count").textContent = many ? `${many}${more ? "+" : ""} incidents` : "No incidents. Reports that are published appear here.";
}

function fits(row) {
  const { state: states, type, severity, text: wordsWanted, place: where } = state.filters;
  if (states ? !states.split(",").includes(row.state) : row.state === "merged") return false;
  if (type && row.event_type !== type) return false;
  if (severity && !severity.split(",").includes(row.severity)) return false;
  return wordsWanted || where ? null : true; // words and places are the server's to find
}

async function load() {
  const turn = (state.loading += 1);
  let cursor = "";
  const rows = [];
  try {
    do {
      const page = await ask("incidents", { ...state.filters, limit: PAGE, cursor });
      if (turn !== state.loading) return;
      if (!cursor) state.asOf = page.as_of;
      cursor = page.next;
      rows.push(...page.incidents);
      if ($("sort").value !== "changed") rows.sort(before);
      state.rows = rows;
      counted(cursor);
      redraw();
    } while (cursor && rows.length < MOST);
    listen();
  } catch (error) {
    if (turn !== state.loading) return;
    $("live").textContent = `not loaded: ${error.message}`;
    if (passing(error)) setTimeout(() => turn === state.loading && load(), AGAIN_MS);
  }
}

function upsert(row) {
  const known = state.rows.findIndex((one) => one.incident_id === row.incident_id);
  if (known >= 0 && state.rows[known].changed_at >= row.changed_at) return;
  const chosen = state.rows[state.at]?.incident_id;
  const fit = fits(row);
  if (known >= 0) state.rows.splice(known, 1);
  if (fit || (fit === null && known >= 0)) {
    const index = state.rows.findIndex((one) => before(row, one) <= 0);
    state.rows.splice(index < 0 ? state.rows.length : index, 0, row);
  }
  const kept = state.rows.findIndex((one) => one.incident_id === chosen);
  state.at = Math.max(0, kept >= 0 ? kept : Math.min(state.at, state.rows.length - 1));
  counted(false);
  redraw();
  say(`${known >= 0 ? "Changed" : "New"}: ${row.event_type}, ${place(row)}`);
  if (row.incident_id === state.open) refresh();
}

// What is open is asked for anew, once for all that changes in a moment.
let refreshing = 0;
function refresh() {
  refreshing ||= setTimeout(() => { refreshing = 0; if (state.open) show(state.open, true); }, REFRESH_MS);
}

list.addEventListener("scroll", redraw, { passive: true });
addEventListener("resize", redraw);
list.addEventListener("keydown", (event) => {
  const jump = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: jump, PageUp: -jump, Home: -Infinity, End: Infinity };
  if (event.key in steps) {
    state.at = Math.min(Math.max(0, state.at + steps[event.key]), Math.max(0, state.rows.length - 1));
    const top = state.at * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    drawList();
    event.preventDefault();
  } else if ((event.key === "Enter" || event.key === " ") && state.rows[state.at]) {
    open(state.rows[state.at].incident_id);
    event.preventDefault();
  }
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    $("filters").elements.text.focus();
    event.preventDefault();
  } else if (event.key === "Escape" && !document.querySelector("dialog[open]") && $("detail").contains(event.target)) {
    if (getComputedStyle($("listing")).display === "none") location.hash = ""; else list.focus();
  }
});
$("filters").addEventListener("submit", (event) => { event.preventDefault(); filter(); });
$("filters").addEventListener("change", filter);

$("sort").addEventListener("change", () => {
  state.rows.sort(before);
  state.at = 0;
  list.scrollTop = 0;
  redraw();
});

function filter() {
  state.filters = Object.fromEntries([...new FormData($("filters"))].map(([name, value]) => [name, value.trim()]));
  state.at = 0;
  list.scrollTop = 0;
  load();
}

// --- what changes -------------------------------------------------------------

let source = null;
function listen() {
  source?.close();
  source = new EventSource(address("incidents/stream", { since: state.asOf }));
  const mine = source;
  let away = false;
  mine.onopen = () => {
    $("live").textContent = "live";
    if (away) refresh();
    away = false;
  };
  mine.onerror = () => {
    away = true;
    $("live").textContent = "reconnecting";
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => mine === source && listen(), AGAIN_MS);
  };
  mine.addEventListener("incident", (event) => {
    const row = JSON.parse(event.data);
    if (row.changed_at > state.asOf) state.asOf = row.changed_at;
    upsert(row);
  });
  mine.addEventListener("reset", load);
  mine.addEventListener("away", () => { $("live").textContent = "the store does not answer"; });
}

// --- one incident -------------------------------------------------------------

function open(id) {
  if (location.hash === `#${encodeURIComponent(id)}`) show(id); else location.hash = encodeURIComponent(id);
}

addEventListener("hashchange", () => chosen(true));
function chosen(moved) {
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* it names nothing */ }
  if (id === "detail") return;
  const view = VIEWS.includes(id) ? id : "";
  state.open = view ? null : id || null;
  document.body.classList.toggle("open", Boolean(state.open) || view === "map");
  document.body.classList.toggle("verifiers", view === "verifiers");
  $("main").hidden = view === "verifiers";
  $("verifiers").hidden = view !== "verifiers";
  for (const tab of $("tabs").children) {
    if (tab.getAttribute("href") === `#${view}`) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
  }
  verifiers(view === "verifiers");
  redraw();
  if (state.open) { show(id); return; }
  closeShown();
  $("detail").replaceChildren(backButton(), make("h2", {}, "Where they are"), world.node);
  if (moved && view === "map") $("detail").focus(); else if (moved && !view) list.focus();
}

const world = new WorldMap({ onopen: open, label: "those that are listed" });
function showMap() {
  if (!state.open) world.show(state.rows);
  state.near?.show(state.rows, state.shown.incident);
}

function closeShown() {
  state.near?.close();
  state.reports?.close();
  state.near = state.reports = state.shown = null;
}

async function show(id, again = false) {
  let found;
  let changes;
  const path = `incidents/${encodeURIComponent(id)}`;
  try {
    [found, changes] = await Promise.all([ask(path), ask(`${path}/revisions`, { limit: 30 })]);
  } catch (error) {
    if (state.open !== id) return;
    if (!again || !state.shown) $("detail").replaceChildren(backButton(), make("p", { role: "alert" }, error.message));
    if (passing(error)) setTimeout(() => state.open === id && show(id, again), AGAIN_MS);
    return;
  }
  if (state.open !== id) return;
  const top = $("detail").scrollTop;
  const focused = again ? document.activeElement?.dataset?.name : null;
  const acts = state.shown?.incident.acts;
  if (state.reports?.id !== id || acts !== found.incident.acts) closeShown(); // what is decided may take reports away
  state.shown = found;
  $("detail").replaceChildren(...incident(found, changes));
  if (again) {
    $("detail").scrollTop = top;
    if (focused) $("detail").querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
    if (document.activeElement === document.body) keepFocus();
  } else {
    $("detail").scrollTop = 0;
    $("detail").focus();
  }
}

// What had the focus is no longer there, such as the button of what was decided: it stays with the incident.
function keepFocus() {
  if (state.open) $("detail").focus({ preventScroll: true });
}
for (const dialog of [$("why"), $("act")]) {
  dialog.addEventListener("close", () => { if (document.activeElement === document.body) keepFocus(); });
}

function backButton() {
  return make("button", { class: "back", type: "button", onclick: () => { location.hash = ""; } }, "Back to the list");
}

function button(words, name, onclick, label) {
  return make("button", { type: "button", "data-name": name, onclick, "aria-label": label }, words);
}

function incident({ incident: row, brief, facts, acts, reports, more_reports: more }, changes) {
  state.reports ||= new Reports(row.incident_id, { onwhy: whyReport, onsplit: splitOff });
  const nodes = [backButton(), make("h2", {}, row.event_type, ", ", text(place(row)))];
  nodes.push(make("p", {}, badge(row.state), " ", badge(row.severity),
    ` reliability ${row.reliability_score.toFixed(2)}, ${row.reports} reports, revision ${row.revision}, changed `, time(row.changed_at),
    row.reported_at ? ", last report " : "", time(row.reported_at)));
  if (row.merged_into) {
    nodes.push(make("p", { class: "notice" }, "It turned out to be another incident: ",
      make("a", { href: `#${encodeURIComponent(row.merged_into)}` }, "open that one")));
  } else {
    const ways = { open: ["confirm", "dismiss", "close", "merge", "split"], confirmed: ["dismiss", "close", "merge", "split"],
      closed: ["reopen", "dismiss"], dismissed: ["reopen", "confirm"] }[row.state] || [];
    nodes.push(make("p", { class: "buttons" }, ...ways.map((kind) => button(
      `${kind[0].toUpperCase()}${kind.slice(1)}…`, kind, () => (kind === "split" ? state.reports.choose() : decide({ kind, incident_id: row.incident_id, expects: row.acts }))))));
  }
  nodes.push(make("p", { class: "summary" }, text(brief.summary)));
  nodes.push(section("Facts", facts, fact));
  if (row.position || row.country_position) {
    state.near ||= new WorldMap({ onopen: open, label: "around this incident" });
    state.near.show(state.rows, row);
    nodes.push(make("section", { class: "near", "aria-labelledby": "s-where" }, make("h3", { id: "s-where" }, "Where"), state.near.node));
  }
  if (brief.guidance.length) nodes.push(section("Advice", brief.guidance, (tip) => [text(tip)]));
  if (acts.length) nodes.push(section("Decisions", acts, decision));
  nodes.push(section("What changed", changes.revisions, revision));
  state.reports.refresh(reports, more, row.reports);
  nodes.push(state.reports.node);
  return nodes;
}

function splitOff(ids) {
  const row = state.shown.incident;
  decide({ kind: "split", incident_id: row.incident_id, expects: row.acts, reports: ids },
    `${ids.length} of ${row.reports} reports leave: ${row.event_type}, ${place(row)}`);
}

function section(title, items, node) {
  const id = `s-${title.toLowerCase().replaceAll(" ", "-")}`;
  return make("section", { "aria-labelledby": id }, make("h3", { id }, `${title}${items.length ? "" : ": none"}`),
    make("ul", { class: "plain" }, ...items.map((item) => make("li", {}, ...node(item)))));
}

function fact(one) {
  const said = one.sources.map((source, index) => make("span", {}, index ? "; " : "", text(source.author || source.source),
    ` (${source.source}) `, time(source.time), " ", link(source.url)));
  const why = one.claim_ids.length
    ? button("Why?", `why ${one.id}`, () => whyFact(one), `Why? ${one.text.slice(0, 80)}`) : "";
  return [make("p", {}, badge(one.status), " ", text(one.text), " ", why), make("p", { class: "soft" }, "Said by ", ...said)];
}

function decision(act) {
  const undo = act.undone || act.kind === "undo" ? ""
    : button("Undo…", `undo ${act.act_id}`, () => decide({ kind: "undo", undoes: act.act_id }), `Undo… ${act.kind}`);
  const what = [act.kind, act.verdict, act.undone ? "(undone)" : ""].filter(Boolean).join(" ");
  const here = state.open === act.into ? act.incident_id : act.into;
  const other = here ? make("a", { href: `#${encodeURIComponent(here)}` }, "the other incident") : "";
  return [make("p", {}, time(act.at), ` ${what} by `, text(act.by || "somebody"), ": ", text(act.reason), " ", other, " ", undo)];
}

function revision(one) {
  const by = one.author || one.source;
  return [make("p", {}, time(one.at), ` revision ${one.revision}: `, text(one.changes.join("; ") || "as before")),
    by ? make("p", { class: "soft" }, "By ", text(by), " ", link(one.url)) : ""];
}

// --- why ----------------------------------------------------------------------

async function whyFact(one) {
  const ids = one.claim_ids.slice(0, 8);
  why(one.text, async () => (await Promise.all(ids.map((id) => ask(`claims/${encodeURIComponent(id)}`).catch(() => null))))
    .filter(Boolean).map((answer) => claim(answer.claim, answer.report, answer.earlier)));
}

function whyReport(one) {
  why(one.content, async () => one.claims.map((made, index) => claim(made, one, one.earlier
    .filter((earlier) => earlier.verdicts[index]).map((earlier) => ({ at: earlier.at, verdict: earlier.verdicts[index] })))));
}

async function why(title, nodes) {
  const dialog = $("why");
  const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const head = make("h2", { id: "why-title" }, "Why: ", text(title.slice(0, 300)));
  dialog.replaceChildren(head, make("p", {}, "asking…"), close);
  if (!dialog.open) dialog.showModal();
  const found = await nodes();
  dialog.replaceChildren(head, ...(found.length ? found : [make("p", {}, "What it rested on is no longer kept.")]), close);
  close.focus();
}

const SIDES = [["supports", "For"], ["refutes", "Against"], ["updates", "Tells of later"], ["neutral", "Beside it"]];

function claim(made, told, earlier) {
  const sides = SIDES.map(([stance, title]) => [title, made.evidence.filter((one) => one.stance === stance)]);
  const marks = ["true", "false", "outdated"].map((verdict) => button(`Mark ${verdict}…`, `mark ${verdict}`,
    () => { $("why").close(); decide({ kind: "mark", claim_id: made.claim_id, verdict }, made.text); }));
  return make("section", {},
    make("h3", {}, text(made.text), " → ", badge(made.verdict)),
    make("p", { class: "soft" }, `belief ${made.confidence.toFixed(2)}; said by `, text(told.author || told.source),
      ` (${told.source}) `, time(told.time), " ", link(told.url)),
    ...earlier.map((one) => make("p", { class: "soft" }, "until ", time(one.at), ` ${one.verdict}`)),
    ...sides.filter(([, found]) => found.length).map(([title, found]) => make("div", {},
      make("strong", {}, `${title}: ${found.length}`),
      make("ul", {}, ...found.map((one) => make("li", {}, make("strong", {}, text(one.source)), " ", time(one.observed_at), ": ",
        text(one.reason), " ", make("span", { class: "soft" }, one.rule ? `rule ${one.rule}` : ""), " ", link(one.url)))))),
    made.evidence.length ? "" : make("p", {}, "Nobody else speaks for or against it."),
    make("p", { class: "buttons" }, ...marks));
}

// --- decisions ----------------------------------------------------------------

let pending = null;
function decide(act, about = "") {
  pending = { act_id: crypto.randomUUID?.() || `${Date.now()}-${Math.random()}`, ...act };
  const form = $("act").querySelector("form");
  const merging = act.kind === "merge";
  $("act-title").textContent = act.kind === "mark" ? `Mark the claim ${act.verdict}` : `${act.kind[0].toUpperCase()}${act.kind.slice(1)}`;
  const row = state.shown?.incident;
  $("act-what").replaceChildren(text(about || (row ? `${row.event_type}, ${place(row)}: ${row.headline}` : "")));
  $("act-into-label").hidden = !merging;
  form.elements.into.required = merging;
  form.elements.into.value = "";
  const alike = (one) => (row && one.event_type === row.event_type ? 0 : 1);
  const others = state.rows.filter((one) => one.incident_id !== act.incident_id)
    .sort((one, other) => alike(one) - alike(other) || other.reports - one.reports).slice(0, OTHERS);
  $("act-others").replaceChildren(...(merging ? others.map((one) => make("option", { value: one.incident_id },
    `${one.event_type}, ${place(one)}: ${one.headline}`)) : []));
  form.elements.reason.value = "";
  form.elements.by.value = localStorage.getItem("officer") || "";
  $("act-problem").textContent = "";
  $("act").showModal();
  (merging ? form.elements.into : form.elements.reason).focus();
}

$("act-cancel").addEventListener("click", () => $("act").close());
$("act").querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { reason, by, into } = event.target.elements;
  localStorage.setItem("officer", by.value);
  const sent = { ...pending, reason: reason.value, by: by.value, ...(pending.kind === "merge" ? { into: into.value.trim() } : {}) };
  $("act-do").disabled = true;
  try {
    const done = await ask("acts", {}, sent);
    $("act").close();
    if (sent.kind === "split") state.reports?.done();
    say(`Done: ${sent.kind}`);
    if (done.incident) upsert(done.incident);
    refresh();
  } catch (error) {
    $("act-problem").textContent = error.status ? error.message.replace(/^payload\.data\.(expects: )?/, "") : `${error.message} Do it again: nothing is done twice.`;
    if (error.status === 409 && state.open) refresh(); // what somebody else did stands beside it
  } finally {
    $("act-do").disabled = false;
  }
});

filter();
chosen(false);
