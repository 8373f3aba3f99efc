/** Says yes to one of every so many successful reads, which is logged. All are counted. */
export function sampledReads(oneIn: number): () => boolean {
  let reads = 0;
  return () => {
    reads = (reads + 1) % oneIn;
    return reads === 0;
  };
}
