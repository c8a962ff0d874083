// The fitted surface over two parameters.

import { fill, h } from '../dom.js';
import { shortPath, value } from '../format.js';
import { t } from '../i18n.js';
import { empty, section } from '../parts.js';
import { heatMap } from '../charts/heat.js';
import { keepQuery } from '../router.js';

/** The section. */
export function surface(context) {
  const map = heatMap({ title: t('run.section.surface') });
  const held = h('p', { class: 'faint' });
  const body = h('div', {}, map.element);
  const select = (axis) =>
    h('select', {
      'aria-label': t(`surface.${axis}`),
      onchange: (event) => {
        chosen[axis] = event.target.value;
        keepQuery({ [`s${axis}`]: event.target.value });
        part.now();
      },
    });
  const chosen = { x: context.query.sx, y: context.query.sy };
  const [x, y] = [select('x'), select('y')];
  const swap = h(
    'button',
    {
      type: 'button',
      class: 'bare',
      title: t('surface.swap'),
      'aria-label': t('surface.swap'),
      onclick: () => {
        [chosen.x, chosen.y] = [chosen.y, chosen.x];
        part.now();
      },
    },
    '⇄',
  );
  const element = section(
    'surface',
    t('run.section.surface'),
    h(
      'div',
      { class: 'row controls' },
      h('label', { class: 'inline' }, t('surface.x'), x),
      swap,
      h('label', { class: 'inline' }, t('surface.y'), y),
    ),
    body,
    held,
  );

  function offer(box, name) {
    if (box.childElementCount === 0)
      fill(
        box,
        context.row.parameters.map((it) => h('option', { value: it.path }, shortPath(it.path))),
      );
    box.value = name;
  }
  async function read() {
    if (!context.row) return;
    const paths = context.row.parameters.map((it) => it.path);
    if (paths.length < 2) return;
    if (!paths.includes(chosen.x)) [chosen.x] = paths;
    if (!paths.includes(chosen.y) || chosen.y === chosen.x)
      chosen.y = paths.find((it) => it !== chosen.x);
    offer(x, chosen.x);
    offer(y, chosen.y);
    const answer = await context.get(['surface'], { x: chosen.x, y: chosen.y });
    if (!answer.surface) {
      fill(body, empty(answer.reason ?? t('surface.none')));
      fill(held);
      return;
    }
    if (!body.contains(map.element)) fill(body, map.element);
    map.set(answer.surface);
    const others = Object.entries(answer.surface.others ?? {});
    fill(
      held,
      others.length > 0 &&
        t('surface.others', {
          list: others.map(([path, it]) => `${shortPath(path)} = ${value(it)}`).join(', '),
        }),
      ' ',
      t('surface.note'),
    );
  }
  // The first reading may have come before the row that names the parameters.
  const state = () => x.childElementCount === 0 && part.now();
  const part = { element, read, state, close: map.close };
  return part;
}
