// Light, dark, or as the system has it. Charts are drawn on canvases and must hear of a change.

const KEY = 'sixfold.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const heard = new Set();

/** What the person chose: `light`, `dark` or `system`. */
export const choice = () => document.documentElement.dataset.theme ?? 'system';

/** What is shown now: `light` or `dark`. */
export function shown() {
  const chosen = choice();
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return dark.matches ? 'dark' : 'light';
}

const tell = () => heard.forEach((hear) => hear());

/** Shows the other theme and keeps the choice. */
export function toggle() {
  const next = shown() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  tell();
}

/** Calls `hear` after each change of theme; the answer ends that. */
export function onChange(hear) {
  heard.add(hear);
  return () => heard.delete(hear);
}

dark.addEventListener('change', tell);

/** A colour of the style sheet, for canvases. */
export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
