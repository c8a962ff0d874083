// A job from what a form says. Pure: the same answers make the same job.

/** The number that a field says, null where it is empty. */
export const number = (text) => (String(text).trim() === '' ? null : Number(text));

/**
 * A job as the service takes it. `answers`: engine, reference, seed, simulations, games, learner,
 * verify, and `parameters` of `{path, kind, scale, start, min, max, step}` with texts as typed.
 */
export function jobOf(answers) {
  const job = { format: 1, seed: number(answers.seed), engine: { config: answers.engine } };
  if (answers.reference) job.reference = { config: answers.reference };
  job.budget = { simulations: number(answers.simulations) };
  job.run = { games: number(answers.games) };
  job.learner = { kind: answers.learner };
  job.parameters = answers.parameters.map((it) => {
    const parameter = { path: it.path };
    if (it.kind === 'choice') {
      parameter.start = it.start;
      return parameter;
    }
    for (const name of ['start', 'min', 'max', 'step']) {
      const said = number(it[name]);
      if (said !== null) parameter[name] = said;
    }
    if (it.scale) parameter.scale = it.scale;
    return parameter;
  });
  return job;
}
