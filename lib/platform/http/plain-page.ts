import { createHash } from "node:crypto";

const style =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:26rem;margin:20vh auto;padding:0 1rem}h1{font-size:1.25rem}a{color:inherit}";

/** The headers of such a page. */
export const plainPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

type PageText = { readonly title: string; readonly why: string; readonly next: string };

/** A page that needs neither Next nor a script, for a form that got nowhere. */
export function plainPage({ title, why, next }: PageText): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
<title>${title} · Prior authorization</title>
<main>
<h1>${title}</h1>
<p>Nothing was done. ${why}</p>
<p>Go back with your browser: what you typed is still there. ${next}</p>
<p><a href="">Or open the page anew</a>, without what you typed.</p>
</main>
</html>
`;
}
