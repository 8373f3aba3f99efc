/** No proxy may cache, change or buffer these answers. */
export const liveHeaders = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } as const;
