import type { Context } from "#lib/access/context";
import { reaches, type Atom, type ChannelActor, type PersonActor } from "#lib/access/model/actor";
import { recordChannelDenial } from "#lib/access/shared/person-denials";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import type { Store } from "#lib/db/db";
import { readPayerDirectories, type AgentPayer } from "#lib/practice/directory/read-payer-directories";
import type { CallBook } from "#lib/a2a/admit/call-book";
import { faults, type Fault } from "#lib/a2a/reply/faults";
import { now } from "#lib/platform/now";
import { authenticateChannel } from "./authenticate-channel.ts";
import { callDays } from "./channel-calls.ts";
import { readCredential } from "./channel-key.ts";
import { missingPermission, type DenialRule } from "./model/authority.ts";
import {
  casesIn,
  loadCalls,
  loadDenials,
  loadHours,
  type CallRecord,
  type DenialRecord,
  type HourCount,
} from "./store/channel-calls.ts";
import { loadOwnChannel, listOwnedChannels, type OwnedChannel } from "./store/own-channels.ts";
import type { DeliveryRecord } from "./webhook/model/delivery.ts";
import { listChannelDeliveries } from "./webhook/store/deliveries.ts";

export type { OwnedChannel };

/** A payer as the agent card tells of it, and of which practice. */
export type OwnPayer = AgentPayer & { readonly practiceId: string };

const rowsShown = 25;

/** A denial as its caller saw it: never why, nor which practice it was about. */
export type SeenDenial = Pick<DenialRecord, "id" | "at" | "atom" | "keyId"> & {
  readonly http: number;
  readonly code: number;
};

/** What those who build a channel's agent may see of it. */
export type OwnChannel = OwnedChannel & {
  readonly practices: readonly string[];
  readonly atoms: readonly Atom[];
  readonly hours: readonly HourCount[];
  /** The latest that were let in, but for polls that were answered. */
  readonly calls: readonly CallRecord[];
  readonly denials: readonly SeenDenial[];
  /** They tell the states of cases, so there are none where it may not read cases. */
  readonly deliveries: readonly DeliveryRecord[];
  /** The payers of its practices; none where it may not send requests. */
  readonly payers: readonly OwnPayer[];
};

type LookWithKey = {
  readonly key: string;
  readonly address: string | undefined;
  readonly book: Pick<CallBook, "countDenial">;
};

/**
 * The channel of a key or token, for who holds it. Undefined for one that would be denied at the endpoint, too: that is a
 * denial of the channel as there, so that nobody tries a key unseen.
 */
export async function showChannelOfKey(
  store: Store,
  { key, address, book }: LookWithKey,
): Promise<OwnChannel | undefined> {
  const admission = await authenticateChannel(store, key, { address });
  if (admission) return ownChannel(store, admission.actor);
  const credential = readCredential(store, key);
  book.countDenial({ at: now(), address, keyId: credential?.id, secretHash: credential?.secretHash });
  return undefined;
}

/** The channels that a person owns, by name, with the practices in which they have a role. One without any is left out. */
export async function listOwnChannels({ actor, store }: Context<PersonActor>): Promise<readonly OwnedChannel[]> {
  const owned = await listOwnedChannels(store, actor.id);
  return owned.flatMap((channel) => narrowedTo(actor, channel) ?? []);
}

/**
 * A channel for its owner, as far as its practices are those in which they have a role in this session. Undefined for
 * anyone else; then the denial goes into the audit log.
 */
export async function showOwnedChannel(ctx: Context<PersonActor>, channelId: string): Promise<OwnChannel | undefined> {
  const owned = (await listOwnChannels(ctx)).find(({ id }) => id === channelId);
  if (owned) return ownChannel(ctx.store, { ...owned.rights, kind: "channel", id: channelId });
  await recordChannelDenial(ctx.store, ctx.actor, channelId);
  return undefined;
}

function narrowedTo(actor: PersonActor, { rights, ...channel }: OwnedChannel): OwnedChannel | undefined {
  const practices = rights.practices.filter((id) =>
    [actor.practices, actor.administers, actor.audits].some((reach) => reaches(reach, [id])),
  );
  return practices.length === 0 ? undefined : { ...channel, rights: { ...rights, practices } };
}

async function ownChannel(store: Store, actor: ChannelActor): Promise<OwnChannel | undefined> {
  const { id, practices, atoms } = actor;
  const channel = await loadOwnChannel(store, id);
  if (!channel) return undefined;
  const scoped = forPractices(store, practices);
  const [hours, calls, denials, deliveries, directories] = [
    await loadHours(store, { channelId: id, days: callDays }),
    await loadCalls(store, id, rowsShown),
    // Also those of practices out of reach, which are shown without the practice.
    await loadDenials(acrossPractices(store, "denied-calls"), id, rowsShown),
    missingPermission(actor, { atom: "tasks_get" })
      ? []
      : await listChannelDeliveries(scoped, { channelId: id, most: rowsShown }),
    await readPayerDirectories({ actor, store: scoped }),
  ];
  // A call may be about a case of a practice that the reader or the channel has nothing to do with any more.
  const cases = await casesIn(
    scoped,
    practices,
    calls.flatMap(({ taskId }) => taskId ?? []),
  );
  const shownCalls = calls.map(({ taskId = "", ...call }) => ({
    ...call,
    taskId: cases.has(taskId) ? taskId : undefined,
  }));
  const payers = (directories.ok ? directories.value.practices : []).flatMap((directory) =>
    directory.payers.map((payer) => ({ ...payer, practiceId: directory.practiceId })),
  );
  return {
    ...channel,
    rights: { practices, atoms },
    practices,
    atoms,
    hours,
    calls: shownCalls,
    denials: denials.map(seenBy),
    deliveries,
    payers,
  };
}

function seenBy({ id, at, atom, keyId, rule }: DenialRecord): SeenDenial {
  const { http, code } = faults[faultOf[rule]];
  return { id, at, atom, keyId, http, code };
}

/** The fault with which the endpoint answers where a rule denies. */
const faultOf: Readonly<Record<DenialRule, Fault>> = {
  "unknown-key": "no-credential",
  "wrong-secret": "no-credential",
  "key-revoked": "no-credential",
  "key-ended": "no-credential",
  "no-live-key": "no-credential",
  "channel-suspended": "no-credential",
  network: "no-credential",
  limit: "rate-exceeded",
  atom: "not-authorised",
  "no-such-practice": "not-authorised",
  "practice-suspended": "not-authorised",
  "practice-out-of-reach": "not-authorised",
  "task-out-of-reach": "not-authorised",
  "client-key-weak": "no-credential",
  "assertion-wrong": "no-credential",
  "assertion-used": "no-credential",
  "changed-since": "not-authorised",
};
