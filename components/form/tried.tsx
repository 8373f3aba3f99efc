import { unstable_rethrow } from "next/navigation";

type Act<Answer> = (before: Answer, form: FormData) => Promise<Answer>;

/**
 * An act for which no answer is one too: where the server is not reached, or fails, the page stays, with what was typed.
 * While the server draws, it is the act itself, which a form needs that is sent without a script.
 */
export function tried<Answer>(
  act: Act<Answer>,
  unanswered: (form: FormData, reference: string | undefined) => Answer,
  /** Called where the act leads to another page, before it is shown. */
  onLeave: () => void = () => undefined,
): Act<Answer> {
  if (typeof window === "undefined") return act;
  return async (before, form) => {
    try {
      return await act(before, form);
    } catch (error) {
      if (leads(error)) onLeave();
      unstable_rethrow(error);
      return unanswered(form, referenceOf(error));
    }
  };
}

/** What to say where no answer came, and what to do about it. */
export function unansweredText(next: string, reference: string | undefined): string {
  const named = reference === undefined ? "" : ` Reference ${reference}.`;
  return `Whether it was recorded is not known. What you typed is still here. ${next}${named}`;
}

/** What Next names a failure of the server by, in our log too; none where the server was not reached. */
function referenceOf(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : undefined;
}

/** Whether what was thrown is Next's own way to another page. */
function leads(error: unknown): boolean {
  return error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_REDIRECT");
}
