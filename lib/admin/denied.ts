import type { Context } from "#lib/context";
import { refuse, type Result } from "#lib/domain/result";
import { recordPersonDenial } from "#lib/store/audit-denials";
import type { AdminRefusal } from "./refusal.ts";

/** Refuses for lack of a power, and puts it on record where a person asked. */
export async function denied({ actor, store }: Context, asked: Asked): Promise<Result<never, AdminRefusal>> {
  if (actor.kind === "person") await recordPersonDenial(store, actor, { asked });
  return refuse({ type: "not-authorised" });
}

/** What was asked for. */
type Asked = "change" | "channels" | "keys" | "people" | "practices" | "receipts" | "record" | "routes";
