// What can be done to a run: pause, resume, cancel, verify, clone, export, report.

import * as api from '../api.js';
import { fill, h } from '../dom.js';
import { confirm, note, noteRefusal } from '../dialogs.js';
import { t } from '../i18n.js';
import { stateBadge } from '../parts.js';
import { go, link } from '../router.js';

const CAN = {
  pause: (row) => ['running', 'waiting'].includes(row.state) && row.driver !== 'terminal',
  resume: (row) => ['paused', 'failed'].includes(row.state),
  verify: (row) => row.state === 'completed',
  cancel: (row) =>
    ['running', 'waiting', 'paused'].includes(row.state) && row.driver !== 'terminal',
};

function save(blob, name) {
  const href = URL.createObjectURL(blob);
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** The buttons of a run. */
export function actions({ id }) {
  const state = h('span', { class: 'state-of' });
  const buttons = h('div', { class: 'row' });
  const element = h('div', { class: 'actions' }, state, buttons);
  let row = null;

  async function act(name) {
    if (
      name === 'cancel' &&
      !(await confirm(
        t('act.cancel_title'),
        t('act.cancel_text', { name: row.label || id }),
        t('act.cancel'),
      ))
    )
      return;
    try {
      set(await api.post(['runs', id, name]));
      note(t(`act.${name}_done`));
    } catch (error) {
      noteRefusal(error);
    }
  }
  async function download(query) {
    try {
      const { name, blob } = await api.getFile(['runs', id, 'export'], query);
      save(blob, name ?? `${id}.toml`);
    } catch (error) {
      if (error.status !== 409 || query?.force) noteRefusal(error);
      else if (await confirm(t('act.export_unverified'), error.message, t('act.export_anyway')))
        await download({ force: true });
    }
  }
  async function merge(file) {
    try {
      const text = await api.postText(['runs', id, 'export'], await file.text());
      save(new Blob([text], { type: 'application/toml' }), file.name);
    } catch (error) {
      noteRefusal(error);
    }
  }
  const more = () => {
    const input = h('input', {
      type: 'file',
      accept: '.toml',
      class: 'hidden',
      tabindex: '-1',
      'aria-hidden': 'true',
      onchange: (event) => event.target.files[0] && merge(event.target.files[0]),
    });
    return h(
      'details',
      { class: 'menu' },
      h('summary', { class: 'button' }, t('act.more')),
      h(
        'div',
        { class: 'menu-items' },
        h('button', { type: 'button', onclick: () => input.click() }, t('act.merge')),
        input,
        h(
          'a',
          { href: api.address(['runs', id, 'report']), target: '_blank', rel: 'noopener' },
          t('act.report'),
        ),
        h('a', { href: link(['compare'], { runs: id }) }, t('act.compare')),
      ),
    );
  };
  function set(next) {
    const isSame =
      row && ['state', 'driver', 'phase', 'place', 'verdict'].every((it) => row[it] === next[it]);
    row = next;
    if (isSame) return;
    fill(
      state,
      stateBadge(row.state),
      row.driver === 'terminal' && h('small', {}, t('runs.by_terminal')),
    );
    fill(
      buttons,
      Object.keys(CAN)
        .filter((it) => CAN[it](row))
        .map((it) =>
          h(
            'button',
            {
              type: 'button',
              'data-act': it,
              class: it === 'cancel' ? 'danger-quiet' : null,
              onclick: () => act(it),
            },
            t(`act.${it}`),
          ),
        ),
      h(
        'button',
        { type: 'button', 'data-act': 'export', onclick: () => download() },
        t('act.export'),
      ),
      h('a', { class: 'button', href: link(['new'], { from: id }) }, t('act.clone')),
      more(),
    );
  }
  const ifCan = (name) => () => row && CAN[name](row) && act(name);
  return {
    element,
    set,
    keys: [
      {
        key: 'p',
        text: t('act.key.pause'),
        act: () => (row && CAN.pause(row) ? act('pause') : ifCan('resume')()),
      },
      { key: 'e', text: t('act.export'), act: () => download() },
      { key: 'y', text: t('act.clone'), act: () => go(link(['new'], { from: id })) },
    ],
  };
}
