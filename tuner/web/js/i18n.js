// The page's words. A key that a language lacks is shown in English, and a test asks for none such.

import en from '../i18n/en.js';
import zh from '../i18n/zh.js';
import { setLocale } from './format.js';

const KEY = 'sixfold.language';
const LANGUAGES = { en, zh };
let language = 'en';

function wanted() {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept in LANGUAGES) return kept;
  } catch {
    // No storage: the browser's language decides.
  }
  const first = navigator.languages?.[0] ?? navigator.language ?? 'en';
  return first.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

function use(name) {
  language = name;
  document.documentElement.lang = name === 'zh' ? 'zh-Hans' : 'en';
  setLocale(
    name === 'zh' ? 'zh-CN' : navigator.language?.startsWith('en') ? navigator.language : 'en',
  );
}

/** Takes the kept language or the browser's. */
export const start = () => use(wanted());

/** The other language, kept. */
export function toggle() {
  use(language === 'en' ? 'zh' : 'en');
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** `en` or `zh`. */
export const current = () => language;

/** Whether there is a text for the key. */
export const has = (key) => key in en;

/** The text of a key, `{names}` in it replaced. */
export function t(key, values = {}) {
  const text = LANGUAGES[language][key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}

/** A word of the service in the page's language; words without a text are shown as they are. */
export function word(group, name) {
  if (name === null || name === undefined) return '–';
  const key = `${group}.${name}`;
  return has(key) ? t(key) : String(name).replaceAll('_', ' ');
}
