import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { keepSearch } from "#lib/queue/store/case-searches";
import { inTransaction } from "#lib/db/db";
import { countCases } from "#lib/queue/store/queue-counts";
import type { SearchTarget } from "#lib/queue/store/queue-sections";
import type { Refusal } from "#lib/task/refusal";
import { problems } from "#lib/messages/problems/field";

/** How the results of a search are addressed: by a text that names a case, or by the id of a search stored for this person. */
export type SearchLocation = { readonly text: string } | { readonly search: string };

/** A name may be long, and half of a word finds nothing. */
const textMax = 200;
/** The most of a text that names a case, as part of an address. */
const addressTextMax = 64;
/** Enough to know whether there is any. */
const countMax = 100;

/**
 * Searches cases by case ID, the payer's reference, the patient's name, birth date or both, the member ID, or the
 * authorization number. Only a text that names a case and no patient becomes part of an address. Any other text may be of
 * a patient, so it is stored on the server for some minutes, under an id that works for this person only. The audit log
 * records that search without its text.
 */
export async function searchCases(ctx: Context<PersonActor>, typed: string): Promise<Result<SearchLocation, Refusal>> {
  const { actor, store } = ctx;
  if (!actor.roles.includes("reviewer") || actor.practices.length === 0) return refuse({ type: "not-authorised" });
  const text = typed.trim();
  const problem = problemOf(text);
  if (problem !== undefined) return refuse({ type: "invalid", issues: [{ path: "/text", problem }] });
  const query = { practices: actor.practices, personId: actor.id, sort: "due", filters: {} } as const;
  const count = (view: SearchTarget) => countCases(store, { ...query, view }, countMax);
  const ofPatients = await count({ typed: text });
  if (ofPatients === 0 && text.length <= addressTextMax && (await count({ text })) > 0) return ok({ text });
  return inTransaction(store, async (tx) => {
    const search = await keepSearch(tx, { personId: actor.id, text });
    for (const chain of [...actor.practices].sort()) {
      await appendAudit(tx, { chain, actor, act: "cases.searched", detail: { by: "patient", search } });
    }
    return ok({ search });
  });
}

function problemOf(text: string): string | undefined {
  if (text === "") return problems.notEmpty;
  if (text.length > textMax) return problems.charactersMax(textMax);
  return /\p{Cc}/u.test(text) ? problems.noControlCharacters : undefined;
}
