// Elements without markup in strings: nothing of a book or a label is ever read as HTML.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const state = { texts: {}, language: "en", languages: [], annotators: [], annotator: "", types: [], mode: "" };

export function t(key, values = {}) {
  return (state.texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export async function get(path, query) {
  const reply = await fetch(`${path}?${new URLSearchParams(query)}`);
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error);
  return body;
}

export async function post(what, body) {
  const reply = await fetch(`api/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ annotator: state.annotator, ...body }),
  });
  const answer = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(answer.error), { status: reply.status });
}

export function say(text, bad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = bad ? "bad" : "";
}

export function article(paragraphs, language) {
  return el("section", { class: "article", lang: language, tabindex: "0", "aria-label": t("article") },
    ...paragraphs.map((paragraph) => el("p", {}, paragraph)));
}
