// What the learner came to believe: Elo of the values in force over games, and Q-values.

import { fill, h, say } from '../dom.js';
import { count, fixed, signed } from '../format.js';
import { t } from '../i18n.js';
import { choices, empty, section } from '../parts.js';
import { lineChart } from '../charts/line.js';
import { pathOf } from '../tree.js';

/** The section. */
export function learning(context) {
  let over = null;
  const strength = lineChart({
    title: t('learning.elo'),
    x: { label: t('unit.games') },
    y: { label: 'Elo' },
    sync: `run-${context.id}`,
    show: (it) => signed(it),
  });
  const q = lineChart({
    title: t('learning.q'),
    x: { label: t('unit.episodes') },
    y: { label: 'Q' },
    show: (it) => fixed(it, 3),
  });
  const strengthNote = h('p', { class: 'faint' }, t('learning.elo_note'));
  const qBox = h('div');
  const ways = h('span');
  const qNote = h('p', { class: 'faint' });
  const element = section(
    'learning',
    t('run.section.learning'),
    h(
      'div',
      { class: 'two' },
      h('div', {}, h('h3', {}, t('learning.elo')), strength.element, strengthNote),
      h(
        'div',
        {},
        h('div', { class: 'row' }, h('h3', { class: 'grow' }, t('learning.q')), ways),
        qBox,
        qNote,
      ),
    ),
  );
  let answer = null;

  function drawStrength({ strength: it, measured = [] }) {
    const data = [
      it.games,
      it.elo_95.map((pair) => pair[1]),
      it.elo_95.map((pair) => pair[0]),
      it.elo,
    ];
    const series = [
      { label: t('learning.high'), faint: true, at: 0 },
      { label: t('learning.low'), faint: true, at: 0 },
      { label: t('learning.fitted'), at: 0, solid: true, width: 2 },
    ];
    const levels = [{ at: 0, text: t('learning.start') }];
    if (measured.length > 0 && it.games.length > 0) {
      const last = it.games.length - 1;
      const newest = measured[measured.length - 1];
      const only = (value) => it.games.map((_, at) => (at === last ? value : null));
      data.push(only(newest.elo));
      series.push({
        label: t('learning.measured', { games: count(newest.games) }),
        at: 1,
        points: true,
      });
      levels.push(
        ...newest.elo_95.map((at, end) => ({
          at,
          name: 'mark-2',
          text: end ? t('learning.measured_95') : '',
        })),
      );
    }
    strength.set({ data, series, bands: [[1, 2, 0]], levels });
  }
  function drawQ() {
    if (!answer) return;
    if (over === null) {
      // A learner that plans on a surface tells of its newest round in one step: rounds say more.
      over = answer.updates.length > 2 ? 'episodes' : 'rounds';
      fill(
        ways,
        choices(
          t('learning.over'),
          [
            ['episodes', t('learning.over_episodes')],
            ['rounds', t('learning.over_rounds')],
          ],
          over,
          (it) => {
            over = it;
            drawQ();
          },
        ),
      );
    }
    const [x, rows] =
      over === 'episodes'
        ? [answer.updates, answer.q]
        : [answer.ends?.rounds ?? [], answer.ends?.q ?? []];
    if (!rows?.length || !x?.length) {
      fill(qBox, empty(t('learning.no_q')));
      return;
    }
    if (!qBox.contains(q.element)) fill(qBox, q.element);
    const leaves = rows.map((_, at) => at).filter((at) => at > 6);
    const order = [
      ...leaves,
      ...[0, 1, 2, 3, 4, 5, 6].filter((at) => rows[at].some((it) => it !== 0)),
    ];
    q.set({
      shape: over,
      x: { label: over === 'episodes' ? t('unit.episodes') : t('unit.rounds') },
      data: [x, ...order.map((at) => rows[at])],
      series: order.map((at) =>
        at > 6
          ? {
              label: pathOf({ number: at }).join('→'),
              at: Math.floor((at - 1) / 6) - 1,
              faint: true,
            }
          : at === 0
            ? { label: t('tree.root'), colour: 'ink', solid: true, width: 2.5 }
            : { label: String(at), at: at - 1, width: 2 },
      ),
    });
    qNote.textContent =
      over === 'episodes'
        ? t('learning.q_note', { round: count(answer.of_round) })
        : t('learning.q_note_rounds');
  }
  async function read() {
    const [statistics, values] = await Promise.all([
      context.get(['statistics']),
      context.get(['q-values']),
    ]);
    answer = values;
    const isFitted = statistics.strength.games.length > 0;
    strength.element.hidden = !isFitted;
    say(strengthNote, t(isFitted ? 'learning.elo_note' : 'learning.no_surface'));
    if (isFitted) drawStrength(statistics);
    drawQ();
    if (!values.behind) return null;
    qNote.textContent = t('learning.behind', {
      read: count(values.behind[0]),
      all: count(values.behind[1]),
    });
    return 'again';
  }
  return {
    element,
    read,
    close() {
      strength.close();
      q.close();
    },
  };
}
