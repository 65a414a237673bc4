// Keys: `data-key` presses a button, `g` and a letter opens a page (`data-go`), `?` lists them. What was reached by Tab
// comes first: Enter and space press it. Arrows move a slider that has the focus.
(() => {
  const typing = (e) => e.target.closest && e.target.closest("input, textarea, select, [contenteditable=true]");
  const pressed = "button, a, [role=button], [role=switch], [role=checkbox], [role=combobox], [data-pick], [data-step]";
  const steers = "[role=slider], [role=listbox], [role=tree], .q-menu";
  const live = (el) => el && !el.disabled && el.offsetParent !== null;
  let going = 0, tabbed = false;  // whether the focus was moved by Tab, and not by a click
  addEventListener("pointerdown", () => { tabbed = false; }, true);
  addEventListener("keydown", (e) => {
    if (e.key === "Tab") tabbed = true;
    if (e.key === "Escape") document.getElementById("lab-keys")?.remove();
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
    if (e.key.startsWith("Arrow") && e.target.closest(steers)) return;
    if ((e.key === "Enter" || e.key === " ") && tabbed && e.target.closest(pressed)) {
      if (e.target.matches("[tabindex][data-pick], [tabindex][data-step]")) {
        e.preventDefault();
        e.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }
      return;
    }
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (Date.now() - going < 1500) {
      going = 0;
      const page = document.querySelector(`[data-go="${CSS.escape(key)}"]`);
      if (page) { e.preventDefault(); page.click(); return; }
    }
    if (key === "g") { going = Date.now(); }
    const named = { " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "⏎" }[key] || key;
    const found = [...document.querySelectorAll("[data-key]")].filter((b) => b.dataset.key === named && live(b));
    if (!found.length || e.repeat) return;
    e.preventDefault();
    found[0].click();
  });
  window.labKeys = () => {
    const old = document.getElementById("lab-keys");
    if (old) { old.remove(); return; }
    const box = document.createElement("dialog");
    box.id = "lab-keys";
    const line = (key, text) => {
      const row = document.createElement("div");
      const k = document.createElement("kbd");
      k.textContent = key;
      row.append(k, document.createTextNode(text));
      box.append(row);
    };
    const title = document.createElement("h2");
    title.textContent = "Keys of this page";
    box.append(title);
    document.querySelectorAll("[data-key]").forEach((b) => {
      if (b.dataset.key !== "?" && b.offsetParent !== null)
        line(b.dataset.key, b.getAttribute("title") || b.querySelector(".label")?.textContent || "");
    });
    document.querySelectorAll("[data-go]").forEach((a) => line(`g ${a.dataset.go}`, `go to ${a.textContent}`));
    line("Esc", "close this list");
    box.addEventListener("click", () => box.remove());
    document.body.append(box);
    box.show();
  };
})();
