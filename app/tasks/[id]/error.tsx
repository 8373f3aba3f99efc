"use client";

import { PageTitle } from "#components/shell/page-title";
import { Trouble } from "#components/shell/trouble";
import { archiveFailureOf } from "#lib/platform/outbound/archive-away";

type Props = { readonly error: { readonly digest?: string }; readonly retry: () => void };

const failures = {
  away: "Parts of this closed case are in the archive, which can't be reached now. Nothing is lost: try again soon.",
  lost: "Parts of this closed case are archived, and the archive has lost or changed them. Contact the people who run this service.",
} as const;

/** Of a case's pages alone, so that no other page loads what is said of the archive. */
export default function CaseErrorPage({ error, retry }: Props) {
  const archive = archiveFailureOf(error);
  return (
    <>
      <PageTitle>Something went wrong</PageTitle>
      <Trouble reference={error.digest} retry={retry} failure={archive && failures[archive]} />
    </>
  );
}
