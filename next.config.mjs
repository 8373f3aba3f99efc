/** What every page and asset carries; `proxy.ts` adds the policy with its nonce to pages. */
const headers = [
  // `no-referrer` would make forms posted without JavaScript send `Origin: null`, which actions refuse.
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // `npm run check` checks the types of everything, once; a start should not do it again.
  typescript: { ignoreBuildErrors: true },
  // A person gives a payer's letter of up to 8 MB with a form.
  experimental: { serverActions: { bodySizeLimit: "9mb" } },
  headers: async () => [{ source: "/((?!api/a2a|tasks/[^/]+/attachments/[0-9a-f]{64}$).*)", headers }],
};
