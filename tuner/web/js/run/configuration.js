// The engine's configuration before and after, the job, and what makes the run again.

import { append, fill, h } from '../dom.js';
import { note } from '../dialogs.js';
import { folded } from '../diff.js';
import { count, time } from '../format.js';
import { t } from '../i18n.js';
import { choices, section } from '../parts.js';

function diff(lines) {
  const isSame = lines.every(({ sign }) => sign === ' ');
  if (isSame) return h('p', { class: 'empty' }, t('configuration.same'));
  return h(
    'pre',
    { class: 'diff', tabindex: '0', 'aria-label': t('configuration.diff') },
    folded(lines).map((line) =>
      line.left
        ? h('span', { class: 'fold' }, t('configuration.folded', { count: count(line.left) }))
        : h(
            'span',
            { class: { '-': 'cut', '+': 'put', ' ': 'same' }[line.sign] },
            `${line.sign} ${line.text}`,
          ),
    ),
  );
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note(t('card.copied'));
  } catch {
    note(t('card.copy_refused'), 'bad');
  }
}

function card(it) {
  const pair = (name, text) => [h('dt', {}, t(`card.${name}`)), h('dd', {}, text ?? '–')];
  const code = (text) => (text ? h('code', {}, text) : '–');
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, t('card.title')),
    h('p', {}, it.reproducible ? t('card.yes') : t('card.no')),
    h(
      'dl',
      { class: 'pairs' },
      pair('seed', code(String(it.seed))),
      pair('program', code(it.program_version)),
      pair('results', code(String(it.results_version))),
      pair('job_digest', code(it.job_digest)),
      pair('tuned_digest', code(it.tuned_digest)),
      pair('journal', t('card.lines', { count: count(it.journal_lines) })),
      pair(
        'formats',
        t('card.formats_text', { engine: it.engine_format, journal: it.journal_format }),
      ),
      pair('started', time(it.started)),
    ),
    (it.commands ?? []).map((text) =>
      h(
        'div',
        { class: 'command' },
        h('code', { tabindex: '0' }, text),
        h('button', { type: 'button', class: 'bare', onclick: () => copy(text) }, t('card.copy')),
      ),
    ),
  );
}

/** The section. */
export function configuration(context) {
  const text = h('div');
  const side = h('div');
  let form = 'diff';
  let files = null;
  let job = null;
  const forms = choices(
    t('configuration.form'),
    [
      ['diff', t('configuration.diff')],
      ['after', t('configuration.after')],
      ['before', t('configuration.before')],
      ['job', t('configuration.job')],
    ],
    form,
    (it) => {
      form = it;
      part.now();
    },
  );
  const element = section(
    'configuration',
    t('run.section.configuration'),
    h('div', { class: 'wide-narrow' }, append(h('div'), forms, text), side),
  );
  const whole = (it) => h('pre', { class: 'source', tabindex: '0' }, it);
  async function draw() {
    if (form === 'job') {
      job ??= await context.getText(['job']);
      fill(text, whole(job));
    } else if (files) fill(text, form === 'diff' ? diff(files.diff) : whole(files[form]));
  }
  async function read() {
    const [next, made] = await Promise.all([context.get(['configuration']), context.get(['card'])]);
    files = next;
    fill(side, card(made));
    await draw();
  }
  const part = { element, read };
  return part;
}
