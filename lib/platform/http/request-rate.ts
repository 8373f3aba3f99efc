/** How much somebody has left, and what they were refused. */
type Bucket = { left: number; at: number; refused: number; reportedAt: number };

/** Subjects remembered at once; whoever was here longest ago is forgotten, and begins with a full bucket. */
const subjectsMax = 20_000;

/** What was refused to a subject is told at once, and then once a minute with how much it was. */
const reportedEveryMs = 60_000;

export type RequestRate = {
  /** Takes so much from a subject; else how many seconds until there is as much. `now` is in milliseconds. */
  readonly take: (subject: string, cost: number, now: number) => number;
  /** Gives so much back that was taken of a subject. */
  readonly give: (subject: string, cost: number) => void;
};

export type RateOptions = {
  readonly perSecond: number;
  /** So many seconds' worth may come at once. */
  readonly burstS: number;
  /** Told of a subject at its first refusal, and then once a minute with how many there were. */
  readonly onRefused: (refused: { readonly subject: string; readonly count: number }) => void;
};

/** A bucket for each subject that fills steadily, in this process. */
export function createRequestRate({ perSecond, burstS, onRefused }: RateOptions): RequestRate {
  const full = perSecond * burstS;
  const buckets = new Map<string, Bucket>();

  function bucketOf(subject: string, now: number): Bucket {
    const bucket = buckets.get(subject) ?? { left: full, at: now, refused: 0, reportedAt: Number.NEGATIVE_INFINITY };
    // The last asked is the last in order, so that the first is who was here longest ago.
    buckets.delete(subject);
    buckets.set(subject, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > subjectsMax && oldest !== undefined) buckets.delete(oldest);
    bucket.left = Math.min(full, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
    bucket.at = now;
    return bucket;
  }

  return {
    take: (subject, cost, now) => {
      const bucket = bucketOf(subject, now);
      if (bucket.left >= cost) {
        bucket.left -= cost;
        return 0;
      }
      bucket.refused += 1;
      if (now - bucket.reportedAt >= reportedEveryMs) {
        onRefused({ subject, count: bucket.refused });
        Object.assign(bucket, { refused: 0, reportedAt: now });
      }
      return Math.max(1, Math.ceil((cost - bucket.left) / perSecond));
    },
    give: (subject, cost) => {
      const bucket = buckets.get(subject);
      if (bucket) bucket.left = Math.min(full, bucket.left + cost);
    },
  };
}
