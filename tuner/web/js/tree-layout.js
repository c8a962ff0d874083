// Where the 43 nodes of the tree of edits stand: the root in the middle, the six ways around it,
// their six ways outside. Pure.

export const WAYS = 6;
export const CENTRE = 360;
export const RINGS = [0, 142, 268];

/** The angle of a node: its sector's middle, or its place within it; way 1 is at the top. */
export function angleOf(number) {
  if (number === 0) return 0;
  const sector = (Math.PI * 2) / WAYS;
  if (number <= WAYS) return (number - 1) * sector;
  const [parent, way] = [Math.floor((number - 1) / WAYS), (number - 1) % WAYS];
  return (parent - 1) * sector + ((way + 0.5) / WAYS - 0.5) * sector;
}

/** The layer of a node, 0 to 2. */
export const layerOf = (number) => (number === 0 ? 0 : number <= WAYS ? 1 : 2);

/**
 * How a Q stands within its layer, -1 to 1: its distance from the mean of the layer's visited
 * nodes, as a share of the largest there. Layers are told apart because later rewards are
 * discounted; and a learner may give every node a Q far from nought.
 */
export function standing(nodes) {
  const of = new Map();
  for (const layer of [1, 2]) {
    const some = nodes.filter((it) => layerOf(it.number) === layer && it.visits > 0);
    const mean = some.reduce((sum, it) => sum + it.q, 0) / Math.max(some.length, 1);
    const most = Math.max(...some.map((it) => Math.abs(it.q - mean)), 0);
    for (const it of some) of.set(it.number, most > 0 ? (it.q - mean) / most : 0);
  }
  return of;
}

/** The point at an angle and a distance from the middle. */
export const polar = (angle, distance) => [
  CENTRE + distance * Math.sin(angle),
  CENTRE - distance * Math.cos(angle),
];

/** The point of a node. */
export const pointOf = (number) => polar(angleOf(number), RINGS[layerOf(number)]);

/** The node that an arrow key leads to. */
export function neighbour(number, key) {
  const layer = layerOf(number);
  if (key === 'ArrowUp') return layer === 0 ? 0 : Math.floor((number - 1) / WAYS);
  if (key === 'ArrowDown') return layer === 2 ? number : WAYS * number + 1;
  if (key === 'Home') return 0;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step || layer === 0) return number;
  const [first, size] = layer === 1 ? [1, WAYS] : [WAYS + 1, WAYS * WAYS];
  return first + ((number - first + step + size) % size);
}
