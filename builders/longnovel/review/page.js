import { el, get, say, state, t } from "./dom.js";
import * as pairs from "./pairs.js";
import * as summaries from "./summaries.js";

const FINISHED = { pairs: ["labelled", "decided"], summaries: ["finished"] };
let list = [];
let current = "";
let filter = "all";
let view = null;

function chosen() {
  if (filter === "todo") return list.filter((one) => !FINISHED[state.mode].includes(one.state));
  if (filter === "differ") return list.filter((one) => one.differ?.length && one.state !== "decided");
  return list;
}

function remember() {
  const query = new URLSearchParams({ annotator: state.annotator, language: state.language });
  history.replaceState(null, "", `?${query}#${encodeURIComponent(current)}`);
}

function named(one) {
  const what = state.mode === "pairs" ? `${one.scale.toUpperCase()} ${one.language} · ${one.book}`
    : `${one.book} ${one.unit}${one.title ? ` · ${one.title}` : ""}`;
  return `${list.indexOf(one) + 1}. ${what} · ${t(`state-${one.state}`)}${one.differ?.length ? " ≠" : ""}`;
}

function bar() {
  const shown = chosen();
  const place = shown.findIndex((one) => one.id === current);
  const done = list.filter((one) => FINISHED[state.mode].includes(one.state)).length;
  const option = (value, text, on) => el("option", { value, selected: on }, text);
  const filters = state.mode === "pairs" ? ["all", "todo", "differ"] : ["all", "todo"];
  const listed = shown.map((one) => option(one.id, named(one), one.id === current));
  if (place < 0 && current) listed.unshift(option(current, named(list.find((one) => one.id === current)), true));
  const helping = document.querySelector(".keys")?.open;
  document.getElementById("bar").replaceChildren(
    el("h1", {}, t("title")),
    el("div", { class: "walk" },
      el("button", { id: "previous", type: "button", onclick: () => go(-1), "aria-keyshortcuts": "k" }, `‹ ${t("previous")}`),
      el("select", { id: "which", "aria-label": t(state.mode === "pairs" ? "pairs" : "units"),
        onchange: (event) => open(event.target.value) }, ...listed),
      el("button", { id: "next", type: "button", onclick: () => go(1), "aria-keyshortcuts": "j" }, `${t("next")} ›`)),
    el("label", {}, t("show"), el("select", { id: "filter", onchange: (event) => refilter(event.target.value) },
      ...filters.map((one) => option(one, t(`filter-${one}`), one === filter)))),
    el("span", { class: "done" }, t("done-of", { done, all: list.length })),
    el("label", {}, t("annotator"), el("select", { id: "annotator", onchange: (event) => become(event.target.value) },
      ...state.annotators.map((one) => option(one, one, one === state.annotator)))),
    el("label", {}, t("language"), el("select", { id: "language", onchange: (event) => speak(event.target.value) },
      ...state.languages.map((one) => option(one, { en: "English", zh: "中文" }[one], one === state.language)))),
    el("details", { class: "keys", open: helping }, el("summary", {}, t("keys")), el("p", {}, t(`keys-${state.mode}`))));
}

async function open(id) {
  await view?.leave?.();
  current = id;
  remember();
  await show();
}

async function show() {
  const main = document.getElementById("main");
  if (!current) {
    main.replaceChildren(el("p", { class: "quiet" }, t("nothing")));
    view = null;
  } else {
    const one = await get("api/one", { annotator: state.annotator, id: current });
    view = (state.mode === "pairs" ? pairs : summaries).render(main, one, refresh);
  }
  bar();
  main.dataset.shown = current;
}

// What was saved may change the list and what may be seen.
async function refresh(anew) {
  list = await get("api/list", { annotator: state.annotator });
  if (anew) await show();
  else bar();
}

function go(step) {
  const shown = chosen();
  const place = shown.findIndex((one) => one.id === current);
  const next = shown[place < 0 ? 0 : Math.min(Math.max(place + step, 0), shown.length - 1)];
  if (next && next.id !== current) open(next.id).catch(failed);
}

function refilter(value) {
  filter = value;
  const shown = chosen();
  if (!shown.some((one) => one.id === current) && shown.length) open(shown[0].id).catch(failed);
  else bar();
}

async function become(name) {
  await view?.leave?.();
  state.annotator = name;
  await refresh(false);
  await open(current);
}

async function speak(language) {
  await view?.leave?.();
  state.language = language;
  Object.assign(state, await get("api/start", { language }));
  document.documentElement.lang = language;
  document.title = t("title");
  remember();
  await show();
}

function failed(error) {
  say(`${t("not-saved")}: ${error.message}`, true);
}

window.addEventListener("unhandledrejection", (event) => failed(event.reason));
document.addEventListener("keydown", (event) => {
  const writing = event.target.matches("textarea, input, select");
  if (event.key === "Escape" && writing) event.target.blur();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) view?.submit();
  else if (!writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const key = event.key.toLowerCase();
    if (key === "j") go(1);
    else if (key === "k") go(-1);
    else if (view?.key(key)) event.preventDefault();
  }
});

const asked = new URLSearchParams(location.search);
Object.assign(state, await get("api/start", asked.has("language") ? { language: asked.get("language") } : {}));
state.annotator = state.annotators.includes(asked.get("annotator")) ? asked.get("annotator") : state.annotators[0];
document.documentElement.lang = state.language;
document.title = t("title");
list = await get("api/list", { annotator: state.annotator });
const wanted = decodeURIComponent(location.hash.slice(1));
const first = list.find((one) => one.id === wanted)
  ?? list.find((one) => !FINISHED[state.mode].includes(one.state)) ?? list[0];
await open(first?.id ?? "");
