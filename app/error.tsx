"use client";

import { Trouble } from "#components/trouble";

type Props = { readonly error: { readonly digest?: string }; readonly retry: () => void };

export default function ErrorPage({ error, retry }: Props) {
  return <Trouble reference={error.digest} retry={retry} />;
}
