"use strict";
// The browser of single replies. Everything a model said enters the page by textContent, so it can only be text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 40;
  const list = document.getElementById("list");
  const status = document.getElementById("status");
  const more = document.getElementById("more");
  const controls = Object.fromEntries(
    ["run", "config", "split", "kind", "find"].map((name) => [name, document.getElementById(`by-${name}`)]),
  );
  const tags = makeTags(data.tags, data);
  let matching = [];
  let shown = 0;

  const make = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined && text !== null) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const words = (kind) => kind.replaceAll("_", " ");

  const fill = (select, values, label = (value) => value) => {
    for (const value of values) {
      const option = make("option", label(value));
      option.value = value;
      select.append(option);
    }
  };
  const distinct = (name) => [...new Set(data.records.map((record) => record[name]))];
  const length = (split) => (/^\d+k$/.test(split) ? Number.parseInt(split, 10) : 1e9);

  fill(controls.run, distinct("run"), (index) => data.runs[index]);
  fill(controls.config, distinct("config"));
  fill(controls.split, distinct("split").sort((a, b) => length(a) - length(b)));
  fill(controls.kind, distinct("kind"), words);

  const fits = (record, wanted, text) =>
    ["run", "config", "split", "kind"].every((name) => wanted[name] === "" || String(record[name]) === wanted[name]) &&
    (text === "" ||
      [record.id, record.text, record.reasoning, record.answer, record.gold].some(
        (part) => part && part.toLowerCase().includes(text),
      ));

  const field = (parent, title, value, className) => {
    if (value === null || value === undefined || value === "") return;
    parent.append(make("h3", title), make("pre", value, className));
  };

  const counts = (record) => {
    const usage = Object.entries(record.usage)
      .filter(([, count]) => count !== null)
      .map(([name, count]) => `${name} ${count.toLocaleString("en")}`);
    return [
      record.finish && `finish: ${record.finish}`,
      usage.length && `tokens: ${usage.join(", ")}`,
      `${record.seconds} s`,
      record.calls !== 1 && `${record.calls} calls`,
      record.cost !== null && `$${record.cost.toFixed(4)}`,
      record.decoy && `decoy given: ${record.decoy.kind}, number ${record.decoy.index}`,
      record.causes.length && `causes: ${record.causes.join(", ")}`,
    ].filter(Boolean).join(" · ");
  };

  const open = (body, record) => {
    const link = make("a", "link");
    link.href = `#${encodeURIComponent(record.id)}`;
    const line = make("p", `${counts(record)} · `, "quiet");
    line.append(link);
    body.append(line);
    if (record.question !== null) field(body, data.asked[record.run], data.questions[record.question]);
    field(body, "Gold", record.gold === "" ? "(none)" : record.gold);
    field(body, "Parsed answer", record.answer === "" ? "(an explicit empty answer)" : record.answer);
    field(body, record.kind === "error" || record.kind === "overlength" ? "Error" : "Why", record.message);
    field(body, "Reply", record.text);
    field(body, "Reasoning (not scored)", record.reasoning);
    const boxes = tags.controls(record);
    if (boxes) body.append(boxes);
  };

  const item = (record) => {
    const details = make("details", null, "reply");
    const summary = make("summary");
    summary.append(make("span", words(record.kind), `badge b-${record.kind}`), make("span", record.id, "mono"));
    if (data.runs.length > 1) summary.append(make("span", data.runs[record.run], "quiet"));
    if (record.repeat > 0) summary.append(make("span", `repeat ${record.repeat + 1}`, "quiet"));
    const said = record.answer ?? record.message ?? "";
    summary.append(make("span", said.length > 90 ? `${said.slice(0, 90)}…` : said, "said quiet"));
    const body = make("div", null, "body");
    details.append(summary, body);
    details.addEventListener("toggle", () => {
      if (details.open && !body.hasChildNodes()) open(body, record);
    });
    return details;
  };

  const showMore = () => {
    list.append(...matching.slice(shown, shown + PAGE).map(item));
    shown = Math.min(shown + PAGE, matching.length);
    more.hidden = shown >= matching.length;
    status.textContent = matching.length
      ? `${shown.toLocaleString("en")} of ${matching.length.toLocaleString("en")} matching replies`
      : "no reply matches";
  };

  const apply = () => {
    const wanted = Object.fromEntries(
      ["run", "config", "split", "kind"].map((name) => [name, controls[name].value]),
    );
    const text = controls.find.value.trim().toLowerCase();
    matching = data.records.filter((record) => fits(record, wanted, text));
    shown = 0;
    list.replaceChildren();
    showMore();
  };

  for (const control of Object.values(controls)) control.addEventListener("input", apply);
  more.addEventListener("click", showMore);
  document.getElementById("replies").hidden = false;

  // A link names one reply: report.html#lex-locate-128k-s42-0007
  const follow = () => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    if (!data.records.some((record) => record.id === id)) return false;
    for (const control of Object.values(controls)) control.value = "";
    controls.find.value = id;
    apply();
    list.firstElementChild.open = true;
    list.scrollIntoView();
    return true;
  };
  addEventListener("hashchange", follow);
  if (!follow()) apply();
})();
