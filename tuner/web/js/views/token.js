// Asks for the token that the service printed when it was started.

import { append, h } from '../dom.js';
import { t } from '../i18n.js';

/** Draws the form; `onToken` hears what was typed. */
export function open(main, error, onToken) {
  const input = h('input', {
    type: 'password',
    name: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-said',
  });
  const send = (event) => {
    event.preventDefault();
    const typed = input.value.trim().replace(/^.*#token=/, '');
    if (typed) onToken(typed);
  };
  append(
    main,
    h(
      'form',
      { class: 'narrow token', onsubmit: send },
      h('h1', {}, t('token.title')),
      h('p', {}, t('token.text')),
      h('label', {}, t('token.label'), input),
      h('p', { id: 'token-said', class: 'trouble' }, error.message),
      h('button', { type: 'submit', class: 'primary' }, t('token.send')),
    ),
  );
  input.focus();
  return {};
}
