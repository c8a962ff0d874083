// Which lines of a difference are worth showing. Pure.

const AROUND = 3;

/** Lines of a diff with only what is around changes; what was left out is counted. */
export function folded(lines, around = AROUND) {
  const near = new Set();
  lines.forEach(({ sign }, at) => {
    if (sign === ' ') return;
    for (let it = at - around; it <= at + around; it += 1) near.add(it);
  });
  const out = [];
  let left = 0;
  lines.forEach((line, at) => {
    if (near.has(at)) {
      if (left > 0) out.push({ left });
      left = 0;
      out.push(line);
    } else left += 1;
  });
  if (left > 0) out.push({ left });
  return out;
}
