import { appendFileSync } from "node:fs";
import type { CrashPoint } from "#lib/platform/process/crash-point";

/** What became of one released action whose worker was killed. */
export type Trial = {
  readonly wire: "pas-fhir" | "service-review";
  readonly action: "transmit" | "update" | "void";
  readonly honoured: boolean;
  readonly point: CrashPoint;
  /** What the payer made of it, and how often it came. */
  readonly effects: number;
  readonly arrivals: number;
  /** It is in doubt, and a person was left to settle it. */
  readonly isAtPerson: boolean;
};

/** Writes a trial down for the table of `npm run crash`; a test run alone needs none. */
export function noteTrial(trial: Trial): void {
  const file = process.env["CRASH_TRIALS"];
  if (file) appendFileSync(file, `${JSON.stringify(trial)}\n`);
}
