// Where the page is: the fragment of its address, read and written. Pure, but for `go`.

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A view with its names and its query from a fragment such as `#/runs/a?s=tree`. */
export function parse(fragment) {
  const [path, search = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const query = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split('/').filter(Boolean).map(decode);
  if (parts.length === 0) return { view: 'runs', query };
  if (parts.length === 1 && ['new', 'compare'].includes(parts[0])) return { view: parts[0], query };
  if (parts[0] === 'runs' && parts.length === 1) return { view: 'runs', query };
  if (parts[0] === 'runs' && parts.length === 2) return { view: 'run', run: parts[1], query };
  if (parts[0] === 'runs' && parts.length === 4 && parts[2] === 'games') {
    return { view: 'game', run: parts[1], game: parts[3], query };
  }
  return { view: 'lost', query };
}

/** The fragment of a path of names, with what of the query is not empty. */
export function link(names, query = {}) {
  const kept = Object.entries(query).filter(
    ([, it]) => it !== null && it !== undefined && it !== '',
  );
  const search = new URLSearchParams(kept).toString();
  return `#/${names.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

/** The token of a fragment such as `#token=abc`; null where there is none. */
export function tokenOf(fragment) {
  return /^#token=([0-9A-Za-z_-]+)$/.exec(fragment)?.[1] ?? null;
}

/** Goes to a fragment, with a step of the history. */
export const go = (fragment) => {
  location.hash = fragment;
};

/** Changes the query in the address alone: no step of the history, no new view. */
export function keepQuery(changes) {
  const { view, run, game, query } = parse(location.hash);
  const names =
    { new: ['new'], compare: ['compare'], run: ['runs', run], game: ['runs', run, 'games', game] }[
      view
    ] ?? [];
  history.replaceState(null, '', link(names, { ...query, ...changes }));
}
