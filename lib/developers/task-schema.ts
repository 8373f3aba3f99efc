import { z } from "zod";
import { peerToPeerOutcomes, peerToPeerStatuses } from "#lib/task/model/recourse";
import { statusByState } from "#lib/a2a/reply/status";

const texts = z.array(z.string());
const environment = z.enum(["live", "test"]);
const count = z.int().min(0);
const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  // Safe because the table has exactly these keys.
  z.enum(Object.keys(table) as Key[]);

const nextAction = z.object({
  by: z.enum(["agent", "reviewer", "service", "payer", "none"]),
  what: z.string(),
  until: z.string().optional(),
});

const part = z.object({
  kind: z.string(),
  text: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

const gate = z.object({
  id: z.string(),
  action: z.enum(["transmit", "void"]),
  status: z.enum(["open", "released", "declined", "sent-back", "recalled", "expired", "superseded", "withdrawn"]),
  digest: z.string(),
  documentDigests: texts,
  environment,
  openedAt: z.string(),
  expiresAt: z.string(),
  decidedAt: z.string().optional(),
  releasedBy: z.literal("auto-reviewer").optional(),
  reason: z.string().optional(),
  reasonCode: z.string().optional(),
  fields: texts.optional(),
});

const terms = z.object({
  code: z.string().optional(),
  modifiers: texts.optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  providers: texts.optional(),
  place: z.string().optional(),
});

const line = z.object({
  sequence: count,
  action: z.string(),
  label: z.string(),
  validFrom: z.string().optional(),
  validTo: z.string().optional(),
  number: z.string().optional(),
  reasons: z.array(z.object({ code: z.string(), label: z.string().optional() })),
  notes: texts.optional(),
  requested: terms.optional(),
  authorized: terms.optional(),
});

const progress = z.object({
  sequence: count,
  unit: z.string().optional(),
  requested: z.number(),
  authorized: z.number(),
  remaining: z.number(),
});

const determination = z.object({
  id: z.string(),
  outcome: z.enum(["approved", "modified", "partially-approved", "denied", "not-required"]),
  environment,
  authorizationNumber: z.string().optional(),
  reference: z.string().optional(),
  validFrom: z.string().optional(),
  validTo: z.string().optional(),
  decidedAt: z.string().optional(),
  decidedOn: z.string().optional(),
  receivedAt: z.string(),
  humanReviewed: z.boolean().optional(),
  source: z.enum(["connector", "person"]),
  evidence: z.string().optional(),
  learned: z.object({ by: z.string(), from: z.string().optional() }).optional(),
  appeal: z.object({ by: z.string().optional(), how: z.string().optional() }).optional(),
  document: z.object({ sha256: z.string(), contentType: z.string(), size: count }).optional(),
  revision: count.optional(),
  version: count,
  supersedes: z.string().optional(),
  notes: texts,
  lines: z.array(line),
  progress: z.array(progress).optional(),
});

const peerToPeer = z.object({
  status: z.enum(peerToPeerStatuses),
  at: z.string().optional(),
  outcome: z.enum(peerToPeerOutcomes).optional(),
});

const rule = z.object({
  lineOfBusiness: z.string(),
  urgency: z.enum(["standard", "expedited"]),
  within: z.object({ hours: count.optional(), calendarDays: count.optional() }),
  source: z.string(),
  note: z.string().optional(),
});

const attachment = z.object({
  sha256: z.string(),
  contentType: z.string(),
  size: count,
  name: z.string().optional(),
  since: count,
});

const status = z.object({
  state: z.enum(["working", "input-required", "completed", "canceled", "failed", "rejected"]),
  timestamp: z.string(),
  message: z
    .object({
      kind: z.literal("message"),
      role: z.literal("agent"),
      messageId: z.string(),
      parts: z.array(part),
      taskId: z.string(),
      contextId: z.string(),
    })
    .optional(),
});

/** A task as the replies tell it. The code that makes them has types of its own; tests hold this against what it tells. */
export const taskSchema = z.object({
  kind: z.literal("task"),
  id: z.string(),
  contextId: z.string(),
  earlierTaskId: z.string().optional(),
  state: keysOf(statusByState),
  version: count,
  unchanged: z.literal(true).optional(),
  pollAfterSeconds: count.optional(),
  status,
  practiceId: z.string(),
  environment,
  nextAction,
  revision: z.object({
    number: count,
    digest: z.string(),
    attachments: z.array(attachment),
    editedBy: z.literal("reviewer").optional(),
    edited: texts.optional(),
  }),
  gate: gate.nullable(),
  missing: texts.optional(),
  problems: z.array(z.object({ path: z.string(), problem: z.string(), fix: z.string() })).optional(),
  warnings: z.array(z.object({ code: z.string(), path: z.string(), problem: z.string() })).optional(),
  payerReference: z.string().optional(),
  determination: determination.optional(),
  recourse: z
    .object({
      open: z.boolean(),
      appealBy: z.string().optional(),
      howToAppeal: z.string().optional(),
      peerToPeer: peerToPeer.optional(),
    })
    .optional(),
  clock: z
    .object({
      startedAt: z.string(),
      startedBy: z.string(),
      urgentAt: z.string().optional(),
      stoppedAt: z.string().optional(),
      known: z.boolean(),
      dueAt: z.string().optional(),
      overdue: z.boolean().optional(),
      rule: rule.optional(),
    })
    .optional(),
  artifacts: z.array(
    z.object({
      artifactId: z.string(),
      name: z.string(),
      description: z.string(),
      parts: z.array(part),
      metadata: z.object({ environment }),
    }),
  ),
  history: z.array(z.record(z.string(), z.unknown())),
  metadata: z.object({
    state: z.string(),
    version: count,
    nextAction: nextAction.optional(),
    unchanged: z.literal(true).optional(),
    historyLeftOut: count.optional(),
    historyLost: count.optional(),
  }),
});
