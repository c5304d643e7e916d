import { article, el, post, say, state, t } from "./dom.js";

const WAIT = 400;
const empty = () => ({ hallucinated: null, sentences: [], types: [], explanation: "" });
const plain = (one) => ({ ...one, sentences: one.sentences.map((marked) => marked.index ?? marked) });

export function render(main, pair, refresh) {
  const revealed = pair.open;
  const deciding = revealed !== null && revealed.missing === 0;
  // A decision begins with one's own label: to take the construction's is a choice of its own.
  const start = revealed?.decision ?? pair.own ?? [empty(), empty()];
  const sides = start.map(plain);
  const writable = revealed === null || deciding;
  const forms = pair.sides.map((side, place) => form(pair, side, place, sides[place], writable, changed));
  let active = 0;
  let timer = 0;

  function changed(place) {
    activate(place);
    if (revealed !== null) return say(t("unsaved"));
    clearTimeout(timer);
    timer = setTimeout(() => keep().catch(lost), WAIT);
  }

  async function keep() {
    timer = 0;
    await post("draft", { id: pair.id, sides });
    say(t("draft-saved"));
    await refresh(false);
  }

  function lost(error) {
    say(`${t("not-saved")}: ${error.message}`, true);
  }

  async function leave() {
    if (!timer) return;
    clearTimeout(timer);
    await keep();
  }

  function gap() {
    for (const [place, one] of sides.entries()) {
      const name = pair.sides[place].name;
      if (one.hallucinated === null) return t("missing-presence", { name });
      if (!one.hallucinated) continue;
      if (!one.sentences.length) return t("missing-sentences", { name });
      if (!one.types.length) return t("missing-types", { name });
      if (!one.explanation.trim()) return t("missing-explanation", { name });
    }
    return "";
  }

  async function submit() {
    if (!writable) return;
    const missing = gap();
    if (missing) return say(missing, true);
    clearTimeout(timer);
    timer = 0;
    try {
      await post(revealed === null ? "label" : "decision", { id: pair.id, sides });
    } catch (error) {
      return lost(error);
    }
    await refresh(true);
    say(t(revealed === null ? "label-saved" : "decision-saved"));
  }

  function activate(place) {
    active = place;
    forms.forEach((one, index) => one.root.classList.toggle("active", index === place));
  }

  function key(name) {
    const form = forms[active];
    if (name === "a" || name === "b") {
      activate(name === "a" ? 0 : 1);
      forms[active].root.scrollIntoView({ block: "nearest" });
    } else if (writable && (name === "f" || name === "h")) form.presence(name === "h");
    else if (writable && name >= "1" && name <= "8" && name.length === 1) form.type(state.types[Number(name) - 1]);
    else if (writable && name === "e") form.explain();
    else return false;
    return true;
  }

  const below = revealed === null
    ? el("div", { class: "submit" }, el("p", { class: "quiet" }, t("blind")), button("save-label", submit))
    : after(pair, revealed, submit, deciding, () => {
      truths(revealed).forEach((one, place) => forms[place].set(one));
      say(t("unsaved"));
    });
  together(forms.map((one) => one.text));
  main.replaceChildren(el("div", { class: "pair" }, article(pair.article, pair.language),
    el("div", { class: "work" }, el("div", { class: "sides" }, ...forms.map((one) => one.root)), below)));
  activate(0);
  say("");
  const place = main.querySelector(".sentence.injected");
  if (place) place.parentElement.scrollTop = place.offsetTop - 40;
  return { submit, key, leave };
}

function button(name, act, quiet = false) {
  return el("button", { type: "button", id: name, class: quiet ? "" : "main", onclick: act }, t(name));
}

function truths(revealed) {
  return revealed.truth.map((one) => ({
    hallucinated: one.hallucinated, sentences: [...one.places], types: [...one.types],
    explanation: one.hallucinated ? one.reason : "",
  }));
}

