// The log, newest last, and games that failed.

import { append, fill, h } from '../dom.js';
import { clock } from '../format.js';
import { t } from '../i18n.js';
import { choices, empty, section } from '../parts.js';

const KEPT = 400;
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];

const fieldText = (fields) =>
  Object.entries(fields ?? {})
    .map(([name, it]) => `${name}=${typeof it === 'object' ? JSON.stringify(it) : it}`)
    .join('  ');

/** The section. */
export function log(context) {
  const lines = h('ol', { class: 'log' });
  const box = h(
    'div',
    {
      class: 'scroll tall log-box',
      tabindex: '0',
      role: 'log',
      'aria-label': t('run.section.log'),
    },
    lines,
  );
  const failures = h('div');
  let level = 'INFO';
  let after = null;
  let all = [];
  const levels = choices(
    t('log.level'),
    [
      ['INFO', t('log.all')],
      ['WARN', t('log.warnings')],
    ],
    level,
    (it) => {
      level = it;
      draw();
    },
  );
  const element = section(
    'log',
    t('run.section.log'),
    h('div', { class: 'row controls' }, levels),
    box,
    failures,
  );
  const isWorth = (it) => LEVELS.indexOf(it.level) >= LEVELS.indexOf(level);
  function draw() {
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 20;
    const some = all.filter(isWorth);
    fill(
      lines,
      some.map((it) =>
        h(
          'li',
          { class: it.level?.toLowerCase() },
          h('time', { datetime: it.time }, clock(it.time)),
          h('b', {}, it.level),
          h('span', {}, it.message),
          h('code', {}, fieldText(it.fields)),
        ),
      ),
    );
    if (some.length === 0) append(lines, h('li', {}, empty(t('log.none'))));
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }
  async function read() {
    if (after === null) {
      const { total } = await context.get(['log'], { limit: 1 });
      after = Math.max(total - KEPT, 0) - 1;
    }
    const { items } = await context.pages(['log'], { after });
    after += items.length;
    all = [...all, ...items].slice(-KEPT);
    if (items.length > 0 || lines.childElementCount === 0) draw();
    const failed = (await context.get(['failures'])).items;
    fill(
      failures,
      failed.length > 0 && [
        h('h3', {}, t('log.failures')),
        h(
          'ul',
          { class: 'failures' },
          failed.map((it) => h('li', {}, h('code', {}, it.file), ' ', it.said)),
        ),
      ],
    );
  }
  return { element, read };
}
