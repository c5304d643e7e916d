import { article, el, post, say, state, t } from "./dom.js";

export function render(main, unit, refresh) {
  const base = unit.versions.length;
  const text = el("textarea", { id: "text", lang: unit.language, "aria-label": t("current-summary"), value: unit.summary,
    oninput: () => { draw(); say(text.value === unit.summary ? "" : t("unsaved")); } });
  const save = el("button", { type: "button", id: "save-version", class: "main", onclick: submit });
  const again = el("button", { type: "button", id: "reload", hidden: true, onclick: () => refresh(true) }, t("reload"));

  function draw() {
    const same = unit.summary !== "" && text.value === unit.summary;
    save.textContent = t(same ? "keep-version" : "save-version");
    save.disabled = !text.value.trim();
  }

  async function submit() {
    if (save.disabled) return;
    try {
      await post("version", { id: unit.id, text: text.value, base });
    } catch (error) {
      again.hidden = error.status !== 409;
      return say(`${t("not-saved")}: ${error.status === 409 ? t("stale") : error.message}`, true);
    }
    await refresh(true);
    say(t("version-saved"));
  }

  // Going elsewhere with words unsaved would lose them.
  async function leave() {
    if (text.value.trim() && text.value !== unit.summary) await post("version", { id: unit.id, text: text.value, base });
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
