/**
 * How well a time tells two causes apart: the probability that one drawn from `left` is longer than one drawn from
 * `right`, equal ones counted half (the area under the ROC curve, the Mann-Whitney statistic). 0.5 tells nothing.
 */
export function areaUnderCurve(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((time) => ({ time, left: 1 })), ...right.map((time) => ({ time, left: 0 }))];
  all.sort((a, b) => a.time - b.time);
  let ranks = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    let lefts = 0;
    while (to < all.length && all[to]?.time === all[from]?.time) lefts += all[to++]?.left ?? 0;
    // Ranks count from 1, and equal times share the middle of theirs.
    ranks += (lefts * (from + 1 + to)) / 2;
    from = to;
  }
  return (ranks - (left.length * (left.length + 1)) / 2) / (left.length * right.length);
}

/**
 * The same between neighbours: of every ten and ten measured in turn by themselves, and the mean of all. What the
 * machine does otherwise comes and goes in stretches longer than these and so meets both alike, where over a whole run
 * it would hide a difference that every ten show.
 */
export function areaAmongNeighbours(left: readonly number[], right: readonly number[]): number {
  const areas = [];
  for (let from = 0; from + neighbours <= left.length; from += neighbours)
    areas.push(areaUnderCurve(left.slice(from, from + neighbours), right.slice(from, from + neighbours)));
  return areas.reduce((sum, area) => sum + area, 0) / areas.length;
}

const neighbours = 10;
