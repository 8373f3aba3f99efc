import { z } from "zod";
import type { RouteSettings } from "#lib/payer/model/destination";
import { assert } from "#lib/platform/result";
import { isPrivate } from "#lib/platform/outbound/open-socket";

/** What is wrong with one setting; `problem` completes the sentence that begins with its name. */
type Problem = { readonly name: string; readonly problem: string };

/** One setting of a connector: a word, or one of several with the one that holds where none is chosen. */
export type SettingField = {
  readonly name: string;
  readonly required: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly standard?: string | undefined;
};

/** What a connector lets a route choose, how it checks that, and reads what it let through. */
export function settingsBy<Schema extends z.ZodObject>(schema: Schema) {
  return {
    settings: Object.entries(schema.shape).map(([name, type]) => fieldOf(name, type)),
    checkSettings: (settings: RouteSettings): readonly Problem[] =>
      (schema.safeParse(settings).error?.issues ?? []).flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((name) => ({ name, problem: "is no setting of this connector" }))
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

/** Words one may choose of, with what is wrong with any other. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.join(" or ")}`);
}

/**
 * What may happen to a request that may have arrived and is not found: a person settles it, or the same bytes go again,
 * which only a payer may be sent that takes the same identifier for the same request.
 */
export const resendSetting = choice(["never", "by-identity"]).default("never");

const missing = "is required";

/** One printable word, such as a client id. */
export const wordSetting = z
  .string({ error: missing })
  .regex(/^[\x21-\x7e]+$/, "must be printable characters without spaces");

export const scopeSetting = z
  .string({ error: missing })
  .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, "must be scopes with one space between");

/** Where tokens are given: what is sent there proves who we are, so it never leaves this machine in clear. */
export const tokenUrlSetting = z
  .string({ error: missing })
  .refine(
    (text) => URL.canParse(text) && isPrivate(new URL(text)),
    "must be the https address of the token endpoint, for plain http goes to this machine only",
  );
