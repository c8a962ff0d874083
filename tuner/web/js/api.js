// Requests to the service. The token travels in a header, and only to the service itself.

const KEY = 'sixfold.token';
const BASE = 'api/v1';
let token = null;
let refused = () => {};

/** What the service would not do, in its own words. */
export class Refusal extends Error {
  constructor(status, detail, hint) {
    super(hint ? `${detail} ${hint}` : detail);
    this.status = status;
  }
}

/** Calls `hear` whenever the service wants another token. */
export const onRefused = (hear) => {
  refused = hear;
};

/** Keeps a token for this browser. */
export function keepToken(text) {
  token = text;
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Without storage the token lasts as long as the page.
  }
}

/** The token kept earlier. */
export function recallToken() {
  try {
    token ??= localStorage.getItem(KEY);
  } catch {
    // No storage: the form asks.
  }
  return token;
}

/** The address of a path of names, with a query. */
export function address(names, query = {}) {
  const kept = Object.entries(query).filter(([, it]) => it !== null && it !== undefined);
  const search = new URLSearchParams(kept).toString();
  return `${BASE}/${names.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

async function refusal(response) {
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // Not a problem document: the status has to do.
  }
  const detail = problem.detail ?? problem.title ?? `${response.status} ${response.statusText}`;
  return new Refusal(response.status, detail, problem.hint);
}

async function request(method, names, { query, body, type, signal } = {}) {
  const headers = {};
  if (token) headers.authorization = `Bearer ${token}`;
  if (type) headers['content-type'] = type;
  const response = await fetch(address(names, query), {
    method,
    headers,
    body,
    signal,
    credentials: 'same-origin',
    cache: 'no-store',
  });
  if (response.ok) return response;
  const error = await refusal(response);
  if (response.status === 401) refused(error);
  throw error;
}

/** A resource. */
export const get = async (names, query, signal) =>
  (await request('GET', names, { query, signal })).json();

/** A resource that is a text. */
export const getText = async (names, query, signal) =>
  (await request('GET', names, { query, signal })).text();

/** A file with the name that the service gives it. */
export async function getFile(names, query) {
  const response = await request('GET', names, { query });
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name, blob: await response.blob() };
}

/** A change without a body, or with one as JSON. */
export async function post(names, body) {
  const response = await request(
    'POST',
    names,
    body === undefined
      ? {}
      : {
          body: JSON.stringify(body),
          type: 'application/json',
        },
  );
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/** A configuration's text in, another out. */
export const postText = async (names, text) =>
  (await request('POST', names, { body: text, type: 'application/toml' })).text();

/** Sets the cookie by which streams are read. */
export const openSession = () => post(['session']);

/** All items of a paged resource, at most `most`, from the one after `after` on. */
export async function pages(names, { query = {}, after = -1, most = 5000, signal } = {}) {
  const items = [];
  let total = 0;
  for (let next = after; next !== null && items.length < most;) {
    const page = await get(
      names,
      { ...query, limit: 500, ...(next >= 0 && { after: next }) },
      signal,
    );
    items.push(...page.items);
    total = page.total;
    next = page.items.length > 0 ? page.next : null;
  }
  return { items, total };
}
