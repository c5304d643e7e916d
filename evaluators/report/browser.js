// The list of single replies, each of which opens in the reader. The address names the one that is open:
// report.html#lex-locate-128k-s42-0007 or, with its run and repeat, ...#lex-locate-128k-s42-0007~0~2.
(() => {
  const PAGE = 50;
  const list = document.getElementById("list");
  const status = document.getElementById("status");
  const more = document.getElementById("more");
  const tags = makeTags();
  const records = new WeakMap(); // of the rows of the list
  let shown = 0;

  const addressOf = (record) => `#${encodeURIComponent(record.id)}~${record.run}~${record.repeat}`;
  const named = (hash) => {
    let name = hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    const [, id, run, repeat] = /^(.*)~(\d+)~(\d+)$/s.exec(name) ?? [];
    const exact = (record) => record.id === id && record.run === Number(run) && record.repeat === Number(repeat);
    return data.records.find((record) => record.id === name) ?? data.records.find(exact);
  };

  const item = (record) => {
    const row = make("a", null, "reply");
    row.href = addressOf(record);
    records.set(row, record);
    row.append(badge(record.kind), make("span", record.id, "mono"));
    if (data.runs.length > 1) row.append(make("span", data.runs[record.run], "quiet"));
    if (record.repeat > 0) row.append(make("span", say("repeat {n}", { n: record.repeat + 1 }), "quiet"));
    const given = tags.of(record);
    if (given.size) row.append(make("span", [...given].map(tags.nameOf).join(", "), "given"));
    const said = record.answer ?? record.message ?? "";
    row.append(make("span", said.length > 90 ? `${said.slice(0, 90)}…` : said, "said quiet"));
    return row;
  };
  const showMore = () => {
    const matching = filters.matching();
    list.append(...matching.slice(shown, shown + PAGE).map(item));
    shown = Math.min(shown + PAGE, matching.length);
    more.hidden = shown >= matching.length;
    status.textContent = matching.length
      ? say("{n} of {all} matching replies", { n: figure(shown), all: figure(matching.length) })
      : say("no reply matches");
  };
  const filters = makeFilters(document.getElementById("filters"), tags, () => {
    shown = 0;
    list.replaceChildren();
    showMore();
  });
  more.textContent = say("show more");
  more.addEventListener("click", showMore);
  const kept = make("p");
  kept.append(tags.save, " ", tags.status);
  document.getElementById("filters").append(kept);
  tags.onChange(() => {
    // What is shown of the tags may be out of date; the list itself stays, lest it move under the reader.
    for (const row of [...list.children]) row.replaceWith(item(records.get(row)));
  });

  const reader = makeReader(tags, {
    neighbours: () => filters.matching(),
    went: (record) => history.replaceState(null, "", addressOf(record)),
    closed: () => history.replaceState(null, "", "#replies"),
  });
  const follow = () => {
    const record = named(location.hash);
    if (!record) {
      reader.close();
      // What the address names was hidden when the browser looked for it.
      if (location.hash === "#replies") document.getElementById("replies").scrollIntoView();
      return;
    }
    if (!filters.matching().includes(record)) filters.clear();
    reader.open(record);
  };
  document.getElementById("replies").hidden = false;
  filters.apply();
  addEventListener("hashchange", follow);
  follow();
})();
