// An address that names nothing.

import { append, h } from '../dom.js';
import { t } from '../i18n.js';

/** Draws the view. */
export function open(route, main, page) {
  page.title(t('lost.title'));
  append(
    main,
    h(
      'div',
      { class: 'narrow' },
      h('h1', {}, t('lost.title')),
      h('p', {}, t('lost.text')),
      h('a', { href: '#/', class: 'button' }, t('lost.back')),
    ),
  );
  return {};
}
