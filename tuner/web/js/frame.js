// What is around every view: where one is, what the service does, theme, language, help.

import { fill, h, s, say } from './dom.js';
import { mib } from './format.js';
import * as i18n from './i18n.js';
import { t } from './i18n.js';
import { link } from './router.js';

const PLACES = [
  ['runs', []],
  ['new', ['new']],
  ['compare', ['compare']],
];

function mark() {
  const way = (at) => {
    const angle = (Math.PI / 3) * at - Math.PI / 2;
    return [12 + 9 * Math.cos(angle), 12 + 9 * Math.sin(angle)];
  };
  const ways = [0, 1, 2, 3, 4, 5].map(way);
  return s(
    'svg',
    { class: 'mark', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    ways.map(([x, y]) => s('line', { x1: 12, y1: 12, x2: x, y2: y })),
    ways.map(([x, y], at) =>
      s('circle', { cx: x, cy: y, r: at === 1 ? 2.9 : 2, class: at === 1 && 'best' }),
    ),
    s('circle', { cx: 12, cy: 12, r: 2.6 }),
  );
}

function themeIcon() {
  return s(
    'svg',
    { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' },
    s('circle', { cx: 8, cy: 8, r: 6, class: 'rim' }),
    s('path', { d: 'M8 2a6 6 0 0 1 0 12z' }),
  );
}

/** The frame; `main` is where views draw. */
export function frame({ onLanguage, onTheme, onHelp }) {
  const links = PLACES.map(([name, names]) =>
    h('a', { href: link(names), 'data-place': name }, t(`nav.${name}`)),
  );
  const connection = h('span', {
    class: 'connection',
    role: 'status',
    'aria-live': 'polite',
    hidden: true,
  });
  const service = h('span', { class: 'service' });
  const main = h('main', { id: 'main', tabindex: '-1' });
  const skip = h(
    'button',
    { class: 'skip', type: 'button', onclick: () => main.focus() },
    t('nav.skip'),
  );
  const header = h(
    'header',
    { class: 'top' },
    h('a', { class: 'brand', href: '#/' }, mark(), h('span', {}, 'Sixfold')),
    h('nav', { 'aria-label': t('nav.label') }, links),
    h(
      'div',
      { class: 'top-end' },
      service,
      connection,
      h(
        'button',
        {
          class: 'bare',
          type: 'button',
          onclick: onTheme,
          title: t('nav.theme'),
          'aria-label': t('nav.theme'),
        },
        themeIcon(),
      ),
      h(
        'button',
        {
          class: 'bare',
          type: 'button',
          onclick: onLanguage,
          lang: i18n.current() === 'en' ? 'zh-Hans' : 'en',
          title: t('nav.language'),
        },
        i18n.current() === 'en' ? '中文' : 'EN',
      ),
      h(
        'button',
        {
          class: 'bare key',
          type: 'button',
          onclick: onHelp,
          title: t('nav.help'),
          'aria-label': t('nav.help'),
        },
        '?',
      ),
    ),
  );
  return {
    element: h('div', { class: 'frame' }, skip, header, main),
    main,
    at(view) {
      const place = ['new', 'compare'].includes(view) ? view : 'runs';
      for (const it of links) {
        if (it.dataset.place === place) it.setAttribute('aria-current', 'page');
        else it.removeAttribute('aria-current');
      }
    },
    connection(state) {
      connection.hidden = state === null || state === 'idle';
      connection.dataset.state = state ?? '';
      say(
        connection,
        state === 'open' ? t('connection.open') : state === 'lost' ? t('connection.lost') : '',
      );
    },
    service(it) {
      const low = it.disk?.low;
      fill(
        service,
        low &&
          h(
            'strong',
            { class: 'badge bad' },
            t('service.disk_low', { free: mib(it.disk.free_mib) }),
          ),
        it.read_only && h('span', { class: 'badge' }, t('service.read_only')),
      );
      service.title = t('service.title', {
        version: it.version,
        threads: it.threads,
        running: it.running_max,
        free: mib(it.disk?.free_mib),
      });
    },
  };
}
