// A stream of the service. It comes back by itself after the connection was lost, goes on after the
// last line it told, and is closed while nobody looks: a night of hidden pages costs nothing.

import { address, openSession } from './api.js';

const WAIT_FIRST_MS = 1000;
const WAIT_MOST_MS = 15000;

/**
 * Listens to a stream. `on` has a function for each kind of event; `changed` is told `open`, `lost`
 * or `idle`; `back` is called when the stream is there again after a pause, to read what
 * was missed.
 * `after`: number of the last line known. The answer has `close`.
 */
export function listen(names, { on, changed = () => {}, back = () => {}, after = null }) {
  let source = null;
  let timer = null;
  let wait = WAIT_FIRST_MS;
  let line = after;
  let wasAway = false;
  let closed = false;

  const stop = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const lost = () => {
    wasAway = true;
    changed('lost');
    // A browser gives up on an answer that is no stream; then it is for us to ask again.
    if (source?.readyState === EventSource.CLOSED) {
      stop();
      // It may be that the cookie is gone: the token sets it again.
      timer = setTimeout(() => openSession().then(start, start), wait);
      wait = Math.min(2 * wait, WAIT_MOST_MS);
    }
  };
  function start() {
    if (closed || document.hidden) return;
    source = new EventSource(address(names, line === null ? {} : { after: line }));
    source.onopen = () => {
      wait = WAIT_FIRST_MS;
      changed('open');
      if (wasAway) back();
      wasAway = false;
    };
    source.onerror = lost;
    for (const [kind, hear] of Object.entries(on)) {
      source.addEventListener(kind, (event) => {
        if (event.lastEventId) line = Number(event.lastEventId);
        hear(JSON.parse(event.data));
      });
    }
  }
  const seen = () => {
    stop();
    if (document.hidden) {
      wasAway = true;
      changed('idle');
    } else {
      start();
    }
  };
  document.addEventListener('visibilitychange', seen);
  start();
  return {
    close() {
      closed = true;
      document.removeEventListener('visibilitychange', seen);
      stop();
    },
  };
}
