"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { secretAnswer, textOf, textsOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { changeChannelRights } from "#lib/channel/change-channel-rights";
import type { AdminRefusal } from "#lib/access/refusal";
import { renameChannel } from "#lib/channel/rename-channel";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { setChannelLimits } from "#lib/channel/set-channel-limits";
import { setChannelNetworks } from "#lib/channel/set-channel-networks";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { Result } from "#lib/platform/result";
import type { Done } from "./done-words.ts";

/** Makes a key beside those the page showed. It is in the answer alone, this one time, and never in an address. */
export async function rotate(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const made = await rotateKey(contextOf(person), {
    channelId: textOf(form, "channelId"),
    keyDays: textOf(form, "keyDays"),
    overlap: textOf(form, "overlap"),
    revokeOld: textOf(form, "revokeOld") === "yes",
    seen: textsOf(form, "liveKeys"),
  });
  refresh();
  if (made.ok) return secretAnswer(made.value.key);
  return refusedAct(form, person, { refusal: made.refusal, words: refusalMessage });
}

export async function revoke(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "revoked", (ctx, channelId) => revokeKey(ctx, { channelId, keyId: textOf(form, "keyId") }));
}

export async function setRights(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const rights = { practices: textsOf(form, "practices"), atoms: textsOf(form, "atoms") };
  return change(form, "rights", (ctx, channelId) => changeChannelRights(ctx, { channelId, ...rights }));
}

export async function rename(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "renamed", (ctx, channelId) => renameChannel(ctx, { channelId, name: textOf(form, "name") }));
}

export async function setOwner(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "owner", (ctx, channelId) => setChannelOwner(ctx, { channelId, email: textOf(form, "owner") }));
}

export async function setNetworks(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const networks = textOf(form, "networks")
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  return change(form, "networks", (ctx, channelId) => setChannelNetworks(ctx, { channelId, networks }));
}

export async function setLimits(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const limits = { callsPerSecond: textOf(form, "callsPerSecond"), callsAtOnce: textOf(form, "callsAtOnce") };
  return change(form, "limits", (ctx, channelId) => setChannelLimits(ctx, { channelId, ...limits }));
}

export async function setClient(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const given = { ...clientKeysOf(form), keyDays: textOf(form, "clientDays") };
  return change(form, "client", (ctx, channelId) => setChannelClient(ctx, { channelId, ...given }));
}

export async function suspend(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "suspended", (ctx, channelId) => suspendChannel(ctx, { channelId }));
}

export async function resume(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "resumed", (ctx, channelId) => resumeChannel(ctx, { channelId }));
}

/** The address where there is one, else what was typed as keys. */
function clientKeysOf(form: FormData) {
  const jwksUrl = textOf(form, "jwksUrl").trim();
  return jwksUrl === "" ? { jwks: textOf(form, "jwks") } : { jwksUrl };
}

type Act = (ctx: Context, channelId: string) => Promise<Result<unknown, AdminRefusal>>;

/** Carries out a change and goes back to the channel's page, which says that it was done. */
async function change(form: FormData, done: Done, act: Act): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const channelId = textOf(form, "channelId");
  const changed = await act(contextOf(person), channelId);
  if (changed.ok) redirect(`/channels/${encodeURIComponent(channelId)}?done=${done}`);
  refresh();
  return refusedAct(form, person, { refusal: changed.refusal, words: refusalMessage });
}
