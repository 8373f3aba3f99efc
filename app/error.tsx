"use client";

import { PageTitle } from "#components/shell/page-title";
import { Trouble } from "#components/shell/trouble";

type Props = { readonly error: { readonly digest?: string }; readonly retry: () => void };

export default function ErrorPage({ error, retry }: Props) {
  return (
    <>
      <PageTitle>Something went wrong</PageTitle>
      <Trouble reference={error.digest} retry={retry} />
    </>
  );
}
