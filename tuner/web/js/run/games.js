// The games that were kept.

import { fill, h } from '../dom.js';
import { count } from '../format.js';
import { t } from '../i18n.js';
import { empty, section } from '../parts.js';
import { link } from '../router.js';

const PAGE = 60;

/** The section. */
export function games(context) {
  const body = h('div');
  const more = h(
    'button',
    {
      type: 'button',
      hidden: true,
      onclick: () => {
        shown += PAGE;
        part.now();
      },
    },
    t('games.more'),
  );
  const element = section(
    'games',
    t('run.section.games'),
    h('p', { class: 'faint' }, t('games.note')),
    body,
    more,
  );
  let shown = PAGE;
  async function read() {
    const { items, total } = await context.pages(['games'], { most: shown });
    const some = items.slice(0, shown);
    more.hidden = total <= some.length;
    if (some.length === 0) return fill(body, empty(t('games.none')));
    return fill(
      body,
      h('p', {}, t('games.count', { shown: count(some.length), total: count(total) })),
      h(
        'ul',
        { class: 'game-list' },
        some.map((it) =>
          h(
            'li',
            {},
            h(
              'a',
              { href: link(['runs', context.id, 'games', it.name]) },
              it.round === null ? it.name : t('games.round', { round: count(it.round) }),
            ),
          ),
        ),
      ),
    );
  }
  const part = { element, read };
  return part;
}
