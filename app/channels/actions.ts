"use server";

import { z } from "zod";
import { secretAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text, texts } from "#components/form/form-schema";
import { createChannel } from "#lib/channel/create-channel";
import { refusalMessage } from "#lib/messages/admin/refusals";

const newChannel = z
  .object({ channelId: text, name: text, practices: texts, atoms: texts, keyDays: text })
  .transform(({ channelId: id, ...rest }) => ({ id, ...rest }));

/** Makes a channel. Its key is in the answer alone, this one time, and never in an address. */
export const makeChannel = action(newChannel, createChannel, {
  done: ({ key }) => secretAnswer(key),
  refused: refusalMessage,
});
