import { z } from "zod";
import type { RouteSettings } from "#lib/payer/model/destination";
import { assert } from "#lib/platform/result";
import { isPrivate } from "#lib/platform/outbound/open-socket";
import { settingProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

/** What is wrong with one setting; `problem` completes the sentence that begins with its name. */
type Problem = { readonly name: string; readonly problem: string };

/** One setting of a connector: a text, or one of several choices with a default. */
export type SettingField = {
  readonly name: string;
  readonly required: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly standard?: string | undefined;
};

/** The settings of a connector by a schema: their list, their check, and a reader of valid settings. */
export function settingsOf<Schema extends z.ZodObject>(schema: Schema) {
  return {
    settings: Object.entries(schema.shape).map(([name, type]) => fieldOf(name, type)),
    checkSettings: (settings: RouteSettings): readonly Problem[] =>
      (schema.safeParse(settings).error?.issues ?? []).flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((name) => ({ name, problem: settingProblems.unknownSetting }))
          : [{ name: String(issue.path[0]), problem: issue.message }],
      ),
    readSettings: ({ settings }: { readonly settings: RouteSettings }): z.output<Schema> => {
      const read = schema.safeParse(settings);
      assert(read.success, "a route in force has settings its connector can use");
      return read.data;
    },
  };
}

function fieldOf(name: string, type: unknown): SettingField {
  const standard = type instanceof z.ZodDefault ? String(type.def.defaultValue) : undefined;
  const inner: unknown = type instanceof z.ZodDefault || type instanceof z.ZodOptional ? type.unwrap() : type;
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
  return { name, required: inner === type, choices, standard };
}

/** A choice of words, with the problem for any other value. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, problems.eitherOf(choices));
}

/**
 * What happens to an unconfirmed request that the payer does not find: a person settles it, or the same bytes are submitted
 * again. The latter is safe only with a payer that treats the same identifier as the same request.
 */
export const resendSetting = choice(["never", "by-identity"]).default("never");

const missing = problems.required;

/** One printable word, such as a client id. */
export const wordSetting = z.string({ error: missing }).regex(/^[\x21-\x7e]+$/, settingProblems.printable);

/** The address of an identifier system (FHIR Identifier.system): an absolute URI, such as an `http:` address or a `urn:oid:`. */
export const systemSetting = z
  .string({ error: missing })
  .regex(/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i, settingProblems.absoluteUri);

export const scopeSetting = z
  .string({ error: missing })
  .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, settingProblems.scopes);

/** The token endpoint. It gets our credentials, so plain http is allowed only within this machine. */
export const tokenUrlSetting = z
  .string({ error: missing })
  .refine((text) => URL.canParse(text) && isPrivate(new URL(text)), settingProblems.tokenEndpoint);
