// A new job: from a file, from a run or a job of the service, or from a form; checked before it is
// sent, with the service's own messages beside it.

import * as api from '../api.js';
import { append, fill, h } from '../dom.js';
import { note } from '../dialogs.js';
import { count } from '../format.js';
import { t } from '../i18n.js';
import { choices, trouble } from '../parts.js';
import { go, link } from '../router.js';
import { throttle } from '../refresh.js';
import { jobForm } from './job-form.js';

const CHECK_MS = 700;

function checked(it) {
  const pair = (name, text) =>
    text !== null && text !== undefined && [h('dt', {}, t(`check.${name}`)), h('dd', {}, text)];
  const most = (number) => (number === null || number === undefined ? null : count(number));
  const verification = it.verification_games && it.verification_games.map(count).join(' – ');
  return [
    h('p', { class: 'good' }, '✓ ', t('check.valid')),
    h(
      'dl',
      { class: 'pairs' },
      pair('game', it.game),
      pair('engine', it.engine),
      pair('reference', it.reference),
      pair('budget', it.budget),
      pair('learner', it.learner),
      pair('rounds', most(it.rounds_max)),
      pair('games', most(it.tuning_games_max)),
      pair('verification', verification),
    ),
    h(
      'ul',
      { class: 'plain space' },
      it.space.map((text) => h('li', {}, text.replace(/^parameter\s+/, ''))),
    ),
    it.warnings.length > 0 &&
      h(
        'ul',
        { class: 'warnings' },
        it.warnings.map((text) => h('li', {}, text)),
      ),
  ];
}

function editor(onText) {
  const area = h('textarea', {
    spellcheck: 'false',
    rows: 28,
    wrap: 'off',
    'aria-label': t('new.toml'),
    placeholder: t('new.toml_placeholder'),
    oninput: () => {
      number();
      onText();
    },
  });
  const gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' });
  const number = () => {
    fill(
      gutter,
      area.value
        .split('\n')
        .map((_, at) => at + 1)
        .join('\n'),
    );
    gutter.scrollTop = area.scrollTop;
  };
  area.addEventListener('scroll', () => {
    gutter.scrollTop = area.scrollTop;
  });
  number();
  return {
    element: h('div', { class: 'editor' }, gutter, area),
    get: () => area.value,
    set(text) {
      area.value = text;
      number();
      onText();
    },
  };
}

function filePart(onText, onName) {
  const text = editor(onText);
  const take = async (file) => {
    if (!file) return;
    text.set(await file.text());
    onName(file.name.replace(/\.toml$/, ''));
  };
  const input = h('input', {
    type: 'file',
    accept: '.toml,application/toml,text/plain',
    onchange: (event) => take(event.target.files[0]),
  });
  const jobs = h(
    'select',
    {
      'aria-label': t('new.of_service'),
      onchange: async (event) => {
        const name = event.target.value;
        if (!name) return;
        try {
          text.set(await api.getText(['configurations', name], { kind: 'job' }));
          onName(name);
        } catch (error) {
          note(error.message, 'bad');
        }
      },
    },
    h('option', { value: '' }, t('new.of_service')),
  );
  const drop = h(
    'div',
    { class: 'drop' },
    h('label', { class: 'file' }, t('new.choose_file'), ' ', input),
    h('span', { class: 'faint' }, t('new.or_drop')),
    jobs,
  );
  const element = h('div', { class: 'stack' }, drop, text.element);
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  element.addEventListener('dragleave', () => drop.classList.remove('over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    take(event.dataTransfer.files[0]);
  });
  return {
    element,
    get: () => (text.get().trim() ? { toml: text.get() } : null),
    set: text.set,
    offer: (items) =>
      append(
        jobs,
        items
          .filter((it) => it.kind === 'job' && !it.error)
          .map((it) => h('option', { value: it.name }, it.name)),
      ),
  };
}

/** Draws the view. */
export function open(route, main, page) {
  page.title(t('new.title'));
  const said = h('div', { 'aria-live': 'polite' }, h('p', { class: 'faint' }, t('check.nothing')));
  const label = h('input', {
    type: 'text',
    maxlength: 200,
    placeholder: t('new.label_placeholder'),
  });
  const paused = h('input', { type: 'checkbox' });
  const send = h(
    'button',
    { type: 'button', class: 'primary', disabled: true, onclick: () => submit() },
    t('new.send'),
  );
  let isSent = false;
  let isTouched = false;
  let asked = 0;
  let wait = null;
  const checking = throttle(check, CHECK_MS);
  const touch = () => {
    isTouched = true;
    send.disabled = true;
    clearTimeout(wait);
    wait = setTimeout(checking.ask, CHECK_MS);
  };
  const parts = {
    file: filePart(touch, (name) => {
      label.value ||= name;
    }),
    form: jobForm(touch),
  };
  let way = 'file';
  const body = h('div', {}, parts.file.element);
  const ways = choices(
    t('new.way'),
    [
      ['file', t('new.from_file')],
      ['form', t('new.from_form')],
    ],
    way,
    (it) => {
      way = it;
      fill(body, parts[it].element);
      touch();
    },
  );
  append(
    main,
    h('div', { class: 'head' }, h('h1', {}, t('new.title')), ways),
    h(
      'div',
      { class: 'wide-narrow new' },
      h('div', { class: 'panel' }, body),
      h(
        'aside',
        { class: 'panel sticky' },
        h('h2', {}, t('check.title')),
        said,
        h('label', {}, t('new.label'), label),
        h('label', { class: 'check' }, paused, t('new.paused')),
        send,
      ),
    ),
  );

  async function check() {
    const mine = ++asked;
    const job = parts[way].get();
    if (!job) {
      fill(said, h('p', { class: 'faint' }, t('check.nothing')));
      return;
    }
    try {
      const answer = await api.post(['check'], job);
      if (mine !== asked) return;
      fill(said, checked(answer));
      send.disabled = false;
    } catch (error) {
      if (mine === asked) fill(said, trouble(error));
    }
  }
  async function submit() {
    send.disabled = true;
    try {
      const row = await api.post(['runs'], {
        ...parts[way].get(),
        label: label.value,
        paused: paused.checked,
      });
      isSent = true;
      go(link(['runs', row.id]));
    } catch (error) {
      fill(said, trouble(error));
      send.disabled = false;
    }
  }
  api.get(['configurations']).then(
    ({ items }) => {
      parts.file.offer(items);
      parts.form.offer(items);
    },
    (error) => note(error.message, 'bad'),
  );
  if (route.query.from) {
    api.getText(['runs', route.query.from, 'job']).then(
      (text) => {
        parts.file.set(text);
        label.value = t('new.clone_of', { name: route.query.from });
      },
      (error) => fill(said, trouble(error)),
    );
  }
  return {
    isUnsent: () => isTouched && !isSent && parts[way].get() !== null,
    close() {
      clearTimeout(wait);
      checking.close();
    },
  };
}
