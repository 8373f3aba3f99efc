"use server";

import { z } from "zod";
import { secretAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text, texts, yes } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { createChannel, type CreateChannel } from "#lib/channel/create-channel";
import { firstCommand } from "#lib/channel/first-command";
import { newKeyText } from "#lib/messages/admin/channel";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { env } from "#lib/platform/env";
import { ok } from "#lib/platform/result";

const newChannel = z
  .object({
    channelId: text,
    name: text,
    practices: texts,
    atoms: texts,
    keyDays: text,
    withoutPractices: yes,
    test: yes,
  })
  .transform(({ channelId: id, test, ...rest }) => ({ id, environment: test ? "test" : "live", ...rest }) as const);

/** The channel with its key, and a command to try the key with. */
async function created(ctx: Context<PersonActor>, input: CreateChannel) {
  const made = await createChannel(ctx, input);
  if (!made.ok) return made;
  const { id, key } = made.value;
  const command = await firstCommand(ctx, { channelId: id, key, baseUrl: env().PUBLIC_URL });
  return ok({ id, key, command: command.ok ? command.value : undefined });
}

/** Creates a channel. Its key is in the answer alone, this one time, and never in an address. */
export const createChannelWithKey = action(newChannel, created, {
  done: ({ id, key, command }) => secretAnswer(key, { ...newKeyText(command), done: `/channels/${id}` }),
  refused: refusalMessage,
});
