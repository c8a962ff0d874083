// The form of a job: an engine of the service, what it may use, and which parameters are tuned.

import * as api from '../api.js';
import { append, fill, h } from '../dom.js';
import { t, word } from '../i18n.js';
import { trouble } from '../parts.js';
import { VERIFICATION, jobOf } from '../job-form.js';

const LEARNERS = ['q-tree', 'pooled', 'paper', 'spsa', 'rspsa', 'surface-argmax', 'random'];
const plain = (it) => (it === null || it === undefined ? '' : String(it));

function field(name, input) {
  input.setAttribute('name', name);
  return h('label', {}, t(`form.${name}`), input);
}

/** A row of the table of parameters. */
function parameterRow(it, onChange) {
  const box = h('input', { type: 'checkbox', 'aria-label': t('form.tune', { path: it.path }) });
  const input = (name, shown) =>
    h('input', {
      type: 'text',
      inputmode: 'decimal',
      value: plain(shown),
      'aria-label': `${it.path} ${t(`form.${name}`)}`,
      disabled: true,
      oninput: onChange,
    });
  const start =
    it.kind === 'choice'
      ? h(
          'select',
          {
            disabled: true,
            value: it.value,
            'aria-label': `${it.path} ${t('form.start')}`,
            onchange: onChange,
          },
          it.words.map((name) => h('option', { value: name }, name)),
        )
      : input('start', it.value);
  const inputs =
    it.kind === 'choice'
      ? { start }
      : {
          start,
          min: input('min', it.min),
          max: input('max', it.max),
          step: input('step', it.step),
        };
  box.addEventListener('change', () => {
    Object.values(inputs).forEach((other) => {
      other.disabled = !box.checked;
    });
    onChange();
  });
  const cell = (name) => h('td', { class: 'num' }, inputs[name] ?? '–');
  return {
    path: it.path,
    isChosen: () => box.checked,
    get: () => ({
      path: it.path,
      kind: it.kind,
      scale: it.scale,
      ...Object.fromEntries(Object.entries(inputs).map(([name, other]) => [name, other.value])),
    }),
    element: h(
      'tr',
      { title: it.meaning },
      h('td', {}, box),
      h(
        'th',
        { scope: 'row' },
        h('code', {}, it.path),
        h('small', {}, [word('kind', it.kind), it.unit].filter(Boolean).join(', ')),
      ),
      cell('start'),
      cell('min'),
      cell('max'),
      cell('step'),
    ),
  };
}

/** The form; `onChange` hears of every change. */
export function jobForm(onChange) {
  const engine = h('select', {
    onchange: () => {
      readParameters();
      onChange();
    },
  });
  const reference = h(
    'select',
    { onchange: onChange },
    h('option', { value: '' }, t('form.no_reference')),
  );
  const numeric = (start) =>
    h('input', { type: 'text', inputmode: 'numeric', value: start, oninput: onChange });
  const numbers = {
    budget: numeric(400),
    games: numeric(8000),
    seed: numeric(1),
    trials_in_flight: numeric(8),
  };
  const kind = h(
    'select',
    { onchange: onChange },
    ['simulations', 'work_units'].map((it) => h('option', { value: it }, t(`form.${it}`))),
  );
  const verification = Object.fromEntries(
    Object.entries(VERIFICATION).map(([name, it]) => [name, numeric(it)]),
  );
  const learner = h(
    'select',
    { onchange: onChange },
    LEARNERS.map((it) => h('option', { value: it }, it)),
  );
  const search = h('input', {
    type: 'search',
    placeholder: t('trajectories.search'),
    'aria-label': t('trajectories.search'),
    oninput: () => filter(),
  });
  const table = h('div', { class: 'scroll tall' });
  let rows = [];
  const filter = () =>
    rows.forEach((it) => {
      it.element.hidden = !it.path.includes(search.value.trim());
    });

  async function readParameters() {
    rows = [];
    try {
      const { items } = await api.get(['parameters'], { engine: engine.value });
      rows = items.map((it) => parameterRow(it, onChange));
      fill(
        table,
        h(
          'table',
          { class: 'dense form-table' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('td'),
              h('th', { scope: 'col' }, t('headline.col.parameter')),
              ['start', 'min', 'max', 'step'].map((it) =>
                h('th', { scope: 'col', class: 'num' }, t(`form.${it}`)),
              ),
            ),
          ),
          h(
            'tbody',
            {},
            rows.map((it) => it.element),
          ),
        ),
      );
      filter();
    } catch (error) {
      fill(table, trouble(error));
    }
  }
  return {
    element: h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'fields' },
        field('engine', engine),
        field('reference', reference),
        field('learner', learner),
        field('budget_kind', kind),
        Object.entries(numbers).map(([name, input]) => field(name, input)),
      ),
      h(
        'details',
        {},
        h('summary', {}, t('form.verification')),
        h(
          'div',
          { class: 'fields' },
          Object.entries(verification).map(([name, input]) => field(name, input)),
        ),
      ),
      h('div', { class: 'row' }, h('h2', { class: 'grow minor' }, t('form.parameters')), search),
      table,
    ),
    get() {
      const parameters = rows.filter((it) => it.isChosen()).map((it) => it.get());
      if (!engine.value || parameters.length === 0) return null;
      const typed = Object.fromEntries(
        Object.entries({ ...numbers, ...verification }).map(([name, input]) => [name, input.value]),
      );
      return {
        job: jobOf({
          ...typed,
          engine: engine.value,
          reference: reference.value,
          budget_kind: kind.value,
          learner: learner.value,
          parameters,
        }),
      };
    },
    offer(items) {
      const engines = items.filter((it) => it.kind === 'engine' && !it.error);
      const options = () =>
        engines.map((it) =>
          h('option', { value: it.name }, `${it.name}${it.game ? ` (${it.game})` : ''}`),
        );
      fill(engine, options());
      append(reference, options());
      if (engines.length > 0) readParameters();
      else fill(table, h('p', { class: 'empty' }, t('form.no_engines')));
    },
  };
}
