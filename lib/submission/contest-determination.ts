import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { minuteOf } from "#lib/task/model/delivery";
import { ok, refuse, type Result } from "#lib/platform/result";
import { decidedBy } from "#lib/task/model/determination";
import { appealTerms, type AppealTerms, type PeerToPeer } from "#lib/task/model/recourse";
import type { State } from "#lib/task/model/task";
import type { Refusal } from "#lib/task/refusal";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { reasons } from "#lib/messages/reasons/case";
import { endsBefore, personChange } from "./record-payer-answer.ts";
import type { PeerToPeerNote } from "./store/recourse-notes.ts";

type StateResult = Promise<Result<{ state: State }, Refusal>>;

/** The determination that the page showed. If absent, the one in force. */
type ShownDetermination = { readonly determinationId?: string | undefined };

export type RecordedAppealTerms = AppealTerms &
  ShownDetermination & { readonly taskId: string; readonly evidence: string };

/**
 * Records until when and how the payer says that the determination in force can be contested. Refused as `invalid` if
 * neither is given, or if the last day is before the determination. Refused as `changed` if another determination is in force
 * than was shown. The latest record counts.
 */
export async function recordAppealTerms(ctx: Context<PersonActor>, recorded: RecordedAppealTerms): StateResult {
  const { evidence } = recorded;
  return contestChange(ctx, recorded, async ({ row, task }) => {
    const terms = appealTerms(recorded);
    if (!terms) return refuse({ type: "invalid", issues: [{ path: "by", problem: caseProblems.appealDueOrHow }] });
    const { determination } = task.payer;
    if (terms.by && endsBefore(terms.by, (determination && decidedBy(determination)) ?? row.created_at))
      return refuse({ type: "invalid", issues: [{ path: "by", problem: caseProblems.notBeforeDetermination }] });
    return ok({
      commands: [{ type: "record-appeal-terms", terms }],
      detail: { source: "person", appealBy: terms.by ?? null },
      records: [{ type: "recourse-note", note: { kind: "appeal-terms", ...terms, evidence } }],
    });
  });
}

export type RecordedPeerToPeer = PeerToPeer &
  ShownDetermination &
  Omit<PeerToPeerNote, "kind" | "status" | "outcome"> & { readonly taskId: string };

/**
 * Records how far a peer-to-peer review has come: who of the practice is to hold it or held it with whom of the payer,
 * when, and what came of it. It decides nothing: what the payer decides after it is a determination. Refused as `invalid`
 * if the time contradicts the status, and as `changed` if another determination is in force than was shown.
 */
export async function recordPeerToPeer(ctx: Context<PersonActor>, recorded: RecordedPeerToPeer): StateResult {
  const { status, at, clinician, counterpart, note } = recorded;
  return contestChange(ctx, recorded, async ({ row }) => {
    const problem = timeProblem(recorded, row);
    const issues = [
      ...(problem ? [{ path: "at", problem }] : []),
      ...(status === "held" && !recorded.outcome ? [{ path: "outcome", problem: caseProblems.chosen }] : []),
    ];
    if (issues.length > 0) return refuse({ type: "invalid", issues });
    const outcome = status === "held" ? recorded.outcome : undefined;
    const peerToPeer = { status, ...(at ? { at } : {}), ...(outcome ? { outcome } : {}) };
    return ok({
      commands: [{ type: "record-peer-to-peer", peerToPeer }],
      detail: { source: "person", status, at: at?.toISOString() ?? null, outcome: outcome ?? null },
      records: [
        { type: "recourse-note", note: { kind: "peer-to-peer", status, outcome, clinician, counterpart, note }, at },
      ],
    });
  });
}

type CaseTimes = { readonly now: Date; readonly created_at: Date };

function timeProblem({ status, at }: PeerToPeer, { now, created_at: createdAt }: CaseTimes): string | undefined {
  if (!at) return status === "scheduled" || status === "held" ? caseProblems.given : undefined;
  if (status === "scheduled" && at < now) return caseProblems.notPast;
  if (status === "held" && at < minuteOf(createdAt)) return caseProblems.notBeforeRequest;
  return status === "held" && at > now ? caseProblems.notFuture : undefined;
}

/**
 * Records that the practice takes no further action on a determination against the request. Refused as `changed` if
 * another is in force than was shown. Any later record opens it again.
 */
export async function acceptDetermination(
  ctx: Context<PersonActor>,
  { reason, ...accepted }: ShownDetermination & { readonly taskId: string; readonly reason: string },
): StateResult {
  return contestChange(ctx, accepted, async () =>
    ok({
      commands: [{ type: "accept-determination" }],
      detail: { source: "person" },
      records: [{ type: "recourse-note", note: { kind: "accepted", reason } }],
    }),
  );
}

type ContestedCase = ShownDetermination & { readonly taskId: string };

async function contestChange(
  ctx: Context<PersonActor>,
  { taskId, determinationId }: ContestedCase,
  decide: Parameters<typeof personChange>[2],
): StateResult {
  return personChange(ctx, taskId, async (loaded) => {
    const { determination } = loaded.task.payer;
    if (determination && determinationId !== undefined && determinationId !== determination.id)
      return refuse({ type: "changed", changes: [], why: reasons.decidedAgain });
    return decide(loaded);
  });
}