function form(pair, side, place, said, writable, changed) {
  const truth = pair.open?.truth[place];
  const sentences = new Map();
  const text = el("div", { class: "text", lang: pair.language });
  for (const piece of side.pieces) {
    if (piece.sentence === null) {
      text.append(piece.text);
      continue;
    }
    const index = piece.sentence;
    const made = el("span", {
      class: truth?.places.includes(index) ? "sentence injected" : "sentence", "data-sentence": index,
      ...(writable ? { role: "checkbox", tabindex: "0", onclick: () => mark(index),
        onkeydown: (event) => {
          if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === " ") {
            event.preventDefault();
            mark(index);
          }
        } } : {}),
    }, piece.text);
    sentences.set(index, made);
    text.append(made);
  }
  const radio = (value, name) => el("button", { type: "button", class: `presence ${name}`, role: "radio",
    disabled: !writable, "data-value": String(value), onclick: () => presence(value) }, t(name));
  const radios = [radio(false, "faithful"), radio(true, "hallucinated")];
  const types = state.types.map((kind, number) => el("button", { type: "button", class: "type", role: "checkbox",
    disabled: !writable, "data-type": kind, onclick: () => type(kind) },
  el("kbd", {}, String(number + 1)), t(`type-${kind}`)));
  const why = el("textarea", { rows: "3", readonly: !writable, "aria-label": t("explanation"),
    placeholder: t("explanation"), value: said.explanation,
    oninput: () => { said.explanation = why.value; changed(place); } });

  function draw() {
    for (const [index, made] of sentences) made.setAttribute("aria-checked", String(said.sentences.includes(index)));
    for (const one of radios) one.setAttribute("aria-checked", String(one.dataset.value === String(said.hallucinated)));
    for (const one of types) one.setAttribute("aria-checked", String(said.types.includes(one.dataset.type)));
    root.classList.toggle("plain", said.hallucinated === false);
  }

  function toggle(values, value, order) {
    const at = values.indexOf(value);
    if (at >= 0) values.splice(at, 1);
    else values.push(value);
    values.sort((one, other) => order(one) - order(other));
    // Whoever marks an error has said that there is one.
    if (at < 0) said.hallucinated = true;
    draw();
    changed(place);
  }

  const mark = (index) => toggle(said.sentences, index, (one) => one);
  const type = (kind) => toggle(said.types, kind, (one) => state.types.indexOf(one));

  function presence(value) {
    said.hallucinated = value;
    if (!value) {
      said.sentences.length = 0;
      said.types.length = 0;
    }
    draw();
    changed(place);
  }

  function set(other) {
    Object.assign(said, other);
    why.value = said.explanation;
    draw();
  }

  const root = el("section", { class: "side", "data-side": side.name, onfocusin: () => activateBy(root) },
    el("h2", {}, t("summary", { name: side.name })),
    text,
    truth ? shownTruth(truth) : null,
    writable ? el("div", { class: "form" },
      el("div", { class: "choice", role: "radiogroup", "aria-label": t("presence") }, ...radios),
      el("p", { class: "quiet" }, t("sentences-hint")),
      el("div", { class: "choice types", role: "group", "aria-label": t("types") }, ...types),
      why) : null,
    pair.open ? said_by(pair, place) : null);
  draw();
  return { root, text, presence, type, set, explain: () => why.focus() };
}

// The two texts say nearly the same: they scroll as one.
function together(texts) {
  texts.forEach((one, place) => one.addEventListener("scroll", () => {
    const other = texts[1 - place];
    if (one.matches(":hover, :focus-within") || !other.matches(":hover, :focus-within")) {
      const share = one.scrollTop / Math.max(1, one.scrollHeight - one.clientHeight);
      const goal = Math.round(share * (other.scrollHeight - other.clientHeight));
      if (Math.abs(other.scrollTop - goal) > 1) other.scrollTop = goal;
    }
  }));
}

function activateBy(root) {
  for (const one of root.parentElement?.children ?? []) one.classList.toggle("active", one === root);
}

function shownTruth(truth) {
  const lines = truth.injections.map((one) => el("li", {}, el("b", {}, t("truth-injected", { type: t(`type-${one.type}`) })),
    el("q", {}, one.hallucinated),
    el("span", {}, one.original ? t("truth-original", { text: one.original }) : t("truth-added"))));
  return el("div", { class: "truth" }, el("h3", {}, t("truth")),
    lines.length ? el("ul", {}, ...lines) : el("p", {}, t("truth-faithful")));
}

function said_by(pair, place) {
  const line = ([who, given]) => {
    const one = given[place];
    const what = one.hallucinated ? `${t("hallucinated")}: ${one.types.map((kind) => t(`type-${kind}`)).join(", ")}` : t("faithful");
    return el("li", {}, el("b", {}, who), ` ${what}`, ...one.sentences.map((marked) => el("q", {}, marked.text)),
      one.explanation ? el("span", {}, one.explanation) : null);
  };
  return el("div", { class: "labels" }, el("h3", {}, t("labels")), el("ul", {}, ...Object.entries(pair.open.labels).map(line)));
}

function after(pair, revealed, submit, deciding, take) {
  const count = Object.keys(revealed.labels).length;
  const differ = revealed.differ.map((one) => t(`differ-${one}`)).join(state.language === "zh" ? "、" : ", ");
  return el("div", { class: "submit" },
    el("h2", {}, t("decision")),
    count > 1 ? el("p", { class: differ ? "differ" : "" }, differ ? t("differ", { what: differ }) : t("agree")) : null,
    deciding ? el("p", { class: "quiet" }, t("decision-hint")) : el("p", { class: "quiet" }, t("decision-waits", { count: revealed.missing })),
    revealed.decided_by ? el("p", { class: "decided" }, t("decided-by", { who: revealed.decided_by })) : null,
    deciding ? el("div", { class: "choice" }, button("save-decision", submit), button("take-truth", take, true)) : null);
}
