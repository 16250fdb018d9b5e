// Light or dark: what the system asks for, until the switch says otherwise. Shared by all pages of the site.
(function () {
  "use strict";

  const KEY = "sedum-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const style = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is refused to some pages that were opened from a folder
    }
  }

  function store(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // the choice then lasts as long as the page
    }
  }

  const chosen = stored();
  if (chosen === "light" || chosen === "dark") style.dataset.theme = chosen;
  const isDark = () => (style.dataset.theme ? style.dataset.theme === "dark" : system.matches);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    button.addEventListener("click", () => {
      style.dataset.theme = isDark() ? "light" : "dark";
      store(style.dataset.theme);
      show();
    });
    system.addEventListener("change", show);
    show();
  });
})();
