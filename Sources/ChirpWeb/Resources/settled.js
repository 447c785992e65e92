// When the first view of a page is there: what is of use only later is fetched then, so that it keeps nothing waiting that is seen now.

/** In ms after everything of the page has come. */
const rest = 400;

export const settled = new Promise((resolve) => {
  const wait = () => setTimeout(resolve, rest);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
});
