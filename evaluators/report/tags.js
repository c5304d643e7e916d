// What a person makes of replies: a flag on any, and of LongNovel's that are not right the three patterns of appendix I
// that no rule finds. Kept in this browser, and saved as the CSV file that the commands read.
const makeTags = () => {
  const about = data.tags;
  const STORE = "lengthwise-tags";
  const NONE = "none";
  const names = Object.keys(about.names);
  const status = make("span", "", "quiet");
  status.setAttribute("role", "status");
  let lost = false;
  let changed = () => {};

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "{}");
    } catch (error) {
      return {}; // no storage for this page: tags live until it is closed
    }
  };
  const here = new Map();
  for (const record of data.records) if (record.key && !here.has(record.key)) here.set(record.key, record);
  const canBeRead = (record) => data.tagged[record.run] && record.kind !== "correct";
  const readable = [...here.values()].filter(canBeRead);
  // Of the file that the page was made with, then of this browser.
  const tags = new Map(Object.entries(about.given).map(([key, given]) => [key, new Set(given)]));
  for (const [key, given] of Object.entries(stored())) if (here.has(key)) tags.set(key, new Set(given));

  const of = (record) => tags.get(record.key) ?? new Set();
  const isRead = (record) => names.some((name) => of(record).has(name));
  const isFlagged = (record) => of(record).has(about.flag);

  const count = () => {
    const read = { n: figure(readable.filter(isRead).length), all: figure(readable.length) };
    const flagged = [...here.values()].filter(isFlagged).length;
    status.textContent = [
      readable.length && say("{n} of {all} read", read),
      flagged && say("{n} flagged", { n: figure(flagged) }),
      lost && say("this browser keeps no tags, so save before you leave"),
    ].filter(Boolean).join("; ");
  };
  const keep = (key, given) => {
    tags.set(key, given);
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...stored(), [key]: [...given] }));
    } catch (error) {
      lost = true;
    }
    count();
    changed();
  };

  const box = (name, text, title, record) => {
    const label = make("label");
    const input = make("input");
    input.type = "checkbox";
    input.value = name;
    input.checked = of(record).has(name);
    label.title = title;
    label.append(input, ` ${text}`);
    return label;
  };
  // "None of these" stands alone among the patterns; a flag has nothing to do with them.
  const controls = (record) => {
    if (!record.key) return null;
    const fieldset = make("fieldset", null, "tags");
    const shown = canBeRead(record) ? names : [];
    fieldset.append(make("legend", shown.length ? say("What went wrong, as you read it") : say("Your tags")));
    for (const name of shown) fieldset.append(box(name, say(about.names[name][0]), say(about.names[name][1]), record));
    fieldset.append(box(about.flag, say("flag"), say("to find it again"), record));
    fieldset.addEventListener("change", ({ target }) => {
      const boxes = [...fieldset.querySelectorAll("input")];
      for (const other of boxes) {
        const apart = target.value !== about.flag && other.value !== about.flag;
        if (target.checked && apart && (target.value === NONE) !== (other.value === NONE)) other.checked = false;
      }
      keep(record.key, new Set(boxes.filter((one) => one.checked).map((one) => one.value)));
    });
    return fieldset;
  };
  const toggleFlag = (record) => {
    if (!record.key) return;
    const given = new Set(of(record));
    if (!given.delete(about.flag)) given.add(about.flag);
    keep(record.key, given);
  };

  const cell = (value) => (/[",\n;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const file = () => {
    const lines = [about.columns.join(",")];
    for (const [key, given] of tags) {
      const record = here.get(key);
      const place = record ? [record.id, String(record.repeat), data.runs[record.run]] : ["", "", ""];
      for (const tag of given) lines.push([key, tag, ...place].map(cell).join(","));
    }
    return `${lines.join("\n")}\n`;
  };
  const save = button(say("save tags.csv"), () => saveFile("tags.csv", [file()]));
  save.id = "save-tags";

  count();
  return {
    controls, of, isRead, isFlagged, toggleFlag, save, status,
    names: [...(readable.length ? names : []), about.flag],
    nameOf: (name) => say(name === about.flag ? "flag" : about.names[name][0]),
    hasReadable: readable.length > 0,
    onChange: (action) => { changed = action; },
  };
};
