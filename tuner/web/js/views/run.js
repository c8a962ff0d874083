// A run, watched: one page of sections, each read when it comes into sight and again when something
// it shows has changed. One stream tells of changes.

import * as api from '../api.js';
import { append, fill, h, say } from '../dom.js';
import { listen } from '../events.js';
import { t } from '../i18n.js';
import { trouble } from '../parts.js';
import { throttle } from '../refresh.js';
import { keepQuery } from '../router.js';
import { actions } from '../run/actions.js';
import { configuration } from '../run/configuration.js';
import { games } from '../run/games.js';
import { headline } from '../run/headline.js';
import { learning } from '../run/learning.js';
import { log } from '../run/log.js';
import { results } from '../run/results.js';
import { surface } from '../run/surface.js';
import { trajectories } from '../run/trajectories.js';
import { tree } from '../run/tree.js';

// Which kinds of events make which section stale, and how often it is read at most.
const SECTIONS = [
  ['overview', headline, ['trial', 'round', 'batch', 'other', 'state'], 2000],
  ['tree', tree, ['trial', 'round'], 1000],
  ['trajectories', trajectories, ['round'], 2000],
  ['learning', learning, ['round'], 3000],
  ['surface', surface, ['round'], 5000],
  ['results', results, ['trial', 'batch', 'other'], 2000],
  ['games', games, ['round'], 5000],
  ['configuration', configuration, ['other'], 5000],
  ['log', log, ['round', 'batch', 'other'], 3000],
];

/** Keeps a section in step: reads it in sight and when stale, never out of sight. */
function keepInStep(part, period) {
  let isSeen = false;
  let isStale = true;
  async function attempt() {
    isStale = false;
    try {
      // The service may still be reading a long journal; then the rest is asked for.
      isStale = (await part.read()) === 'again' || isStale;
      part.said.hidden = true;
    } catch (error) {
      if (error.name === 'AbortError') return;
      part.said.hidden = false;
      fill(part.said, trouble(error));
    }
    if (isStale) reading.ask();
  }
  const reading = throttle(async () => {
    if (isSeen && isStale) await attempt();
  }, period);
  const watcher = new IntersectionObserver(
    ([entry]) => {
      isSeen = entry.isIntersecting;
      if (isSeen && isStale) reading.ask();
    },
    { rootMargin: '300px' },
  );
  watcher.observe(part.element);
  return {
    now: attempt,
    stale() {
      isStale = true;
      if (isSeen) reading.ask();
    },
    close() {
      watcher.disconnect();
      reading.close();
    },
  };
}

function navigation(parts) {
  const links = parts.map(({ name, element }, at) =>
    h(
      'button',
      { type: 'button', 'data-section': name, onclick: () => jump(element) },
      t(`run.section.${name}`),
      h('kbd', { 'aria-hidden': 'true' }, at + 1),
    ),
  );
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const it = links.find(({ dataset }) => `section-${dataset.section}` === entry.target.id);
        if (entry.isIntersecting) {
          links.forEach((other) => other.removeAttribute('aria-current'));
          it.setAttribute('aria-current', 'true');
        }
      }
    },
    { rootMargin: '-20% 0px -70% 0px' },
  );
  parts.forEach(({ element }) => seen.observe(element));
  return {
    element: h('nav', { class: 'sections', 'aria-label': t('run.sections') }, links),
    close: () => seen.disconnect(),
  };
}

function jump(element) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  element.querySelector('h2').focus({ preventScroll: true });
  keepQuery({ s: element.id.replace('section-', '') });
}

/** Draws the view. */
export function open(route, main, page) {
  const id = route.run;
  page.title(id);
  const leaving = new AbortController();
  const name = h('h1', {}, id);
  const context = {
    id,
    row: null,
    query: route.query,
    page,
    get: (names, query) => api.get(['runs', id, ...names], query, leaving.signal),
    getText: (names, query) => api.getText(['runs', id, ...names], query, leaving.signal),
    pages: (names, options) =>
      api.pages(['runs', id, ...names], { ...options, signal: leaving.signal }),
  };
  const parts = SECTIONS.map(([section, make, kinds, period]) => {
    const part = make(context);
    part.said = h('div', { hidden: true });
    part.element.append(part.said);
    const keeper = keepInStep(part, period);
    // What a person asks for is read at once.
    part.now = keeper.now;
    return Object.assign(part, { name: section, kinds, keeper });
  });
  const acts = actions(context);
  const nav = navigation(parts);
  const columns = h(
    'div',
    { class: 'panels' },
    parts.map(({ element }) => element),
  );
  append(main, h('div', { class: 'head run-head' }, name, acts.element), nav.element, columns);

  const stale = (kind) =>
    parts.filter(({ kinds }) => kinds.includes(kind)).forEach(({ keeper }) => keeper.stale());
  const setRow = (row) => {
    context.row = row;
    say(name, row.label || row.id);
    page.title(row.label || row.id);
    acts.set(row);
    parts.forEach((part) => part.state?.(row));
  };
  let stream = null;
  function follow(row) {
    stream = listen(['runs', id, 'events'], {
      after: row.events ?? 0,
      changed: page.connection,
      back: () => parts.forEach(({ keeper }) => keeper.stale()),
      on: {
        trial(it) {
          parts.forEach((part) => part.trial?.(it));
          stale('trial');
        },
        round: () => stale('round'),
        batch: () => stale('batch'),
        other: () => stale('other'),
        state(it) {
          setRow(it);
          stale('state');
        },
      },
    });
  }
  context.get([]).then(
    ({ row }) => {
      setRow(row);
      if (!row.error) follow(row);
      if (row.error) fill(columns, h('p', { class: 'trouble', role: 'alert' }, row.error));
      const wanted = parts.find((it) => it.name === route.query.s);
      if (wanted) wanted.element.scrollIntoView({ block: 'start' });
    },
    (error) => error.name !== 'AbortError' && fill(columns, trouble(error)),
  );

  return {
    keys: [
      ...parts.map((part, at) => ({
        key: String(at + 1),
        text: t(`run.section.${part.name}`),
        act: () => jump(part.element),
      })),
      ...acts.keys,
    ],
    close() {
      leaving.abort();
      stream?.close();
      nav.close();
      parts.forEach((part) => {
        part.keeper.close();
        part.close?.();
      });
    },
  };
}
