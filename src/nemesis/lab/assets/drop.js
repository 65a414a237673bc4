// Files may be dropped anywhere on a page that takes some: they go to its field for files. Elsewhere a drop does nothing,
// so that a file that misses does not take the page away.
(() => {
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    if (e.defaultPrevented) return;
    e.preventDefault();
    const field = document.querySelector(".drop input[type=file]");
    if (!field || !e.dataTransfer.files.length) return;
    field.files = e.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
