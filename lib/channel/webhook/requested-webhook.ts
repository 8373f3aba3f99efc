import { z } from "zod";
import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import type { Issue } from "#lib/task/refusal";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isPrivate } from "#lib/platform/outbound/open-socket";
import { parseAt } from "#lib/a2a/params/issues";
import { channelProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { loadWebhookHosts } from "./store/channel-webhooks.ts";
import type { RequestedWebhook } from "./model/requested-webhook.ts";

const path = "/configuration/pushNotificationConfig";
const urlCharsMax = 2_000;
const tokenCharsMax = 500;

/** A2A's PushNotificationConfig, as far as it is served; `hosts` are those that the channel may name. */
const configSchema = (hosts: readonly string[]) =>
  z.looseObject({
    url: z
      .string()
      .max(urlCharsMax, problems.charactersMax(urlCharsMax))
      .superRefine((text, ctx) => {
        const problem = addressProblem(text, hosts);
        if (problem !== undefined) ctx.addIssue(problem);
      }),
    token: z
      .string()
      .max(tokenCharsMax, problems.charactersMax(tokenCharsMax))
      .regex(/^[!-~]*$/, channelProblems.visibleAscii)
      .nullish(),
    authentication: z.null(channelProblems.signatureInstead).optional(),
  });

/** Visible ASCII with no backslash: what readers of addresses leave out or read as a slash is no part of one. */
const addressForm = /^https?:\/\/[!-[\]-~]+$/i;

/** What its host leads to is looked at when something is delivered. */
function addressProblem(text: string, hosts: readonly string[]): string | undefined {
  const url = addressForm.test(text) ? URL.parse(text) : null;
  if (!url || !isPrivate(url)) return problems.httpsAddress;
  if (!hosts.includes(url.host)) return channelProblems.webhookHosts(hosts.join(" or "));
  if (url.username !== "" || url.password !== "" || url.hash !== "") return channelProblems.noUserInfo;
  return undefined;
}

/** Reads where an agent wants changes told. Refused where its channel may not have any delivered, or not there. */
export async function readWebhook(
  { actor, store }: Context<ChannelActor>,
  config: unknown,
): Promise<Result<RequestedWebhook, readonly Issue[]>> {
  const hosts = await loadWebhookHosts(store, actor.id);
  if (!hosts) return refuse([{ path, problem: channelProblems.pollInstead }]);
  const parsed = parseAt(configSchema(hosts), config, path);
  return parsed.ok ? ok({ url: parsed.value.url, token: parsed.value.token ?? undefined }) : parsed;
}
