/** A function that is true for one in `oneIn` of its calls: that successful read is logged. All are counted. */
export function sampledReads(oneIn: number): () => boolean {
  let reads = 0;
  return () => {
    reads = (reads + 1) % oneIn;
    return reads === 0;
  };
}
