// Colours that the colour-blind can tell, and strokes for those who see none: Okabe and Ito's set
// for lines, Cividis-like ramps for amounts, blue against orange for signs.

import { shown } from '../theme.js';

// CITE: M. Okabe, K. Ito, "Color Universal Design", 2008. Yellow is left out: it cannot be read on
// paper; each theme has its own lightness of the rest.
const LIGHT = ['#0067a5', '#c8500a', '#00855f', '#a8548a', '#9a6a00', '#2b8fc4', '#4d5560'];
const DARK = ['#5cb3ea', '#ff8a4c', '#2fc99b', '#e39ac6', '#f0b429', '#9ad4f5', '#aab3bf'];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Colour of the `at`-th line. */
export const lineColour = (at) => (shown() === 'dark' ? DARK : LIGHT)[at % LIGHT.length];

/** Dashes of the `at`-th line: lines of the same colour differ in them, and so do neighbours. */
export const lineDash = (at) => DASHES[(at + Math.floor(at / LIGHT.length)) % DASHES.length];

const mix = (from, to, part) => from.map((it, at) => Math.round(it + (to[at] - it) * part));

function ramp(stops, part) {
  const place = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const at = Math.min(Math.floor(place), stops.length - 2);
  return mix(stops[at], stops[at + 1], place - at);
}

// From dark blue over grey to straw: lightness grows evenly, so it reads without hue as well.
const AMOUNTS = [
  [0, 34, 78],
  [39, 66, 110],
  [87, 93, 109],
  [126, 124, 120],
  [168, 156, 116],
  [213, 192, 95],
  [254, 232, 110],
];

/** Red, green, blue of an amount, 0 to 1. */
export const amountColour = (part) => ramp(AMOUNTS, part);

const BELOW = { light: [0, 103, 165], dark: [74, 160, 220] };
const ABOVE = { light: [230, 120, 0], dark: [255, 150, 50] };
const MIDDLE = { light: [247, 247, 245], dark: [36, 41, 48] };

/** Red, green, blue of a signed amount, -1 to 1: blue below, orange above. */
export function signColour(part) {
  const theme = shown();
  const end = part < 0 ? BELOW[theme] : ABOVE[theme];
  return mix(MIDDLE[theme], end, Math.min(Math.abs(part), 1));
}

/** As CSS writes it. */
export const css = ([red, green, blue], alpha = 1) => `rgb(${red} ${green} ${blue} / ${alpha})`;

/** Black or white, whichever can be read on a colour. */
export function inkOn([red, green, blue]) {
  const linear = (it) =>
    it / 255 <= 0.04 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4;
  const light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return light > 0.19 ? '#14181d' : '#ffffff';
}
