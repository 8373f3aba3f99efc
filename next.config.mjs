/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // `npm run check` checks the types of everything, once; a start should not do it again.
  typescript: { ignoreBuildErrors: true },
  // Nothing here has its images changed: what does so would ask for whatever address a stranger names.
  images: { unoptimized: true },
  // A page for developers is read as Markdown by the same address with `.md`.
  rewrites: async () => [{ source: "/developers/:page([a-z-]+).md", destination: "/developers/markdown/:page" }],
  // Loaded where traces are on alone, and never by a page.
  serverExternalPackages: ["@opentelemetry/api", "@opentelemetry/sdk-trace", "@opentelemetry/exporter-trace-otlp-http"],
  // A person gives a payer's letter of up to 8 MB with a form.
  experimental: { serverActions: { bodySizeLimit: "9mb" } },
};
