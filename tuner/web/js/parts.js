// Small pieces that several views show: states, Elo with its interval, numbers under a name.

import { h } from './dom.js';
import { count, duration, interval, rate, signed } from './format.js';
import { t, word } from './i18n.js';

const SIGNS = {
  waiting: '◷',
  running: '▶',
  paused: '‖',
  completed: '✓',
  failed: '✕',
  cancelled: '⊘',
};

/** A state: sign and word. */
export const stateBadge = (state) =>
  h(
    'span',
    { class: `badge state ${state}` },
    h('span', { 'aria-hidden': 'true' }, SIGNS[state] ?? '·'),
    ' ',
    word('state', state),
  );

/** A verdict of a verification. */
export const verdictBadge = (verdict) =>
  h('span', { class: `badge verdict ${verdict ?? 'none'}` }, word('verdict', verdict ?? 'none'));

/** Elo with its interval, or that there is none yet. */
export function elo(row) {
  if (row.elo === null || row.elo === undefined)
    return h('span', { class: 'elo faint' }, t(row.verdict ? 'elo.none' : 'elo.not_verified'));
  return h(
    'span',
    { class: 'elo' },
    h('b', {}, signed(row.elo)),
    ' ',
    h('span', { class: 'faint' }, interval(row.elo_95)),
  );
}

/** Games done of those planned. */
export const gamesOf = (row) =>
  row.games_planned ? `${count(row.games)} / ${count(row.games_planned)}` : count(row.games);

/** Speed and what is left, where a run has them. */
export function speed(row) {
  return [
    row.games_per_s !== null && t('run.games_per_s', { rate: rate(row.games_per_s) }),
    row.seconds_left !== null && t('run.left', { time: duration(row.seconds_left) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A number under its name. */
export const figure = (name, it, note) =>
  h('div', { class: 'figure' }, h('dt', {}, name), h('dd', {}, it, note && h('small', {}, note)));

/** A section of a view with its heading. */
export function section(id, title, ...children) {
  return h(
    'section',
    { class: 'panel', id: `section-${id}`, 'aria-labelledby': `heading-${id}` },
    h('h2', { id: `heading-${id}`, tabindex: '-1' }, title),
    children,
  );
}

/** What is said where there is nothing to show. */
export const empty = (text) => h('p', { class: 'empty' }, text);

/** What is said where something could not be read. */
export const trouble = (error) => h('p', { class: 'trouble', role: 'alert' }, error.message);

/** One of several words, as a row of buttons. */
export function choices(label, options, chosen, onChoose) {
  const buttons = options.map(([name, text]) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(name === chosen),
        onclick: () => {
          buttons.forEach((it, at) =>
            it.setAttribute('aria-pressed', String(options[at][0] === name)),
          );
          onChoose(name);
        },
      },
      text,
    ),
  );
  return h('div', { class: 'choices', role: 'group', 'aria-label': label }, buttons);
}
