// Numbers, times and durations as people read them, in the language of the page. Everything that is
// not a finite number is a dash: a missing figure is never shown as nought.

export const DASH = '–';
const MINUS = '\u2212';

let locale = 'en';
const formats = new Map();

/** Formats from now on are of this language. */
export function setLocale(tag) {
  locale = tag;
  formats.clear();
}

function numberFormat(options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(locale, options));
  return formats.get(key);
}

const typeset = (text) => text.replace(/^-/, MINUS);
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** A count: whole, grouped. */
export const count = (value) =>
  isNumber(value) ? typeset(numberFormat({ maximumFractionDigits: 0 }).format(value)) : DASH;

/** A count in little room: 29,773 as 30K. */
export const compact = (value) =>
  isNumber(value)
    ? numberFormat({ notation: 'compact', maximumSignificantDigits: 3 }).format(value)
    : DASH;

/** A number with a fixed number of decimals. */
export const fixed = (value, decimals) =>
  isNumber(value)
    ? typeset(
        numberFormat({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          value,
        ),
      )
    : DASH;

/** A value of a parameter: four significant digits, without trailing noughts; words as they are. */
export function value(it) {
  if (typeof it === 'string') return it;
  if (!isNumber(it)) return DASH;
  if (it !== 0 && Math.abs(it) < 1e-4) return typeset(it.toExponential(2));
  return typeset(
    numberFormat({ maximumSignificantDigits: 4, useGrouping: Math.abs(it) >= 1e5 }).format(it),
  );
}

/** With its sign, also above nought. */
export const signed = (it, decimals = 1) =>
  isNumber(it)
    ? typeset(
        numberFormat({
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
          signDisplay: 'exceptZero',
        }).format(it),
      )
    : DASH;

/** A change of a value, with its sign and three significant digits. */
export const change = (it) =>
  isNumber(it)
    ? typeset(numberFormat({ maximumSignificantDigits: 3, signDisplay: 'exceptZero' }).format(it))
    : DASH;

/** An interval in brackets. */
export const interval = (bounds, decimals = 1) =>
  Array.isArray(bounds) ? `[${signed(bounds[0], decimals)}, ${signed(bounds[1], decimals)}]` : DASH;

/** A share between 0 and 1 as per cent. */
export const percent = (share, decimals = 1) =>
  isNumber(share)
    ? typeset(
        numberFormat({
          style: 'percent',
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
        }).format(share),
      )
    : DASH;

/** A probability as per cent, never rounded to certainty. */
export function probability(share) {
  if (!isNumber(share)) return DASH;
  if (share > 0.999 && share < 1 + 1e-9) return `> ${percent(0.999)}`;
  return share < 0.001 ? `< ${percent(0.001)}` : percent(share);
}

/** A rate: three significant digits below a thousand. */
export const rate = (it) =>
  isNumber(it)
    ? numberFormat(
        it < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
      ).format(it)
    : DASH;

const unit = (amount, name) =>
  numberFormat({
    style: 'unit',
    unit: name,
    unitDisplay: 'narrow',
    maximumFractionDigits: 0,
  }).format(amount);

/** A duration in its two largest units. */
export function duration(seconds) {
  if (!isNumber(seconds) || seconds < 0) return DASH;
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 86400), 'day'],
    [Math.floor(whole / 3600) % 24, 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) return unit(0, 'second');
  return parts
    .slice(first, first + 2)
    .filter(([amount], at) => at === 0 || amount > 0)
    .map(([amount, name]) => unit(amount, name))
    .join(' ');
}

/** A time of day with its date, local. */
export function time(iso, style = 'medium') {
  const date = iso ? new Date(iso) : null;
  if (!date || Number.isNaN(date.getTime())) return DASH;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: style }).format(date);
}

/** A time of day alone, local, to the second. */
export function clock(iso) {
  const date = iso ? new Date(iso) : null;
  if (!date || Number.isNaN(date.getTime())) return DASH;
  return new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(date);
}

/** A size in MiB, in GiB from there on. */
export function mib(amount) {
  if (!isNumber(amount)) return DASH;
  return amount >= 1024 ? `${fixed(amount / 1024, 1)} GiB` : `${count(amount)} MiB`;
}

/** A path without the part that all paths of the run begin with; the whole is in the title. */
export function shortPath(path) {
  return path.startsWith('stages.') ? path.slice('stages.'.length) : path;
}
