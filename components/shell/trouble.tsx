"use client";

import { Button, buttonClass } from "#components/form/plain-button";
import { Mark } from "./mark.tsx";

type Props = {
  /** Finds the cause in our log. */
  readonly reference?: string | undefined;
  readonly retry: () => void;
  /** What failed, where more than that is known. */
  readonly failure?: string | undefined;
};

/** Stands in for a page that failed: nothing of the cause, a way on, and what to tell us. */
export function Trouble({ reference, retry, failure = "This page could not be made." }: Props) {
  return (
    <main className="grid flex-1 place-items-center px-4 py-12">
      <div className="max-w-sm">
        <Mark size={28} />
        <h1 className="mt-4 text-xl font-semibold">Something went wrong on our side</h1>
        <p className="mt-2 text-ink-soft">{failure} If you were deciding, the case says what was recorded.</p>
        {reference !== undefined && (
          <p className="mt-2 text-ink-soft">
            Reference <code className="font-mono">{reference}</code>
          </p>
        )}
        <div className="mt-5 flex flex-wrap gap-2">
          <Button type="button" tone="primary" onClick={retry}>
            Try again
          </Button>
          {/* A plain link: after an error the whole page is fetched anew. */}
          <a href="/" className={buttonClass({})}>
            Back to your work
          </a>
        </div>
      </div>
    </main>
  );
}
