import type { Metadata } from "next";
import localFont from "next/font/local";
import { cookies, headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { RememberZone } from "#components/text/remember-zone";
import { SubmissionBanner } from "#components/shell/submission-banner";
import { TestBanner } from "#components/shell/test-banner";
import { env } from "#lib/platform/env";
import { isOwnMark } from "#lib/platform/http/arrival-headers";
import { submissionNotice } from "#lib/submission/submission-notice";
import "./globals.css";

const text = localFont({
  src: "../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2",
  weight: "200 800",
  variable: "--font-text",
});

const textExtended = localFont({
  src: "../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2",
  weight: "200 800",
  variable: "--font-text-extended",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF, U+2020",
    },
  ],
});

const code = localFont({
  src: "../node_modules/@fontsource-variable/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2",
  weight: "200 800",
  variable: "--font-code",
  adjustFontFallback: false,
});

export const metadata: Metadata = {
  icons: { icon: "/icon.svg" },
  robots: { index: false, follow: false },
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // A page that waits for its request is rendered with the request's nonce; the 404 page too.
  await connection();
  const sent = await headers();
  // A page is drawn with a policy and nonce of this process, from `server.ts` or `proxy.ts`, or not at all.
  if (!isOwnMark(sent) || !sent.has("content-security-policy"))
    throw new Error("A page has no content security policy.");
  const notice = await submissionNotice();
  const demo = env().DEMO === "1";
  const kept = await cookies();
  const theme = kept.get("theme")?.value;
  const chosen = theme === "light" || theme === "dark" ? theme : undefined;
  return (
    <html
      lang="en"
      data-theme={chosen}
      data-demo={demo || undefined}
      className={`${text.variable} ${textExtended.variable} ${code.variable}`}
    >
      <head>
        {/* Not by Next's `viewport`, whose words it takes out and puts in again with every page: each time the browser would restyle all of it. */}
        <meta name="color-scheme" content={chosen ?? "light dark"} />
      </head>
      <body className="flex min-h-dvh flex-col">
        {demo && <TestBanner />}
        {notice && <SubmissionBanner why={notice} />}
        {children}
        <RememberZone />
      </body>
    </html>
  );
}
