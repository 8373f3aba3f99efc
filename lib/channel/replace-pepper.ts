import { administer } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import type { AdminRefusal } from "#lib/access/refusal";
import { serviceChain } from "#lib/audit/model/entry";
import { replaceFingerprint } from "#lib/db/prove-pepper";
import { ok, type Result } from "#lib/platform/result";
import { countLiveKeys } from "./store/admin-channels.ts";

/**
 * Makes the pepper of this process the one that is used from now on, as after the loss of the one before. Every key and
 * token made with that one stays refused; `keys` says how many keys could have been used. Changes nothing where it is the
 * same pepper.
 */
export function replacePepper(ctx: Context): Promise<Result<{ replaced: boolean; keys: number }, AdminRefusal>> {
  return administer(ctx, "every-practice", async (tx) => {
    const keys = await countLiveKeys(tx);
    const replaced = await replaceFingerprint(tx, ctx.store);
    const entries = replaced ? [{ act: "keys.pepper-replaced" as const, detail: { keys } }] : [];
    return ok({ value: { replaced, keys: replaced ? keys : 0 }, chain: serviceChain, entries });
  });
}
