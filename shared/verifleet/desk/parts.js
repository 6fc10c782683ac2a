// What all parts of the desk are made of: asking, and nodes. Every text of a report reaches the page as text alone: nodes
// are made by `make`, which knows no markup, and a link is only made of an http or https address.

export const AGAIN_MS = 1500;
export const $ = (id) => document.getElementById(id);
const session = new URLSearchParams(location.search).get("session_id");

// --- asking -------------------------------------------------------------------

export function address(path, given = {}) {
  const params = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "" && value != null));
  if (session) params.set("session_id", session);
  return `${path}${params.size ? "?" : ""}${params}`;
}

export async function ask(path, given, body) {
  const sent = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(address(path, given), sent || { headers: { Accept: "application/json" } });
  } catch {
    throw new Error("The desk does not answer just now.");
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const error = new Error(told.error?.message || `The desk answers ${answer.status}.`);
    error.status = answer.status;
    throw error;
  }
  return told;
}

// Whether what failed may go well later: nobody answered, or said that it is away.
export const passing = (error) => !error.status || error.status >= 500;

// --- making nodes -------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

function made(node, given, children) {
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export const make = (name, given = {}, ...children) => made(document.createElement(name), given, children);
export const draw = (name, given = {}, ...children) => made(document.createElementNS(SVG, name), given, children);

// A text of a report: in a box of its own, so that what turns its direction turns nothing beside it.
export const text = (value, name = "span") => make(name, { class: "text", dir: "auto" }, String(value ?? ""));
export const badge = (word) => make("span", { class: `badge ${/^[a-z]+$/.test(word) ? word : ""}` }, word);

export function link(url) {
  if (!url) return "";
  let parsed = null;
  try { parsed = new URL(url); } catch { /* it is no address */ }
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return text(url);
  return make("a", { href: parsed.href, target: "_blank", rel: "noopener noreferrer nofollow", class: "text" }, url);
}

export function time(iso) {
  if (!iso) return "";
  const moment = new Date(iso);
  const parts = moment.toISOString();
  const today = parts.slice(0, 10) === new Date().toISOString().slice(0, 10);
  const told = `${today ? "" : `${parts.slice(0, 10)} `}${parts.slice(11, 16)} UTC`;
  return make("time", { datetime: parts, title: moment.toLocaleString() }, told);
}

export function say(words) { $("said").textContent = words; }
export const place = (row) => row.location || "place unknown";
