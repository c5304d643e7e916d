import { article, el, post, say, t } from "./dom.js";

const WAIT = 600;

export function render(main, unit, refresh) {
  const base = unit.versions.length;
  let timer = 0;
  const text = el("textarea", { id: "text", lang: unit.language, "aria-label": t("current-summary"), value: unit.draft ?? unit.summary,
    oninput: () => { draw(); clearTimeout(timer); timer = setTimeout(() => keep().catch(lost), WAIT); } });
  const save = el("button", { type: "button", id: "save-version", class: "main", onclick: submit });
  const again = el("button", { type: "button", id: "reload", hidden: true, onclick: () => refresh(true) }, t("reload"));

  function draw() {
    const same = unit.summary !== "" && text.value === unit.summary;
    save.textContent = t(same ? "keep-version" : "save-version");
    save.disabled = !text.value.trim();
  }

  async function keep() {
    clearTimeout(timer);
    timer = 0;
    await post("draft", { id: unit.id, text: text.value });
    say(t("draft-saved"));
  }

  function lost(error) {
    say(`${t("not-saved")}: ${error.message}`, true);
  }

  async function submit() {
    if (save.disabled) return;
    clearTimeout(timer);
    timer = 0;
    try {
      await post("version", { id: unit.id, text: text.value, base });
    } catch (error) {
      again.hidden = error.status !== 409;
      return lost(error.status === 409 ? new Error(t("stale")) : error);
    }
    await refresh(true);
    say(t("version-saved"));
  }

  async function leave() {
    if (timer) await keep();
  }

  function key(name) {
    if (name !== "e") return false;
    text.focus();
    return true;
  }

  const versions = unit.versions.map((one, place) => el("li", {},
    el("b", {}, t("version-by", { number: place + 1, author: one.author, time: one.time || t("from-source") })),
    el("p", { lang: unit.language }, one.text)));
  main.replaceChildren(el("div", { class: "pair" }, article(unit.article, unit.language),
    el("div", { class: "work" },
      el("section", { class: "side active" },
        el("h2", {}, `${t("current-summary")}: ${unit.book} ${unit.unit}${unit.title ? ` · ${unit.title}` : ""}`),
        el("p", { class: "quiet" }, base === 0 ? t("no-summary") : unit.left ? t("revisers-left", { count: unit.left }) : t("revisers-none")),
        text, el("div", { class: "choice" }, save, again)),
      el("section", { class: "side" }, el("h2", {}, t("history")), el("ol", { class: "versions" }, ...versions.reverse())))));
  draw();
  say("");
  return { submit, key, leave };
}
