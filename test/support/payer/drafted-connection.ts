import { beginRouteDraft, setDraftAccess } from "#lib/practice/draft/route-draft";
import type { Store } from "#lib/db/db";
import { done } from "../people/admin.ts";
import { aPerson, aPractice } from "../cases/cases.ts";

/** A draft of a payer connection of an administrator's own, complete but for a payer that answers at its address. */
export async function aDraftedConnection(store: Store, url = "http://127.0.0.1:9/fhir") {
  const practiceId = await aPractice(store);
  const { actor, ...ctx } = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  const admin = { ...ctx, actor: { ...actor, provedAt: new Date() } };
  const given = { practiceId, payerId: "60054", payerName: "Lakeview Mutual", connector: "pas-fhir" };
  const { draftId } = await done(beginRouteDraft(admin, given));
  const id = { practiceId, draftId };
  await done(setDraftAccess(admin, { ...id, url, credential: "nobody-sees-this" }));
  return { practiceId, admin, id };
}
