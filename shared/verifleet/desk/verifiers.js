// The verifiers' tab: how much each is asked, what it says, how long it takes, where it fails, what audits measured.

import { $, ask, badge, draw, make, text, time } from "./parts.js";

const AGAIN_MS = 10000;
const VERDICTS = ["correct", "partial", "incorrect", "malformed", "unknown", "error"];
const AUDITED = [["accuracy", "accuracy"], ["false_positives", "false positives"], ["false_negatives", "false negatives"],
  ["unknown", "unknown"], ["errors", "errors"]];
const tone = (verdict) => (verdict === "unknown" ? "unknown-verdict" : verdict);

let waiting = 0;
let turn = 0;

export function verifiers(shown) {
  clearTimeout(waiting);
  turn += 1;
  if (shown) look();
}

$("hours").addEventListener("change", () => verifiers(true));

async function look() {
  const mine = turn;
  const hours = Number($("hours").value);
  try {
    const found = await ask("verifiers", { hours });
    if (mine !== turn) return;
    $("verifiers-problem").textContent = found.verifiers.every((one) => one.state === "not watched")
      ? "No verifier is looked at: VERIFLEET_VERIFIER_URLS says where they are." : "";
    $("cards").replaceChildren(...found.verifiers.map((one) => card(one, found, hours)));
    $("audits").replaceChildren(...audits(found.audits));
  } catch (error) {
    if (mine !== turn) return;
    $("verifiers-problem").textContent = error.message;
  }
  waiting = setTimeout(look, AGAIN_MS);
}

const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const took = (ms) => (ms == null ? "–" : ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);

function card({ verifier, state, total, slots }, { as_of: asOf, step_s: step }, hours) {
  const id = `v-${verifier}`;
  const given = Object.values(total.verdicts).reduce((sum, count) => sum + count, 0);
  const figure = (name, value) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
  const parts = [make("h3", { id }, verifier, " ", badge(state)),
    make("dl", { class: "figures" }, figure("requests", total.requests.toLocaleString("en")), figure("verdicts", given.toLocaleString("en")),
      figure("per minute", (total.requests / (60 * hours)).toFixed(total.requests / (60 * hours) < 10 ? 1 : 0)),
      figure("half within", took(total.p50_ms)), figure("95 % within", took(total.p95_ms)),
      figure("failed", total.requests ? percent(total.failed / total.requests) : "–"),
      figure("refused", total.requests ? percent(total.rejected / total.requests) : "–"))];
  if (slots.length) parts.push(bars(slots, Date.parse(asOf), step * 1000, hours), latency(slots, Date.parse(asOf), hours));
  if (given) parts.push(shares(total.verdicts, given), legend(total.verdicts, given));
  if (total.away) parts.push(make("p", { class: "soft" }, `${total.away} times it did not answer when it was looked at.`));
  if (slots.length) parts.push(spans(slots));
  return make("section", { class: "card", "aria-labelledby": id }, ...parts);
}

// Spans of time beside each other; of a week several are one bar.
function columns(slots, end, hours) {
  const many = Math.min(96, hours * 12);
  const wide = (hours * 3600000) / many;
  const found = Array.from({ length: many }, () => ({ requests: 0, failed: 0, p95: null }));
  for (const slot of slots) {
    const column = found[many - 1 - Math.floor((end - Date.parse(slot.at)) / wide)];
    if (!column) continue;
    column.requests += slot.requests;
    column.failed += slot.failed;
    if (slot.p95_ms != null) column.p95 = Math.max(column.p95 ?? 0, slot.p95_ms);
  }
  return found;
}

function bars(slots, end, step, hours) {
  const found = columns(slots, end, hours);
  const most = Math.max(1, ...found.map((one) => one.requests));
  const nodes = found.flatMap(({ requests, failed }, index) => {
    const high = (80 * requests) / most, bad = (80 * failed) / most;
    return requests ? [draw("rect", { class: "bar", x: index, y: 80 - high, width: 0.8, height: Math.max(1, high) }),
      failed ? draw("rect", { class: "bar failed", x: index, y: 80 - bad, width: 0.8, height: Math.max(1, bad) }) : ""] : [];
  });
  return draw("svg", { class: "chart", role: "img", viewBox: `0 0 ${found.length} 80`, preserveAspectRatio: "none",
    "aria-label": `Requests over time, at most ${most} in a bar` }, ...nodes);
}

