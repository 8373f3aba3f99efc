import { archiveTexts, environmentText, failureTexts, unknownFailureText } from "#lib/messages/cli";
import { ArchiveAwayError } from "#lib/db/object-store";
import { ArchivedValueLostError } from "#lib/db/archived";
import { UnfitError } from "#lib/db/unfit";
import { KeyRingError } from "#lib/platform/key-ring";

type Failure = keyof typeof failureTexts;

/** Which error codes of Node, Postgres and Prisma mean which failure. */
const codesByFailure: Readonly<Record<Exclude<Failure, "ours">, readonly string[]>> = {
  unreachable: ["ECONNREFUSED", "ENOTFOUND", "ECONNRESET", "ETIMEDOUT", "EHOSTUNREACH", "ENOENT", "P1001"],
  denied: ["28P01", "28000", "42501", "P1000", "P1010"],
  absent: ["3D000", "P1003"],
  unmigrated: ["42P01", "42703", "42883", "P2021", "P2022"],
};

/** The sentence for an error from outside. It never quotes the error's own message, which may hold what was entered. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return unknownFailureText;
  if (error.message.startsWith("The environment is incomplete")) return environmentText(error.message);
  if (error instanceof ArchiveAwayError) return archiveTexts.away(error.message);
  if (error instanceof ArchivedValueLostError) return error.message;
  if (error instanceof KeyRingError || error instanceof UnfitError) return error.message;
  const codes = codesOf(error);
  return failureTexts[failureOf(codes)](codes.at(-1) ?? error.name);
}

function failureOf(codes: readonly string[]): Failure {
  const order = ["unreachable", "denied", "absent", "unmigrated"] as const;
  return order.find((failure) => codes.some((code) => codesByFailure[failure].includes(code))) ?? "ours";
}

/** The error's own code and those of what caused it; a driver's stands in its Prisma error's metadata. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (typeof error !== "object" || error === null || depth > 4) return [];
  const { code, originalCode, cause, meta, driverAdapterError, errors } = error as Record<string, unknown>;
  const own = [code, originalCode].filter(
    (each): each is string => typeof each === "string" && /^[A-Z0-9_]{1,40}$/.test(each),
  );
  const inner = [cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return [...own, ...inner.flatMap((each) => codesOf(each, depth + 1))];
}
