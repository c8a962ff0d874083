// At most one refresh a second, one at a time, and none while the page is hidden.

const PERIOD_MS = 1000;

/** Calls `work` soon after each `ask`, never more often than each `period`. */
export function throttle(work, period = PERIOD_MS) {
  let timer = null;
  let last = -Infinity;
  let isBusy = false;
  let isWanted = false;
  let closed = false;

  async function run() {
    timer = null;
    if (closed || document.hidden) return;
    isWanted = false;
    isBusy = true;
    last = performance.now();
    try {
      await work();
    } finally {
      isBusy = false;
      if (isWanted) plan();
    }
  }
  function plan() {
    if (closed || timer !== null || isBusy || document.hidden) return;
    timer = setTimeout(run, Math.max(0, last + period - performance.now()));
  }
  const seen = () => {
    if (isWanted) plan();
  };
  document.addEventListener('visibilitychange', seen);
  return {
    ask() {
      isWanted = true;
      plan();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}
