"use server";

import { z } from "zod";
import type { ActAnswer } from "#components/form/act-answer";
import { visitorAction } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { timeReader } from "#components/text/time";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { showChannelOfKey, type OwnChannel } from "#lib/channel/own-channel";
import type { Visitor } from "#lib/person/session/visitor";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Look } from "./own-channel-view.tsx";

/** What the form shows after a look; never the key. */
export type LookAnswer = ActAnswer & { readonly look?: Look };

/** Shows the channel of a key to who holds it. Nothing is kept: each look brings the key again. */
export const lookWithKey = visitorAction(z.object({ key: text }), channelOf, {
  done: async (channel): Promise<LookAnswer> => ({ problems: {}, look: { channel, reader: await timeReader() } }),
  refused: () => ({
    alert: "Not authorised. The key is wrong, expired or revoked, or may not be used from here.",
    problems: {},
  }),
  secrets: ["key"],
});

async function channelOf(
  { store, from: { address } }: Visitor,
  { key }: { readonly key: string },
): Promise<Result<OwnChannel, { readonly type: "unknown-key" }>> {
  const { book } = sharedDeps();
  const channel = await showChannelOfKey(store, { key: key.trim(), address, book });
  return channel ? ok(channel) : refuse({ type: "unknown-key" });
}
