import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { needsProof, type Entry } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import { deny } from "#lib/access/deny";
import { difference } from "#lib/access/difference";
import { isAdmin, type Actor } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import { atomList, networkList, practiceList, validate } from "#lib/access/validate";
import type { Tx } from "#lib/db/db";
import { ok, refuse, type Result } from "#lib/platform/result";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import {
  asNetworks,
  replaceNetworks,
  replaceReach,
  updateChannel,
  widensNetworks,
  type ChannelRecord,
} from "#lib/channel/store/admin-channels";
import { administerChannel } from "./administer-channel.ts";
import { findAdministeredChannel, lockAdministeredChannel } from "./administered-channel.ts";
import { refuseLivePractices } from "./refuse-live-practices.ts";
import { callsAtOnceNumber, callsPerSecondNumber } from "./channel-limits.ts";

const schema = z.object({
  practices: practiceList.optional(),
  atoms: atomList.optional(),
  callsPerSecond: callsPerSecondNumber.optional(),
  callsAtOnce: callsAtOnceNumber.optional(),
  networks: networkList.optional(),
});

/** What a channel may do from its next call on; what is left out stays as it is. */
export type ChannelAccess = {
  readonly channelId: string;
  readonly practices?: readonly string[] | undefined;
  readonly atoms?: readonly string[] | undefined;
  /** `none` or an empty text means no limit. */
  readonly callsPerSecond?: string | number | undefined;
  readonly callsAtOnce?: string | number | undefined;
  /** IP addresses and CIDR blocks, IPv4 or IPv6; an empty list allows every address. */
  readonly networks?: readonly string[] | undefined;
};

type Difference = { readonly added: readonly string[]; readonly removed: readonly string[] };
type Move = { readonly from: number | null; readonly to: number | null };

/** What a change comes to; what stays is left out. */
export type AccessChange = {
  readonly practices?: Difference | undefined;
  readonly atoms?: Difference | undefined;
  readonly networks?: Difference | undefined;
  readonly callsPerSecond?: Move | undefined;
  readonly callsAtOnce?: Move | undefined;
};

export type AccessPreview = {
  readonly change: AccessChange;
  /** Of the practices it adds, those that wait for a second administrator. */
  readonly awaiting: readonly string[];
  /** The channel would reach no practice. */
  readonly reachesNone: boolean;
  /** Of what the change comes to, to give back with it. */
  readonly digest: string;
};

/**
 * What a change of a channel's access would come to, without making it. It asks for a new proof of identity where making
 * it will, so that whoever reviewed it has only to save it. With `shown`, the access that the change was made from, it refuses
 * with `changed-since` where that is another now: what somebody took away meanwhile would be given back unasked.
 */
export async function previewChannelAccess(
  { actor, store }: Context,
  { shown, ...input }: ChannelAccess & { readonly shown?: string | undefined },
): Promise<Result<AccessPreview, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const found = await findAdministeredChannel(store, actor, input.channelId);
  if (!found.ok) return found;
  if (shown !== undefined && shown !== accessText(found.value)) return refuse({ type: "changed-since" });
  const planned = await planAccess(store.prisma, actor, { channel: found.value, input });
  if (!planned.ok) return planned;
  const { change, awaiting, after, widens } = planned.value;
  if (widens && needsProof(actor)) return refuse({ type: "proof-needed" });
  return ok({ change, awaiting, reachesNone: after.practices.length === 0, digest: digestOf(change) });
}

/**
 * Sets what a channel reaches, may do, how much it may call and from where, from its next call on. What it requested
 * before is checked against it again before it is submitted. Allowing more needs a new proof of identity; allowing less
 * does not. Practices that want a second administrator are added only once one confirms; everything else holds at once.
 * With `seen`, the digest of a preview, it refuses with `changed-since` where the change would come to something else.
 */
export async function changeChannelAccess(
  ctx: Context,
  { seen, ...input }: ChannelAccess & { readonly seen?: string | undefined },
): Promise<Result<Awaiting, AdminRefusal>> {
  return administerChannel(ctx, input.channelId, async (tx, channel) => {
    const planned = await planAccess(tx, ctx.actor, { channel, input });
    if (!planned.ok) return planned;
    const { change, after, awaiting } = planned.value;
    if (seen !== undefined && seen !== digestOf(change)) return refuse({ type: "changed-since" });
    if (Object.keys(change).length === 0) return ok({ value: {}, entries: [] });
    if (planned.value.widens && needsProof(ctx.actor)) return refuse({ type: "proof-needed" });
    const made = withoutPractices(change, awaiting);
    if (Object.keys(made).length > 0) {
      await replaceReach(
        tx,
        channel.id,
        after.practices.filter((id) => !awaiting.includes(id)),
      );
      await replaceNetworks(tx, channel.id, after.networks);
      const { atoms, callsPerSecond, callsAtOnce } = after;
      await updateChannel(tx, channel.id, { atoms, callsPerSecond, callsAtOnce });
    }
    const entries: Entry[] = Object.keys(made).length > 0 ? [{ act: "channel.changed", detail: made }] : [];
    if (awaiting.length === 0) return ok({ value: {}, entries });
    const request = await requestChange(tx, ctx.actor, {
      change: { kind: "channel-practices", channelId: channel.id, practices: [...awaiting] },
      scope: [...new Set([...channel.practices.map(({ id }) => id), ...after.practices])],
    });
    return ok({ value: { awaiting: request.id }, entries: [...entries, request.entry] });
  });
}

