"use strict";
// What all parts of the page's script share. Whatever comes from a model or a data set enters the page by textContent
// or as an attribute that is drawn as text: it can only be text.
const data = JSON.parse(document.getElementById("data").textContent);

// A fixed text in the page's language; {name} stands for a value.
const say = (text, values = {}) =>
  (data.labels?.[text] ?? text).replace(/\{(\w+)\}/g, (slot, name) => values[name] ?? slot);

const make = (name, text, className) => {
  const element = document.createElement(name);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
};

const button = (text, action, title) => {
  const made = make("button", text);
  made.type = "button";
  if (title) made.title = title;
  made.addEventListener("click", action);
  return made;
};

const figure = new Intl.NumberFormat("en").format;

// The first place in a sorted list whose value is greater than `value`.
const firstAfter = (list, value, of = (one) => one) => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(list[middle]) > value) high = middle;
    else low = middle + 1;
  }
  return low;
};

const saveFile = (name, parts) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", ...parts], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
