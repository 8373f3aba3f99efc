/** Keeps a file that somebody else wrote from being active in our origin, kept by a cache or taken for another kind. */
export const foreignFileHeaders = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "private, no-store",
} as const;
