// Bars of counts, each with its number: never colour alone.

import { h, s } from '../dom.js';
import { count, percent } from '../format.js';
import { t } from '../i18n.js';

/** Wins, draws and losses as one bar with its legend. */
export function outcomeBar({ wins, draws, losses }) {
  const total = wins + draws + losses;
  const parts = [
    ['wins', wins],
    ['draws', draws],
    ['losses', losses],
  ];
  const bar = h(
    'div',
    { class: 'wdl-bar', 'aria-hidden': 'true' },
    parts.map(([name, it]) => {
      const part = h('i', { class: name });
      part.style.flexGrow = String(it);
      return part;
    }),
  );
  return h(
    'div',
    { class: 'wdl' },
    bar,
    h(
      'dl',
      { class: 'wdl-legend' },
      parts.map(([name, it]) =>
        h(
          'div',
          {},
          h('dt', {}, h('i', { class: `swatch-box ${name}` }), t(`outcome.${name}`)),
          h(
            'dd',
            {},
            count(it),
            ' ',
            h('span', { class: 'faint' }, total > 0 ? percent(it / total) : ''),
          ),
        ),
      ),
    ),
  );
}

/** The five outcomes of pairs of games. */
export function pentanomialBars(counts) {
  const [width, height, foot] = [300, 120, 34];
  const most = Math.max(...counts, 1);
  const slot = width / counts.length;
  const points = ['0', '½', '1', '1½', '2'];
  return s(
    'svg',
    {
      class: 'bars',
      viewBox: `0 0 ${width} ${height + foot}`,
      role: 'img',
      'aria-label': t('outcome.pentanomial', {
        list: counts.map((it, at) => `${points[at]}: ${count(it)}`).join(', '),
      }),
    },
    counts.map((it, at) => {
      const tall = (height - 18) * (it / most);
      return [
        s('rect', {
          x: at * slot + 8,
          y: height - tall,
          width: slot - 16,
          height: Math.max(tall, 0.5),
          rx: 2,
          class: `five-${at}`,
        }),
        s(
          'text',
          { x: (at + 0.5) * slot, y: height - tall - 5, 'text-anchor': 'middle', class: 'number' },
          count(it),
        ),
        s(
          'text',
          { x: (at + 0.5) * slot, y: height + 15, 'text-anchor': 'middle', class: 'tick' },
          points[at],
        ),
      ];
    }),
    s('line', { x1: 0, x2: width, y1: height, y2: height, class: 'base' }),
    s(
      'text',
      { x: width / 2, y: height + 30, 'text-anchor': 'middle', class: 'tick' },
      t('outcome.points_of_pair'),
    ),
  );
}

/** Where a value lies between two bounds, with its start: a small ruler. */
export function ruler({ now, start, best }, title) {
  const at = (part) => `${Math.min(Math.max(part, 0), 1) * 100}%`;
  const element = h('span', { class: 'ruler', role: 'img', 'aria-label': title, title });
  const mark = (name, left, width) => {
    const it = h('i', { class: name });
    it.style.left = at(left);
    if (width !== undefined) it.style.width = at(width);
    element.append(it);
  };
  if (best) mark('best', best[0], best[1] - best[0]);
  if (start !== null) mark('start', start);
  if (now !== null) mark('now', now);
  return element;
}

/** A bar of what is done. */
export function progressBar(done, total, label) {
  const inner = h('i');
  const part = total > 0 ? Math.min(done / total, 1) : 0;
  inner.style.width = `${100 * part}%`;
  return h(
    'span',
    {
      class: 'progress',
      role: 'progressbar',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      'aria-valuenow': Math.round(100 * part),
      'aria-label': label,
    },
    inner,
  );
}