function latency(slots, end, hours) {
  const found = columns(slots, end, hours);
  const most = Math.max(0, ...found.map((one) => one.p95 ?? 0));
  return make("p", { class: "soft" }, `Requests over time; the slowest span had 95 % within ${took(most || null)}, the busiest ${
    Math.max(...found.map((one) => one.requests))} requests.`);
}

function shares(verdicts, given) {
  let x = 0;
  const nodes = VERDICTS.filter((verdict) => verdicts[verdict]).map((verdict) => {
    const node = draw("rect", { class: tone(verdict), x, y: 0, width: (1000 * verdicts[verdict]) / given, height: 10 });
    x += (1000 * verdicts[verdict]) / given;
    return node;
  });
  return draw("svg", { class: "shares", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...nodes);
}

function legend(verdicts, given) {
  return make("ul", { class: "legend" }, ...VERDICTS.filter((verdict) => verdicts[verdict]).map((verdict) =>
    make("li", {}, make("span", { class: tone(verdict) }), `${verdict} ${percent(verdicts[verdict] / given)}`)));
}

function spans(slots) {
  const row = (slot) => make("tr", {}, make("td", {}, time(slot.at)), ...[slot.requests, slot.failed, slot.rejected].map((count) =>
    make("td", { class: "number" }, String(count))), make("td", { class: "number" }, took(slot.p50_ms)), make("td", { class: "number" }, took(slot.p95_ms)));
  const heads = ["from", "requests", "failed", "refused", "half within", "95 % within"];
  return make("details", {}, make("summary", {}, "Figures"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures of five minutes each" },
    make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", class: at ? "number" : "" }, head)))),
      make("tbody", {}, ...slots.slice(-48).reverse().map(row)))));
}

function audits(found) {
  if (!found.length) return [make("p", {}, "None is recorded: verifleet audit math rows.jsonl --record")];
  const row = (one) => make("tr", {}, make("td", {}, time(one.at)), make("td", {}, one.verifier), make("td", {}, text(one.file)),
    make("td", {}, text(one.version)), make("td", { class: "number" }, String(one.rows)),
    ...AUDITED.map(([name]) => make("td", { class: "number", title: `${one[name].count} of ${one[name].total}; with 95 %: ${percent(one[name].low)} to ${percent(one[name].high)}` },
      one[name].total ? percent(one[name].share, 2) : "–")));
  const heads = ["when", "verifier", "rows of", "version", "rows", ...AUDITED.map(([, head]) => head)];
  return [...lines(found), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "audits-title" }, make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", class: at > 3 ? "number" : "" }, head)))),
    make("tbody", {}, ...found.map(row))))];
}

// Accuracy and false positives of what was audited more than once, from the first to the last.
function lines(found) {
  const same = new Map();
  for (const one of [...found].reverse()) {
    const key = `${one.verifier}, ${one.file}`;
    same.set(key, [...(same.get(key) || []), one]);
  }
  return [...same].filter(([, runs]) => runs.length > 1).slice(0, 8).map(([key, runs]) => {
    const points = (name) => runs.map((one, at) => `${(1000 * at) / (runs.length - 1)},${78 - 76 * one[name].share}`).join(" ");
    const [first, last] = [runs[0], runs.at(-1)];
    return make("figure", {}, draw("svg", { class: "chart", role: "img", viewBox: "0 0 1000 80", preserveAspectRatio: "none",
      "aria-label": `Accuracy and false positives of ${runs.length} audits` },
    draw("polyline", { class: "line", points: points("accuracy") }), draw("polyline", { class: "line bad", points: points("false_positives") })),
    make("figcaption", { class: "soft" }, text(key), `: accuracy ${percent(first.accuracy.share, 2)} → ${percent(last.accuracy.share, 2)}, false positives (red) ${
      percent(first.false_positives.share, 2)} → ${percent(last.false_positives.share, 2)}`));
  });
}
