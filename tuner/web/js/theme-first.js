// Sets the chosen theme before anything is drawn, so that the page never flashes. A classic script,
// because modules wait for the document.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('sixfold.theme');
  } catch {
    // Storage is refused: the system's theme is as good.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
