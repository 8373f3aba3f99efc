import type { Change } from "#lib/task/change";
import type { LoadedTask } from "#lib/task/store/load-task";
import { refreeze, payersRevision } from "#lib/task/open-revision";
import type { NewDetermination } from "./payer-event.ts";
import {
  comparedNumber,
  decisionInstant,
  namesOneAuthorization,
  numbersOf,
  type Determination,
} from "#lib/task/model/determination";
import { isAuthorization } from "#lib/task/model/renewal";
import type { ServiceReview } from "#lib/task/model/service-review";
import { loadNumberedCases } from "#lib/task/store/numbered-cases";
import { isDifferentPerson, personOf } from "#lib/payer/same-person";
import { reasons } from "#lib/messages/reasons/case";

type PreparedChange = Pick<Change, "commands" | "prepared">;

/** Records a determination. An open void gate is replaced, because its votes were given before the determination. */
export async function determinationCommand(
  loaded: LoadedTask,
  { id, document, revision, replaces }: NewDetermination,
): Promise<PreparedChange> {
  const { outcome, reference, appeal } = document;
  const receivedAt = loaded.row.now;
  const fact = { id, outcome, decidedAt: decisionInstant(document, receivedAt), receivedAt, revision };
  const determination = { ...fact, ...(appeal ? { appeal } : {}) };
  return {
    commands: [{ type: "record-determination", determination, reference, replaces }],
    prepared: await voidGateAgain(loaded),
  };
}

/**
 * A new void gate, frozen for the case as it is now, to replace an open one. None if no void gate is open. It is about the
 * revision that the payer has, or about this one.
 */
export async function voidGateAgain(loaded: LoadedTask, payersRevision?: number): Promise<Change["prepared"]> {
  const { stage } = loaded.task;
  const waits = (stage.kind === "held" || stage.kind === "released") && stage.gate.action === "void";
  return waits ? (await refreeze(loaded.tx, loaded.row, { action: "void", payersRevision })).prepared : undefined;
}

/** An authorization whose number stands on another case that it cannot be of. */
export type ReusedNumber = { readonly taskId: string; readonly reason: string };

/**
 * The case that has this authorization's number already, where the two can't be one authorization: they are for different
 * patients, or for one patient and no service in common. Undefined where nothing speaks against the number: the cases are
 * linked as renewals or extensions, this case had the number before, or the request named it.
 */
export async function reusedNumber(loaded: LoadedTask, decided: Determination): Promise<ReusedNumber | undefined> {
  const { tx, row } = loaded;
  const numbers = isAuthorization(decided.outcome) ? numbersOf(decided).filter(namesOneAuthorization) : [];
  if (numbers.length === 0) return undefined;
  const others = await loadNumberedCases(tx, row, numbers);
  if (others.length === 0) return undefined;
  const { review } = await payersRevision(tx, row);
  const renewedNumber = comparedNumber(review.authorizationNumber ?? "");
  const unasked = numbers.filter((number) => number !== renewedNumber);
  for (const other of others) {
    if (!other.numbers.some((number) => unasked.includes(number))) continue;
    const difference = differenceBetween(review, other.review);
    if (difference) return { taskId: other.taskId, reason: texts[difference] };
  }
  return undefined;
}

const texts = { patient: reasons.numberOfOtherPatient, service: reasons.numberOfOtherService } as const;

/** What two requests differ in so that no authorization is for both. What one of them leaves out is no difference. */
export function differenceBetween(one: ServiceReview, other: ServiceReview): keyof typeof texts | undefined {
  if (isOtherPatient(one, other)) return "patient";
  const [codes, others] = [codesOf(one), codesOf(other)];
  return codes.some((code) => others.includes(code)) ? undefined : "service";
}

function isOtherPatient(one: ServiceReview, other: ServiceReview): boolean {
  const [first, second] = [patientOf(one), patientOf(other)];
  if (isDifferentPerson(personOf(first), personOf(second))) return true;
  const areNamed = [first, second].every(({ lastName, firstName }) => (lastName ?? firstName) !== undefined);
  const [member, otherMember] = [one, other].map(({ subscriber }) => subscriber?.memberId?.trim().toUpperCase());
  return !areNamed && member !== undefined && otherMember !== undefined && member !== otherMember;
}

/** The patient; the member, where the request names no patient. */
function patientOf({ patient, subscriber }: ServiceReview) {
  return patient ?? subscriber ?? {};
}

function codesOf({ procedures }: ServiceReview): readonly string[] {
  return procedures.map(({ code }) => code.trim().toUpperCase());
}
