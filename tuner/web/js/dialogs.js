// Questions, help and short notes.

import { h } from './dom.js';
import { t } from './i18n.js';

const NOTE_MS = 6000;

function dialog(title, ...children) {
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-label': title },
    h('h2', {}, title),
    children,
  );
  element.addEventListener('close', () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Closes whatever is open. */
export function closeDialogs() {
  document.querySelectorAll('dialog[open]').forEach((it) => it.close());
}

/** Asks whether to go on; the word on the button says what will be done. */
export function confirm(title, text, word) {
  return new Promise((answer) => {
    let said = false;
    const element = dialog(
      title,
      h('p', {}, text),
      h(
        'div',
        { class: 'row end' },
        h(
          'button',
          { type: 'button', autofocus: true, onclick: () => element.close() },
          t('dialog.no'),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'danger',
            onclick: () => {
              said = true;
              element.close();
            },
          },
          word,
        ),
      ),
    );
    element.addEventListener('close', () => answer(said));
  });
}

const EVERYWHERE = ['?', 'g', 'n', 'c', 't', 'l', 'Esc'];

/** The keys that work here. */
export function showHelp(own) {
  const row = (key, text) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)];
  const element = dialog(
    t('help.title'),
    own.length > 0 && [
      h('h3', {}, t('help.here')),
      h(
        'dl',
        { class: 'keys' },
        own.map(({ shown, key, text }) => row(shown ?? key, text)),
      ),
    ],
    h('h3', {}, t('help.everywhere')),
    h(
      'dl',
      { class: 'keys' },
      EVERYWHERE.map((key) => row(key, t(`help.key.${key}`))),
    ),
    h('p', { class: 'faint' }, t('help.charts')),
    h(
      'div',
      { class: 'row end' },
      h(
        'button',
        { type: 'button', autofocus: true, onclick: () => element.close() },
        t('dialog.close'),
      ),
    ),
  );
}

/** Says something at the edge of the page for a while. */
export function note(text, kind = 'plain') {
  const element = h(
    'div',
    { class: `note ${kind}` },
    text,
    h(
      'button',
      {
        class: 'bare',
        type: 'button',
        'aria-label': t('dialog.close'),
        onclick: () => element.remove(),
      },
      '×',
    ),
  );
  document.getElementById('notes').append(element);
  if (kind !== 'bad') setTimeout(() => element.remove(), NOTE_MS);
}

/** Says what the service would not do. */
export const noteRefusal = (error) => note(error.message, 'bad');
