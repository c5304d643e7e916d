// Which replies the list shows: any of several outcomes, and one run, config, length, language, cause, tag, and a text.
const makeFilters = (parent, tags, changed) => {
  const distinct = (values) => [...new Set(values)];
  const lengthOf = (split) => {
    const found = /^n?(\d+)k?$/.exec(split);
    return found ? Number(found[1]) : Infinity;
  };
  const UNTAGGED = "(untagged)";

  // What a reply must have of each: its values, and whether it has one of them.
  const choices = [
    { name: "benchmark", values: distinct(data.benchmarks), of: (record) => [data.benchmarks[record.run]] },
    { name: "run", values: data.runs.map((_, run) => String(run)), of: (record) => [String(record.run)], title: (run) => data.runs[run] },
    { name: "config", values: distinct(data.records.map((record) => record.config)), of: (record) => [record.config] },
    {
      name: "length",
      values: distinct(data.records.map((record) => record.split)).sort((a, b) => lengthOf(a) - lengthOf(b)),
      of: (record) => [record.split],
    },
    {
      name: "language",
      values: distinct(data.records.map((record) => record.language)).filter(Boolean).sort(),
      of: (record) => [record.language],
      title: (language) => say({ en: "English", zh: "Chinese" }[language] ?? language),
    },
    {
      name: "cause",
      values: distinct(data.records.flatMap((record) => record.causes)).sort(),
      of: (record) => record.causes,
      title: (cause) => say(cause),
      always: true,
    },
    {
      name: "tag",
      values: [...tags.names, UNTAGGED],
      of: (record) => {
        const given = [...tags.of(record)];
        return given.length ? given : [UNTAGGED];
      },
      title: (name) => (name === UNTAGGED ? say(UNTAGGED) : tags.nameOf(name)),
      always: true,
    },
  ].filter((one) => one.values.length > (one.always ? 0 : 1));

  const option = (value, text) => {
    const made = make("option", text);
    made.value = value;
    return made;
  };
  const row = make("div", null, "controls");
  for (const one of choices) {
    one.select = make("select");
    one.select.id = `by-${one.name}`;
    one.select.append(option("", say("all")));
    for (const value of one.values) one.select.append(option(value, one.title?.(value) ?? value));
    const label = make("label", say(one.name));
    label.append(one.select);
    one.select.addEventListener("input", () => apply());
    row.append(label);
  }
  const find = make("input");
  find.type = "search";
  find.id = "by-find";
  find.autocomplete = "off";
  const label = make("label", say("text"));
  label.append(find);
  row.append(label);
  let timer;
  find.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => apply(), 120);
  });

  const there = new Set(data.records.map((record) => record.kind));
  const kinds = data.outcomes.filter((kind) => there.has(kind));
  const chosen = new Set();
  const chips = make("div", null, "chips");
  chips.setAttribute("role", "group");
  chips.setAttribute("aria-label", say("outcome"));
  const chip = (text, className, action) => {
    const made = button("", action);
    const number = make("small");
    made.className = `chip ${className}`;
    made.append(text, " ", number);
    chips.append(made);
    return { made, number };
  };
  const wrongKinds = kinds.filter((kind) => kind !== "correct");
  const isNotCorrect = () => wrongKinds.length === chosen.size && wrongKinds.every((kind) => chosen.has(kind));
  const choose = (wanted) => {
    chosen.clear();
    for (const kind of wanted) chosen.add(kind);
    apply();
  };
  const every = chip(say("all"), "", () => choose([]));
  const wrong = wrongKinds.length && wrongKinds.length < kinds.length ? chip(say("not correct"), "", () => choose(wrongKinds)) : null;
  const ofKind = new Map(
    kinds.map((kind) => [kind, chip(wordsOf(kind), `b-${kind} dotted`, () => {
      if (!chosen.delete(kind)) chosen.add(kind);
      apply();
    })]),
  );

  const has = (record, text) =>
    [record.id, record.text, record.reasoning, record.answer, record.gold].some((part) => part?.toLowerCase().includes(text));
  let matching = [];
  const apply = () => {
    const text = find.value.trim().toLowerCase();
    const wanted = choices.filter((one) => one.select.value !== "");
    const others = data.records.filter(
      (record) => wanted.every((one) => one.of(record).includes(one.select.value)) && (text === "" || has(record, text)),
    );
    matching = others.filter((record) => chosen.size === 0 || chosen.has(record.kind));
    const counts = new Map();
    for (const record of others) counts.set(record.kind, (counts.get(record.kind) ?? 0) + 1);
    const show = (one, count, pressed) => {
      one.number.textContent = figure(count);
      one.made.setAttribute("aria-pressed", String(pressed));
    };
    show(every, others.length, chosen.size === 0);
    if (wrong) show(wrong, others.length - (counts.get("correct") ?? 0), isNotCorrect());
    for (const [kind, one] of ofKind) show(one, counts.get(kind) ?? 0, chosen.has(kind));
    changed();
  };
  const clear = () => {
    for (const one of choices) one.select.value = "";
    find.value = "";
    choose([]);
  };
  parent.append(chips, row);
  return { apply, clear, matching: () => matching };
};
