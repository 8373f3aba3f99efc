"use server";

import type { ReactNode } from "react";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { showChannelOfKey } from "#lib/channel/own-channel";
import { accountStore } from "#lib/person/session/account-store";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { requestOrigin } from "#lib/person/session/request-origin";
import { OwnChannelView } from "./own-channel-view.tsx";

/** What the form shows after a look; never the key. */
export type LookAnswer = { readonly isUnknown: boolean; readonly shown: ReactNode };

/** Shows the channel of a key to who holds it. Nothing is kept: each look brings the key again. */
export async function lookWithKey(_: LookAnswer, form: FormData): Promise<LookAnswer> {
  // Whoever posts by hand sends what they like.
  const key = form instanceof FormData ? form.get("key") : undefined;
  const { address } = await requestOrigin();
  const { book } = sharedDeps();
  const channel =
    typeof key === "string" ? await showChannelOfKey(accountStore(), { key: key.trim(), address, book }) : undefined;
  if (!channel) await noteRefusal("unknown-key");
  return { isUnknown: channel === undefined, shown: channel && <OwnChannelView channel={channel} /> };
}
