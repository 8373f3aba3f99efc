import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import { z } from "zod";
import { atoms, roles } from "#lib/access/model/actor";
import { type LineOfBusiness } from "#lib/task/model/decision-times";
import { isNpi } from "#lib/task/model/formats";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isBlank } from "#lib/platform/visible-length";
import { isZone } from "#lib/platform/zoned-time";
import { fieldProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import type { AdminRefusal } from "./refusal.ts";

/** The input as its schema parses it, or `invalid` with every field that is wrong. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Result<z.output<Schema>, AdminRefusal> {
  return resultOf(schema.safeParse(input));
}

/** The same for a schema with an asynchronous rule. */
export async function validateAsync<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Promise<Result<z.output<Schema>, AdminRefusal>> {
  return resultOf(await schema.safeParseAsync(input));
}

function resultOf<Output>(parsed: z.ZodSafeParseResult<Output>): Result<Output, AdminRefusal> {
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: fieldOf(path), problem: message }));
  return refuse({ type: "invalid", issues });
}

/**
 * The field's name; for a member of a record with the member's name, such as `settings.scope`; for an item of a list
 * the list's name.
 */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.filter((part) => typeof part === "string").join(".");
}

/** A name: one line, 1 to 100 characters. */
export const nameText = z
  .string()
  .trim()
  // A name that shows nothing is none.
  .refine((name) => !isBlank(name), problems.notEmpty)
  .max(100, problems.charactersMax(100))
  .refine(isOneLine, fieldProblems.oneLine);

export const practiceIdText = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, fieldProblems.practiceId)
  // The audit log already has a chain of this name.
  .refine((id) => id !== "people", fieldProblems.reservedPracticeId);

/** The issuer of a single sign-on provider. */
export const identityIssuer = z.url(fieldProblems.issuerAddress).max(500, problems.charactersMax(500));

export const environmentWord = z.enum(["live", "test"], fieldProblems.liveOrTest);

// Safe because the object has exactly these keys, by type.
const lines = Object.keys(linesOfBusiness) as [LineOfBusiness, ...LineOfBusiness[]];

export const lineOfBusinessWord = z.enum(lines, problems.oneOf(lines));

export const timeZoneText = z.string().max(64, problems.charactersMax(64)).refine(isZone, fieldProblems.timeZone);

const orNone = (text: string) => (text === "" ? null : text);

/** An organization's NPI; an empty text is none. */
export const npiText = z
  .string()
  .trim()
  .refine((text) => text === "" || isNpi(text), fieldProblems.npiOrEmpty)
  .transform(orNone);

/** A tax identification number, with or without its hyphen; an empty text is none. */
export const taxIdText = z
  .string()
  .trim()
  .transform((text) => text.replaceAll("-", ""))
  .refine((text) => /^(\d{9})?$/.test(text), fieldProblems.taxIdOrEmpty)
  .transform(orNone);

export const atomList = z
  .array(z.enum(atoms, problems.of(atoms)))
  .min(1, fieldProblems.onePermission)
  .transform(distinct);

export const roleList = z
  .array(z.enum(roles, problems.of(roles)))
  .min(1, fieldProblems.oneRole)
  .transform(distinct);

export const practiceList = z.array(z.string()).max(1_000, problems.listMax(1_000, "practices")).transform(distinct);

/** IP addresses, or networks in CIDR notation; an empty list means anywhere. */
export const networkList = z
  .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], fieldProblems.networks))
  .max(50, problems.listMax(50, "networks"))
  .transform(distinct);

function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed();
}

function distinct<Item>(list: readonly Item[]): readonly Item[] {
  return [...new Set(list)];
}
