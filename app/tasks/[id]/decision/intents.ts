import { z } from "zod";
import { givenFile, givenText, postedTexts, text } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { refuse, type Result } from "#lib/platform/result";
import { adoptTask } from "#lib/task/adopt-task";
import { declineGate } from "#lib/gate/decline-gate";
import type { GivenDocument } from "#lib/task/payer-document";
import { recallRelease } from "#lib/gate/recall-release";
import {
  attend,
  recordDetermination,
  recordVoided,
  recordVoidRefused,
  recordInformationRequest,
} from "#lib/submission/record-payer-answer";
import { editTask } from "#lib/task/edit-task";
import type { Refusal } from "#lib/task/refusal";
import { acceptDetermination, recordAppealTerms, recordPeerToPeer } from "#lib/submission/contest-determination";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission, reportNotSent, reportRefused, reportSent } from "#lib/submission/manual-submission";
import { requestInformation } from "#lib/gate/request-information";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { withdrawVote } from "#lib/gate/withdraw-vote";
import type { Possible } from "#lib/task/views";
import { decline, edited, release, seen, sendBack } from "./typed-decision.ts";
import { determination } from "./typed-determination.ts";
import { appealTerms, peerToPeer } from "./typed-recourse.ts";
import { sent, settled } from "./typed-submission.ts";
import { id, key, someText } from "./typed.ts";

type Run = (
  ctx: Context<PersonActor>,
  form: Readonly<Record<string, string>>,
  document: GivenDocument | undefined,
) => Promise<Result<unknown, Refusal>>;

const task = z.object({ taskId: id });
const contested = task.extend({ determinationId: id.optional(), reason: someText });
const gate = z.object({ taskId: id, gateId: id });

/** What a press of each button does: the words it needs, and the verb that acts on them. */
export const runs: Readonly<Record<Possible, Run>> = {
  release: on(release, releaseGate),
  "withdraw-vote": on(seen, withdrawVote),
  decline: on(decline, declineGate),
  "request-information": on(sendBack, requestInformation),
  edit: on(edited, editTask),
  recall: on(gate.extend({ key }), recallRelease),
  adopt: on(task, adoptTask),
  "start-manual-submission": on(gate, startManualSubmission),
  "report-sent": on(sent, reportSent),
  "report-refused": on(gate.extend({ reason: someText }), reportRefused),
  "report-not-sent": on(gate.extend({ reason: someText }), reportNotSent),
  "resolve-unconfirmed": on(settled, resolveUnconfirmed),
  "record-determination": (ctx, form, document) =>
    on(determination, (_, input) => recordDetermination(ctx, { ...input, document }))(ctx, form, document),
  "record-information-request": on(task.extend({ informationRequest: someText }), recordInformationRequest),
  "record-voided": on(task.extend({ evidence: someText }), recordVoided),
  "record-void-refused": on(task.extend({ gateId: id.optional(), reason: someText }), recordVoidRefused),
  "record-appeal-terms": on(appealTerms, recordAppealTerms),
  "record-peer-to-peer": on(peerToPeer, recordPeerToPeer),
  "accept-determination": on(contested, acceptDetermination),
  attend: on(task.extend({ changedAt: id.optional() }), attend),
};

const possibles = Object.keys(runs) as readonly Possible[];

/** A decision as posted: which button was pressed, the case, and the fields of its form, which its row reads. */
export const decision = z
  .object({
    intent: text.pipe(z.enum(possibles, "is none of those shown")),
    taskId: text,
    zone: givenText,
    document: givenFile,
  })
  .and(postedTexts.transform((fields) => ({ typed: firstOf(fields) })));

type DecisionForm = z.infer<typeof decision>;

/** The verb of the button that was pressed. It decides whether it may be. */
export async function decideCase(
  ctx: Context<PersonActor>,
  { intent, typed, document }: Pick<DecisionForm, "intent" | "typed" | "document">,
): Promise<Result<unknown, Refusal>> {
  return runs[intent](ctx, typed, await givenDocument(document));
}

function firstOf(fields: z.infer<typeof postedTexts>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
  );
}

async function givenDocument(file: File | undefined): Promise<GivenDocument | undefined> {
  return file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function on<Input>(
  schema: z.ZodType<Input>,
  verb: (ctx: Context<PersonActor>, input: Input) => Promise<Result<unknown, Refusal>>,
): Run {
  return async (ctx, form) => {
    const input = schema.safeParse(form);
    if (input.success) return verb(ctx, input.data);
    const issues = input.error.issues.map(({ path, message }) => ({ path: path.join("."), problem: message }));
    return refuse({ type: "invalid", issues });
  };
}
