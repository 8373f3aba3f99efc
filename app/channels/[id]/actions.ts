"use server";

import { z } from "zod";
import { noAnswer, secretAnswer, type ActAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { givenText, itemsOf, text, texts, yes } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import type { Awaiting } from "#lib/access/second-admin";
import {
  changeChannelAccess,
  previewChannelAccess,
  type AccessPreview,
  type ChannelAccess,
} from "#lib/channel/change-channel-access";
import { firstCommand } from "#lib/channel/first-command";
import { renameChannel } from "#lib/channel/rename-channel";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey, type RotateKey } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { resendDelivery } from "#lib/channel/webhook/channel-deliveries";
import { rotateWebhookSecret, setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import { accessReview, newKeyText, webhookSecretText, type ChannelDone } from "#lib/messages/admin/channel";
import { refusalMessage, settingsMessage } from "#lib/messages/admin/refusals";
import { env } from "#lib/platform/env";
import { ok, type Result } from "#lib/platform/result";
import { listPractices } from "#lib/practice/list-practices";
import { channelPath, type ChannelTab } from "./paths.ts";

const channel = z.object({ channelId: text });

const rotation = channel
  .extend({ keyDays: text, overlap: text, revokeOld: yes, liveKeys: texts })
  .transform(({ liveKeys: seen, ...rest }) => ({ ...rest, seen }));

/** A new key beside those the page showed, and a command to try it with. */
async function rotated(ctx: Context<PersonActor>, input: RotateKey) {
  const made = await rotateKey(ctx, input);
  if (!made.ok) return made;
  const { key } = made.value;
  const command = await firstCommand(ctx, { channelId: input.channelId, key, baseUrl: env().PUBLIC_URL });
  return ok({ key, command: command.ok ? command.value : undefined });
}

/** Creates a key. It is in the answer alone, this one time, and never in an address. */
export const rotate = action(rotation, rotated, {
  done: ({ key, command }, { channelId }) =>
    secretAnswer(key, { ...newKeyText(command), done: channelPath(channelId, "keys") }),
  refused: refusalMessage,
});

export const revoke = action(channel.extend({ keyId: text }), revokeKey, returning("revoked", "keys"));

const list = itemsOf(/[\s,]+/);

const access = channel.extend({
  practices: texts,
  atoms: texts,
  callsPerSecond: text,
  callsAtOnce: text,
  networks: list,
  shown: givenText,
  seen: text,
});

type AccessInput = ChannelAccess & { readonly shown?: string | undefined; readonly seen: string };

type ReviewOutcome =
  | { readonly saved: Awaiting }
  | { readonly preview: AccessPreview; readonly names: ReadonlyMap<string, string> };

/** What the change comes to where that was not reviewed yet or is something else by now; otherwise the change itself. */
async function reviewed(
  ctx: Context<PersonActor>,
  { seen, shown, ...input }: AccessInput,
): Promise<Result<ReviewOutcome, AdminRefusal>> {
  if (seen !== "") {
    const changed = await changeChannelAccess(ctx, { ...input, seen });
    if (changed.ok) return ok({ saved: changed.value });
    if (changed.refusal.type !== "changed-since") return changed;
  }
  const [preview, practices] = [await previewChannelAccess(ctx, { ...input, shown }), await listPractices(ctx)];
  if (!preview.ok) return preview;
  const names = new Map(practices.ok ? practices.value.map(({ id, name }) => [id, name]) : []);
  return ok({ preview: preview.value, names });
}

/** Sets everything a channel may do, in two steps: the first answers with what it comes to, the second saves exactly that. */
export const saveAccess = action(access, reviewed, {
  done: (value, input): string | ActAnswer => {
    if ("saved" in value) {
      const done: ChannelDone = value.saved.awaiting === undefined ? "access" : "access-waiting";
      return `${channelPath(input.channelId, "access")}?done=${done}`;
    }
    const review = accessReview(value.preview, value.names);
    if (review.lines.length === 0) return { ...noAnswer, alert: "Nothing to save. You haven't changed anything." };
    const typed = {
      practices: input.practices ?? [],
      atoms: input.atoms ?? [],
      callsPerSecond: [String(input.callsPerSecond)],
      callsAtOnce: [String(input.callsAtOnce)],
      networks: [(input.networks ?? []).join("\n")],
      shown: [input.shown ?? ""],
    };
    return { problems: {}, typed, review };
  },
  refused: settingsMessage,
});

export const rename = action(channel.extend({ name: text }), renameChannel, returning("renamed"));

const owner = channel.extend({ owner: text }).transform(({ channelId, owner: email }) => ({ channelId, email }));

export const setOwner = action(owner, setChannelOwner, returning("owner"));

/** The first hosts make a secret, which is in the answer alone, this one time. */
export const setWebhooks = action(channel.extend({ hosts: list }), setChannelWebhooks, {
  done: ({ secret }, { channelId }) =>
    secret === undefined ? `${channelPath(channelId, "webhooks")}?done=webhooks` : signingSecret(secret, channelId),
  refused: refusalMessage,
});

export const rotateWebhook = action(channel, rotateWebhookSecret, {
  done: ({ secret }, { channelId }) => signingSecret(secret, channelId),
  refused: refusalMessage,
});

function signingSecret(secret: string, channelId: string): ActAnswer {
  return secretAnswer(secret, { ...webhookSecretText, done: channelPath(channelId, "webhooks") });
}

export const resendWebhook = action(
  channel.extend({ deliveryId: text }),
  resendDelivery,
  returning("resent", "webhooks"),
);

/** The address of its keys if there is one, otherwise what was typed as keys. */
const client = channel.extend({ jwksUrl: text, jwks: text, clientDays: text }).transform((typed) => {
  const { channelId, clientDays: keyDays, jwks } = typed;
  const jwksUrl = typed.jwksUrl.trim();
  return { channelId, keyDays, ...(jwksUrl === "" ? { jwks } : { jwksUrl }) };
});

export const setClient = action(client, setChannelClient, returning("client", "keys"));

export const suspend = action(channel, suspendChannel, returning("suspended"));

export const resume = action(channel, resumeChannel, returning("resumed"));

/** Goes back to a tab of the channel's page, which says that it was done. */
function returning(done: ChannelDone, tab: ChannelTab = "overview") {
  return {
    done: (_: unknown, { channelId }: { readonly channelId: string }) => `${channelPath(channelId, tab)}?done=${done}`,
    refused: refusalMessage,
  };
}
