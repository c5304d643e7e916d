"use strict";
// What a person makes of replies that are not right (the three patterns of appendix I that no rule finds): boxes in the reply
// browser, kept in this browser, and saved as the CSV file that the commands read.
const makeTags = (about, data) => {
  if (!about) return { controls: () => null };
  const status = document.getElementById("read-tags");
  const STORE = "lengthwise-tags";
  const NONE = "none";
  const names = Object.keys(about.names);
  let lost = false;

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "{}");
    } catch (error) {
      return {}; // no storage for this page: tags live until it is closed
    }
  };
  const here = new Map();
  for (const record of data.records) if (record.key && !here.has(record.key)) here.set(record.key, record);
  // Of the file that the page was made with, then of this browser.
  const tags = new Map(Object.entries(about.given).map(([key, given]) => [key, new Set(given)]));
  for (const [key, given] of Object.entries(stored())) if (here.has(key)) tags.set(key, new Set(given));

  const keep = (key) => {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...stored(), [key]: [...tags.get(key)] }));
    } catch (error) {
      lost = true;
    }
  };
  const count = () => {
    const read = [...here.keys()].filter((key) => tags.get(key)?.size).length;
    const kept = lost ? "; this browser keeps no tags, so save before you leave" : "";
    status.textContent = `${read.toLocaleString("en")} of ${here.size.toLocaleString("en")} read${kept}`;
  };

  const controls = (record) => {
    if (!record.key) return null;
    const fieldset = document.createElement("fieldset");
    fieldset.className = "tags";
    const legend = document.createElement("legend");
    legend.textContent = "What went wrong, as you read it";
    fieldset.append(legend);
    const boxes = names.map((name) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.value = name;
      box.checked = tags.get(record.key)?.has(name) ?? false;
      label.title = about.names[name][1];
      label.append(box, ` ${about.names[name][0]}`);
      fieldset.append(label);
      return box;
    });
    fieldset.addEventListener("change", (event) => {
      // "None of these" stands alone.
      for (const box of boxes) {
        if (event.target.checked && (event.target.value === NONE) !== (box.value === NONE)) box.checked = false;
      }
      tags.set(record.key, new Set(boxes.filter((box) => box.checked).map((box) => box.value)));
      keep(record.key);
      count();
    });
    return fieldset;
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
  document.getElementById("save-tags").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", file()], { type: "text/csv" }));
    link.download = "tags.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  document.getElementById("tag-controls").hidden = false;
  count();
  return { controls };
};
