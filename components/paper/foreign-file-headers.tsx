/** Headers for a file from outside: the browser runs none of it, caches no copy, and does not guess its type. */
export const foreignFileHeaders = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "private, no-store",
} as const;