/** Lets a channel reach these practices too; part of what a second administrator confirms. */
export async function addChannelPractices(
  tx: Tx,
  actor: Actor,
  { channelId, practices }: { readonly channelId: string; readonly practices: readonly string[] },
): Promise<Result<readonly Entry[], AdminRefusal>> {
  const found = await lockAdministeredChannel(tx, actor, channelId);
  if (!found.ok) return found;
  const refused =
    (await refuseUnknownPractices(tx, actor, practices)) ??
    (await refuseLivePractices(tx, found.value.environment, practices));
  if (refused) return refused;
  const before = found.value.practices.map(({ id }) => id);
  const added = practices.filter((id) => !before.includes(id));
  await replaceReach(tx, channelId, [...before, ...added]);
  return ok(added.length === 0 ? [] : [{ act: "channel.changed", detail: { practices: { added, removed: [] } } }]);
}

type After = {
  readonly practices: readonly string[];
  readonly atoms: ChannelRecord["atoms"];
  readonly networks: readonly string[];
  readonly callsPerSecond: number | null;
  readonly callsAtOnce: number | null;
};

function accessOf(channel: ChannelRecord): After {
  return {
    practices: channel.practices.map(({ id }) => id),
    atoms: channel.atoms,
    networks: channel.networks,
    callsPerSecond: channel.callsPerSecond ?? null,
    callsAtOnce: channel.callsAtOnce ?? null,
  };
}

/** The access of a channel as one text, for a page to give back with what was made from it. */
export function accessText(channel: ChannelRecord): string {
  const { practices, atoms, networks, ...limits } = accessOf(channel);
  const lists = [practices, atoms, networks].map((list) => list.toSorted());
  return JSON.stringify([...lists, limits.callsPerSecond, limits.callsAtOnce]);
}

type Plan = {
  readonly change: AccessChange;
  readonly after: After;
  readonly awaiting: readonly string[];
  readonly widens: boolean;
};

async function planAccess(
  tx: Tx,
  actor: Actor,
  { channel, input }: { readonly channel: ChannelRecord; readonly input: ChannelAccess },
): Promise<Result<Plan, AdminRefusal>> {
  const parsed = validate(schema, input);
  if (!parsed.ok) return parsed;
  const { practices, atoms, callsPerSecond, callsAtOnce, networks } = parsed.value;
  const before = accessOf(channel);
  const after: After = {
    practices: practices ?? before.practices,
    atoms: atoms ?? before.atoms,
    networks: networks === undefined ? before.networks : await asNetworks(tx, networks),
    callsPerSecond: callsPerSecond === undefined ? before.callsPerSecond : callsPerSecond,
    callsAtOnce: callsAtOnce === undefined ? before.callsAtOnce : callsAtOnce,
  };
  const change = changeBetween(before, after);
  const added = change.practices?.added ?? [];
  const refused =
    (await refuseUnknownPractices(tx, actor, added)) ?? (await refuseLivePractices(tx, channel.environment, added));
  if (refused) return refused;
  const widens =
    added.length + (change.atoms?.added.length ?? 0) > 0 ||
    (change.networks !== undefined && (await widensNetworks(tx, { before: before.networks, after: after.networks })));
  return ok({ change, after, awaiting: await wantingSecondAdmin(tx, actor, added), widens });
}

function changeBetween(before: After, after: After): AccessChange {
  return {
    ...differing("practices", difference(before.practices, after.practices)),
    ...differing("atoms", difference(before.atoms, after.atoms)),
    ...differing("networks", difference(before.networks, after.networks)),
    ...moving("callsPerSecond", before.callsPerSecond, after.callsPerSecond),
    ...moving("callsAtOnce", before.callsAtOnce, after.callsAtOnce),
  };
}

function differing(name: "practices" | "atoms" | "networks", change: Difference): AccessChange {
  return change.added.length + change.removed.length === 0 ? {} : { [name]: change };
}

function moving(name: "callsPerSecond" | "callsAtOnce", from: number | null, to: number | null): AccessChange {
  return from === to ? {} : { [name]: { from, to } };
}

/** The part of a change that holds at once. */
function withoutPractices({ practices, ...rest }: AccessChange, awaiting: readonly string[]): AccessChange {
  if (!practices) return rest;
  const added = practices.added.filter((id) => !awaiting.includes(id));
  return { ...differing("practices", { ...practices, added }), ...rest };
}

function digestOf(change: AccessChange): string {
  return createHash("sha256")
    .update(canonicalize(change) ?? "")
    .digest("hex");
}
