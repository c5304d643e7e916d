// What a person makes of each omission: kept in this browser, and saved as the CSV file that the commands read.
(() => {
  const source = document.getElementById("omissions-data");
  if (!source) return;
  const { csv } = JSON.parse(source.textContent);
  const selects = [...document.querySelectorAll("select[data-key]")];
  const status = document.getElementById("read-omissions");
  const STORE = "lengthwise-omissions";

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? "{}");
    } catch (error) {
      return {}; // no storage for this page: choices live until it is closed
    }
  };
  const store = (choices) => {
    try {
      localStorage.setItem(STORE, JSON.stringify(choices));
    } catch (error) {
      status.dataset.lost = "yes";
    }
  };

  const count = () => {
    const chosen = selects.map((select) => select.value).filter(Boolean);
    const yes = chosen.filter((value) => value === "yes").length;
    const read = { n: figure(chosen.length), all: figure(selects.length), yes: figure(yes) };
    const lost = status.dataset.lost && say("this browser keeps no choices, so save before you leave");
    status.textContent = [say("{n} of {all} read, {yes} suggest batches", read), lost].filter(Boolean).join("; ");
  };

  const before = stored();
  for (const select of selects) {
    if (before[select.dataset.key] !== undefined) select.value = before[select.dataset.key];
    select.addEventListener("input", () => {
      store({ ...stored(), [select.dataset.key]: select.value });
      count();
    });
  }

  // The second column of a line is the person's; the first, the key, never needs quoting.
  const filled = () => {
    const choices = Object.fromEntries(selects.map((select) => [select.dataset.key, select.value]));
    const lines = [];
    let quoted = false;
    for (const line of csv.split("\n")) {
      const parts = /^(o-[0-9a-f]{16}),(?:yes|no)?,(.*)$/.exec(line);
      lines.push(!quoted && parts && parts[1] in choices ? `${parts[1]},${choices[parts[1]]},${parts[2]}` : line);
      if ((line.match(/"/g) ?? []).length % 2) quoted = !quoted;
    }
    return lines.join("\n");
  };

  document.getElementById("save-omissions").addEventListener("click", () => {
    saveFile("omissions.csv", [filled()]);
  });
  document.getElementById("omission-controls").hidden = false;
  count();
})();
