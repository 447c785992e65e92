// A question in place of the page that asks it. Escape and "Keep" close it by themselves, and the focus comes back to the link.
for (const link of document.querySelectorAll("[data-dialog]")) {
  const dialog = document.getElementById(link.dataset.dialog);
  if (!dialog || !dialog.showModal) continue;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
}
