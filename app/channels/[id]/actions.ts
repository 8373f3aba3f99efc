"use server";

import { z } from "zod";
import { secretAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text, texts, yes } from "#components/form/form-schema";
import { changeChannelRights } from "#lib/channel/change-channel-rights";
import { renameChannel } from "#lib/channel/rename-channel";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { setChannelLimits } from "#lib/channel/set-channel-limits";
import { setChannelNetworks } from "#lib/channel/set-channel-networks";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { resendDelivery } from "#lib/channel/webhook/channel-deliveries";
import { rotateWebhookSecret, setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import type { ChannelDone } from "#lib/messages/admin/channel";
import { refusalMessage } from "#lib/messages/admin/refusals";

const channel = z.object({ channelId: text });

const rotation = channel
  .extend({ keyDays: text, overlap: text, revokeOld: yes, liveKeys: texts })
  .transform(({ liveKeys: seen, ...rest }) => ({ ...rest, seen }));

/** Makes a key beside those the page showed. It is in the answer alone, this one time, and never in an address. */
export const rotate = action(rotation, rotateKey, { done: ({ key }) => secretAnswer(key), refused: refusalMessage });

export const revoke = action(channel.extend({ keyId: text }), revokeKey, returning("revoked"));

export const setRights = action(
  channel.extend({ practices: texts, atoms: texts }),
  changeChannelRights,
  returning("rights"),
);

export const rename = action(channel.extend({ name: text }), renameChannel, returning("renamed"));

const owner = channel.extend({ owner: text }).transform(({ channelId, owner: email }) => ({ channelId, email }));

export const setOwner = action(owner, setChannelOwner, returning("owner"));

const networks = text.transform((typed) => typed.split(/[\s,]+/).filter((part) => part !== ""));

export const setNetworks = action(channel.extend({ networks }), setChannelNetworks, returning("networks"));

const hosts = text.transform((typed) => typed.split(/[\s,]+/).filter((part) => part !== ""));

/** The first hosts make a secret, which is in the answer alone, this one time. */
export const setWebhooks = action(channel.extend({ hosts }), setChannelWebhooks, {
  done: ({ secret }, { channelId }) =>
    secret === undefined ? `/channels/${encodeURIComponent(channelId)}?done=webhooks` : secretAnswer(secret),
  refused: refusalMessage,
});

export const rotateWebhook = action(channel, rotateWebhookSecret, {
  done: ({ secret }) => secretAnswer(secret),
  refused: refusalMessage,
});

export const resendWebhook = action(channel.extend({ deliveryId: text }), resendDelivery, returning("resent"));

export const setLimits = action(
  channel.extend({ callsPerSecond: text, callsAtOnce: text }),
  setChannelLimits,
  returning("limits"),
);

/** The address of its keys if there is one, otherwise what was typed as keys. */
const client = channel.extend({ jwksUrl: text, jwks: text, clientDays: text }).transform((typed) => {
  const { channelId, clientDays: keyDays, jwks } = typed;
  const jwksUrl = typed.jwksUrl.trim();
  return { channelId, keyDays, ...(jwksUrl === "" ? { jwks } : { jwksUrl }) };
});

export const setClient = action(client, setChannelClient, returning("client"));

export const suspend = action(channel, suspendChannel, returning("suspended"));

export const resume = action(channel, resumeChannel, returning("resumed"));

/** Goes back to the channel's page, which says that it was done. */
function returning(done: ChannelDone) {
  return {
    done: (_: unknown, { channelId }: { readonly channelId: string }) =>
      `/channels/${encodeURIComponent(channelId)}?done=${done}`,
    refused: refusalMessage,
  };
}
