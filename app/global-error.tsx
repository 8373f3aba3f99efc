"use client";

import { PageTitle } from "#components/shell/page-title";
import { Trouble } from "#components/shell/trouble";
import "./globals.css";

type Props = { readonly error: { readonly digest?: string }; readonly retry: () => void };

export default function GlobalErrorPage({ error, retry }: Props) {
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <PageTitle>Something went wrong</PageTitle>
        <Trouble reference={error.digest} retry={retry} />
      </body>
    </html>
  );
}
