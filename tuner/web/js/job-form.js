// A job from what a form says. Pure: the same answers make the same job.

/** Keys of the verification, with what a form begins with. */
export const VERIFICATION = {
  nelo_low: 0,
  nelo_high: 20,
  alpha: 0.05,
  beta: 0.05,
  games_max: 2000,
  batch_games: 100,
  measured_games: 1000,
  reference_games: 1000,
};

/** The number that a field says, null where it is empty. */
export const number = (text) => (String(text).trim() === '' ? null : Number(text));

/** A table of the numbers that were said. */
function numbers(answers, names) {
  const said = names.map((name) => [name, number(answers[name] ?? '')]);
  return Object.fromEntries(said.filter(([, it]) => it !== null));
}

/**
 * A job as the service takes it. `answers`: engine, reference, seed, budget_kind, budget, games,
 * trials_in_flight, learner, the keys of `VERIFICATION`, and `parameters` of `{path, kind, scale,
 * start, min, max, step}`, with texts as typed. What is empty is left out: the service says so.
 */
export function jobOf(answers) {
  const job = { format: 1, seed: number(answers.seed), engine: { config: answers.engine } };
  if (answers.reference) job.reference = { config: answers.reference };
  job.budget = { [answers.budget_kind]: number(answers.budget) };
  job.run = numbers(answers, ['games', 'trials_in_flight']);
  job.learner = { kind: answers.learner };
  job.parameters = answers.parameters.map((it) => {
    const parameter = { path: it.path };
    if (it.kind === 'choice') {
      parameter.start = it.start;
      return parameter;
    }
    Object.assign(parameter, numbers(it, ['start', 'min', 'max', 'step']));
    if (it.scale) parameter.scale = it.scale;
    return parameter;
  });
  const names = Object.keys(VERIFICATION).filter(
    (it) => it !== 'reference_games' || answers.reference,
  );
  job.verification = numbers(answers, names);
  return job;
}
