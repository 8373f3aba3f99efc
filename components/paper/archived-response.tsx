import type { Logger } from "pino";
import { archivedTexts } from "#lib/messages/reviewer/archived";

type Reading = {
  readonly log: Pick<Logger, "error">;
  /** Whether it was the archive that failed, and how. */
  readonly failureOf: (error: unknown) => keyof typeof archivedTexts | undefined;
};

/** After how many seconds a browser or a program may ask for a document again. */
const retryAfterS = 10;

/**
 * What `answer` gives. Where that fails because the archive does, a sentence that says so: with 503 and `Retry-After` while
 * the archive is away, with 500 where it lost the document. The cause goes to the log.
 */
export async function archivedResponse(
  { log, failureOf }: Reading,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    log.error({ err: error }, "an archived document could not be read");
    return new Response(`${archivedTexts[failure]}\n`, {
      status: failure === "away" ? 503 : 500,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        ...(failure === "away" && { "retry-after": String(retryAfterS) }),
      },
    });
  }
}
