import { z } from "zod";
import type { Context } from "#lib/access/context";
import { isNpi } from "#lib/task/model/formats";
import { providerRoles, type KnownProvider } from "#lib/practice/model/known-provider";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { administer } from "#lib/access/administer";
import { validate, nameText } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

const providersMax = 500;

const npi = z.string().trim().refine(isNpi, problems.npi);
const schema = z.object({
  npi,
  name: nameText,
  roles: z.array(z.enum(providerRoles)).min(1, practiceProblems.providerRole),
});

/**
 * Adds a provider to the practice's list, or replaces one with the same NPI. A request for another provider of that
 * role warns the reviewer; nothing is filled in from the list.
 */
export async function putProvider(
  ctx: Context,
  { practiceId, ...input }: { readonly practiceId: string } & KnownProvider,
): Promise<Result<undefined, AdminRefusal>> {
  return change(ctx, practiceId, (list) => {
    const read = validate(schema, input);
    if (!read.ok) return read;
    const others = list.filter((each) => each.npi !== read.value.npi);
    if (others.length >= providersMax)
      return refuse({ type: "invalid", issues: [{ field: "npi", problem: problems.oneMoreThan(providersMax) }] });
    const roles = providerRoles.filter((role) => read.value.roles.includes(role));
    const next = [...others, { ...read.value, roles }].toSorted((one, other) => one.name.localeCompare(other.name));
    return ok(next);
  });
}

/** Removes a provider from the list; changes nothing where it is not on it. */
export async function removeProvider(
  ctx: Context,
  { practiceId, npi: gone }: { readonly practiceId: string; readonly npi: string },
): Promise<Result<undefined, AdminRefusal>> {
  return change(ctx, practiceId, (list) => ok(list.filter((each) => each.npi !== gone)));
}

type ChangeProviders = (list: readonly KnownProvider[]) => Result<readonly KnownProvider[], AdminRefusal>;

async function change(
  ctx: Context,
  practiceId: string,
  nextOf: ChangeProviders,
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const next = nextOf(practice.providers);
    if (!next.ok) return next;
    const [from, to] = [providerLines(practice.providers), providerLines(next.value)];
    if (from.join() === to.join()) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { providers: next.value });
    const detail = {
      added: to.filter((each) => !from.includes(each)),
      removed: from.filter((each) => !to.includes(each)),
    };
    return ok({ value: undefined, chain: practiceId, entries: [{ act: "practice.providers-set", detail }] });
  });
}

/** A provider as the audit log names it: NPI, roles and name. */
function providerLines(list: readonly KnownProvider[]): readonly string[] {
  return list.map(({ npi: id, name, roles }) => `${id} ${roles.join("+")} ${name}`);
}
