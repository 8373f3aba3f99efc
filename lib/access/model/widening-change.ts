import { z } from "zod";
import { rolesRecord, type Grant } from "./grant.ts";
import { actions, votesMax, risks } from "#lib/task/model/vote-rule";

const practiceIds = z.array(z.string()).readonly();
const adminRoles = z.array(z.object({ role: z.literal("admin"), practiceId: z.string().optional() })).readonly();

/**
 * A change that lets an agent or a person reach more, lets fewer people decide, or lets administrators read cases: what it is to do, as ids and
 * settings. It never holds a secret or anything of a patient.
 */
export const wideningChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("channel-practices"), channelId: z.string(), practices: practiceIds }),
  z.object({ kind: z.literal("admin-roles"), personId: z.string(), roles: adminRoles }),
  z.object({
    kind: z.literal("admin-invitation"),
    email: z.string(),
    roles: z.array(z.object({ role: z.string(), practiceId: z.string().optional() })).readonly(),
  }),
  z.object({
    kind: z.literal("admin-group"),
    issuer: z.string(),
    group: z.string(),
    practiceId: z.string().optional(),
  }),
  z.object({
    kind: z.literal("fewer-releases"),
    practiceId: z.string(),
    rules: z
      .array(
        z.object({
          action: z.enum(actions),
          risk: z.enum(risks),
          votes: z.int().min(1).max(votesMax),
          stepUp: z.boolean(),
          /** What it was when the change was asked for; absent in the first requests of this kind. */
          from: z.object({ votes: z.int(), stepUp: z.boolean() }).optional(),
        }),
      )
      .readonly(),
  }),
  z.object({ kind: z.literal("second-admin-off"), practiceId: z.string() }),
  z.object({ kind: z.literal("emergency-access-on"), practiceId: z.string() }),
]);

export type WideningChange = z.infer<typeof wideningChange>;
export type WideningKind = WideningChange["kind"];

/** The id of the channel, person or practice that it changes; of an invitation or a group none. */
export function subjectOf(change: WideningChange): string | undefined {
  switch (change.kind) {
    case "channel-practices":
      return change.channelId;
    case "admin-roles":
      return change.personId;
    case "admin-invitation":
    case "admin-group":
      return undefined;
    case "fewer-releases":
    case "second-admin-off":
    case "emergency-access-on":
      return change.practiceId;
  }
}

/**
 * The change as the audit log has it: with roles as other entries have them, so that it is shown to those alone who may
 * see all its practices, and without the email, which no account has yet.
 */
export function changeRecord(change: WideningChange): Readonly<Record<string, unknown>> {
  switch (change.kind) {
    case "admin-roles":
      return { kind: change.kind, person: change.personId, roles: rolesRecord(change.roles) };
    case "admin-invitation":
      // Safe because only roles that were checked are kept.
      return { kind: change.kind, roles: rolesRecord(change.roles as readonly Grant[]) };
    case "admin-group": {
      const { kind, issuer, group, practiceId } = change;
      return { kind, issuer, group, roles: rolesRecord([{ role: "admin", practiceId }]) };
    }
    case "channel-practices":
    case "fewer-releases":
    case "second-admin-off":
    case "emergency-access-on":
      return change;
  }
}

/** Where a requested change stands. */
export const changeStatuses = ["waiting", "confirmed", "rejected", "withdrawn", "expired"] as const;
export type ChangeStatus = (typeof changeStatuses)[number];
