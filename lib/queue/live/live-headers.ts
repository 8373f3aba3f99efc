/** Nobody in between may keep these answers, change them or hold them back. */
export const liveHeaders = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } as const;
