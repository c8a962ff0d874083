// The page: its frame, the view that the address names, keys that work everywhere, and the token.

import * as api from './api.js';
import { append, fill, h, isTyping } from './dom.js';
import * as i18n from './i18n.js';
import { t } from './i18n.js';
import { go, link, parse, tokenOf } from './router.js';
import * as theme from './theme.js';
import { closeDialogs, showHelp } from './dialogs.js';
import { frame } from './frame.js';
import { open as openCompare } from './views/compare.js';
import { open as openGame } from './views/game.js';
import { open as openLost } from './views/lost.js';
import { open as openNew } from './views/new.js';
import { open as openRun } from './views/run.js';
import { open as openRuns } from './views/runs.js';
import { open as openToken } from './views/token.js';

const VIEWS = {
  runs: openRuns,
  run: openRun,
  game: openGame,
  new: openNew,
  compare: openCompare,
  lost: openLost,
};

let shell = null;
let view = null;
let isAsking = false;

function close() {
  view?.close?.();
  view = null;
}

/** What a view may ask of the page around it. */
const page = {
  title(text) {
    document.title = text ? `${text} · Sixfold` : 'Sixfold';
  },
  connection: (state) => shell.connection(state),
  service: (service) => shell.service(service),
};

function show() {
  close();
  closeDialogs();
  const route = parse(location.hash);
  isAsking = false;
  shell.at(route.view);
  page.connection(null);
  const main = fill(shell.main);
  main.dataset.view = route.view;
  window.scrollTo(0, 0);
  view = VIEWS[route.view](route, main, page);
}

async function enter() {
  try {
    await api.openSession();
  } catch (error) {
    if (error.status === 401) return;
    // The service is not there: the view says so and comes back by itself.
  }
  show();
}

function ask(error) {
  if (isAsking) return;
  isAsking = true;
  close();
  page.title(t('token.title'));
  view = openToken(fill(shell.main), error, (token) => {
    api.keepToken(token);
    isAsking = false;
    enter();
  });
}

function redraw() {
  fill(document.getElementById('app'));
  build();
  show();
}

function build() {
  shell = frame({
    onLanguage: () => {
      i18n.toggle();
      redraw();
    },
    onTheme: theme.toggle,
    onHelp: help,
  });
  append(document.getElementById('app'), shell.element);
}

const help = () => showHelp(view?.keys ?? []);

const EVERYWHERE = {
  '?': help,
  g: () => go(link([])),
  n: () => go(link(['new'])),
  c: () => go(link(['compare'])),
  t: theme.toggle,
  l: () => {
    i18n.toggle();
    redraw();
  },
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === 'Escape') closeDialogs();
  if (isTyping(event) || document.querySelector('dialog[open]') || isAsking) return;
  const own = view?.keys?.find(({ key }) => key === event.key);
  const act = own?.act ?? EVERYWHERE[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function takeToken() {
  const token = tokenOf(location.hash);
  if (token === null) return api.recallToken();
  api.keepToken(token);
  history.replaceState(null, '', '#/');
  return token;
}

i18n.start();
build();
api.onRefused(ask);
window.addEventListener('hashchange', () => {
  if (tokenOf(location.hash) === null) show();
  else if (takeToken()) enter();
});
window.addEventListener('keydown', pressed);
window.addEventListener('beforeunload', (event) => {
  if (view?.isUnsent?.()) event.preventDefault();
});
document.body.append(
  h('div', { id: 'notes', class: 'notes', role: 'status', 'aria-live': 'polite' }),
);
takeToken();
enter();
