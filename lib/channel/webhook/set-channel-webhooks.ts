import { z } from "zod";
import type { Context } from "#lib/access/context";
import { difference } from "#lib/access/difference";
import type { AdminRefusal } from "#lib/access/refusal";
import { validate } from "#lib/access/validate";
import { administerChannel } from "#lib/channel/administer-channel";
import { ok, refuse, type Result } from "#lib/platform/result";
import { urlProblem } from "#lib/practice/route-url";
import { channelProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { newWebhookSecret } from "./model/signature.ts";
import { findWebhookHosts, removeWebhooks, replaceWebhookSecret, saveWebhookHosts } from "./store/channel-webhooks.ts";

const hostsMax = 10;

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(255, problems.charactersMax(255))
  .superRefine((text, ctx) => {
    const problem = hostProblem(text);
    if (problem !== undefined) ctx.addIssue(problem);
  });

/** A name or an address. What only looks like a pattern, such as `*.example.org`, would match no host, and mislead. */
const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Plain http goes to this machine alone, so a host of this machine may be meant for it. */
function hostProblem(text: string): string | undefined {
  if (!hostForm.test(text) || URL.parse(`https://${text}`)?.host !== text) return channelProblems.hosts;
  const problem = urlProblem(`https://${text}`);
  return problem && `${text} ${problem}`;
}

const schema = z.object({ hosts: z.array(host).max(hostsMax, problems.atMostOf(hostsMax, "hosts")) });

export type ChannelWebhooks = {
  readonly channelId: string;
  /** The hosts that the channel's agent may name, with their port where it is not the usual one; none turns webhooks off. */
  readonly hosts: readonly string[];
};

/**
 * Says where the agent of a channel may have changes of its tasks delivered. With the first hosts the result has the
 * secret that signs the deliveries, this one time. Without hosts nothing is delivered any more, and the secret is gone.
 */
export async function setChannelWebhooks(
  { actor, store }: Context,
  { channelId, hosts }: ChannelWebhooks,
): Promise<Result<{ readonly secret: string | undefined }, AdminRefusal>> {
  await store.keys.ready([]);
  return administerChannel(
    { actor, store },
    channelId,
    async (tx, channel) => {
      const parsed = validate(schema, { hosts });
      if (!parsed.ok) return parsed;
      const after = [...new Set(parsed.value.hosts)].sort();
      const before = await findWebhookHosts(tx, channel.id);
      const secret = before === undefined && after.length > 0 ? newWebhookSecret() : undefined;
      const changed = difference(before ?? [], after);
      if (changed.added.length + changed.removed.length === 0) return ok({ value: { secret }, entries: [] });
      if (after.length === 0) await removeWebhooks(tx, channel.id);
      else await saveWebhookHosts(tx, { channelId: channel.id, hosts: after, secret });
      return ok({ value: { secret }, entries: [{ act: "channel.changed", detail: { webhooks: changed } }] });
    },
    { proved: true },
  );
}

/**
 * Makes a new secret for signing. The result alone has its text. The one before also signs for a day, so that the
 * receiver can change over. `not-found` where nothing is delivered for the channel.
 */
export async function rotateWebhookSecret(
  { actor, store }: Context,
  { channelId }: { readonly channelId: string },
): Promise<Result<{ readonly secret: string }, AdminRefusal>> {
  await store.keys.ready([]);
  return administerChannel(
    { actor, store },
    channelId,
    async (tx, channel) => {
      if ((await findWebhookHosts(tx, channel.id)) === undefined) return refuse({ type: "not-found", what: "webhook" });
      const secret = newWebhookSecret();
      await replaceWebhookSecret(tx, { channelId: channel.id, secret });
      return ok({ value: { secret }, entries: [{ act: "channel.webhook-secret-created", detail: {} }] });
    },
    { proved: true },
  );
}
