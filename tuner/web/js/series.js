// Arithmetic of what charts show. Pure.

/** Exponential smoothing whose first values are not drawn to nought; gaps are passed over. */
export function smooth(values, weight) {
  if (!(weight > 0)) return values;
  let sum = 0;
  let mass = 0;
  return values.map((it) => {
    if (it === null || it === undefined || !Number.isFinite(it)) return null;
    sum = weight * sum + (1 - weight) * it;
    mass = weight * mass + (1 - weight);
    return sum / mass;
  });
}

/** Where a value lies in its parameter's range on its scale, 0 to 1. */
export function share({ min, max, scale }, value) {
  if (!(max > min)) return 0;
  if (scale === 'log' && min > 0) return Math.log(value / min) / Math.log(max / min);
  return (value - min) / (max - min);
}

/** The value at a share of a parameter's range. */
export function atShare({ min, max, scale }, part) {
  if (scale === 'log' && min > 0) return min * (max / min) ** part;
  return min + part * (max - min);
}

/** A pleasant step (1, 2 or 5 times a power of ten) of about `range / parts`. */
export function niceStep(range, parts) {
  if (!(range > 0)) return 1;
  const rough = range / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

/** Pleasant marks of an axis between two values, on a linear or a logarithmic scale. */
export function ticks({ min, max, scale }, parts) {
  if (scale === 'log' && min > 0 && max / min > 8) {
    const marks = [];
    const leads = Math.log10(max / min) > parts / 2 ? [1] : [1, 2, 5];
    for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power += 1) {
      for (const lead of leads) marks.push(Number(`${lead}e${power}`));
    }
    return marks.filter((it) => it >= min * (1 - 1e-9) && it <= max * (1 + 1e-9));
  }
  const step = niceStep(max - min, parts);
  const marks = [];
  for (let at = Math.ceil(min / step - 1e-9); at * step <= max + 1e-9 * step; at += 1) {
    marks.push(Number((at * step).toPrecision(12)));
  }
  return marks;
}

/** Bilinear reading of a grid `[x][y]` at shares 0 to 1; null next to a gap. */
export function bilinear(grid, nx, ny, x, y) {
  const gx = Math.min(Math.max(x, 0), 1) * (nx - 1);
  const gy = Math.min(Math.max(y, 0), 1) * (ny - 1);
  const x0 = Math.min(Math.floor(gx), Math.max(nx - 2, 0));
  const y0 = Math.min(Math.floor(gy), Math.max(ny - 2, 0));
  const x1 = Math.min(x0 + 1, nx - 1);
  const y1 = Math.min(y0 + 1, ny - 1);
  // Without lists: this is read for every pixel of a map.
  const low = grid[x0][y0];
  const right = grid[x1][y0];
  const above = grid[x0][y1];
  const both = grid[x1][y1];
  if (low === null || right === null || above === null || both === null) return null;
  const fx = gx - x0;
  const fy = gy - y0;
  return (low * (1 - fx) + right * fx) * (1 - fy) + (above * (1 - fx) + both * fx) * fy;
}

/** Several curves over their own places as one table over all places, gaps as null. */
export function merge(curves) {
  const places = [...new Set(curves.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const index = new Map(places.map((it, at) => [it, at]));
  const rows = curves.map(({ x, y }) => {
    const row = new Array(places.length).fill(null);
    x.forEach((it, at) => {
      row[index.get(it)] = y[at];
    });
    return row;
  });
  return [places, ...rows];
}

/** Smallest and largest finite value of several rows; null where there is none. */
export function extent(...rows) {
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows) {
    for (const it of row) {
      if (it === null || it === undefined || !Number.isFinite(it)) continue;
      if (it < low) low = it;
      if (it > high) high = it;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Hours since the first finished round, for each round that the log tells of. */
export function hoursOf(log) {
  const hours = new Map();
  let first = null;
  for (const { time, message, fields } of log) {
    if (message !== 'round finished') continue;
    const at = Date.parse(time);
    first ??= at;
    hours.set(Number(fields.round), (at - first) / 3600000);
  }
  return hours;
}
