import { z } from "zod";
import type { Destination, RouteSettings } from "#lib/domain/destination";
import { assert } from "#lib/domain/result";

const word = z.string().regex(/^[\x21-\x7e]+$/, "must be printable characters without spaces");
const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(" or ")}`);

const schema = z
  .strictObject({
    /** The release of the guide the payer speaks. */
    version: choice(["2.2.1", "2.0.1"]).default("2.2.1"),
    /** How we prove who we are: a fixed bearer credential, or SMART Backend Services with a signed assertion. */
    auth: choice(["bearer", "smart"]).default("bearer"),
    /** The token endpoint; left out, the payer's .well-known/smart-configuration names it. */
    tokenUrl: z
      .url({ protocol: /^https?$/, error: "must be the http or https address of the token endpoint" })
      .optional(),
    clientId: word.optional(),
    /** The `kid` under which the payer knows our public key. */
    keyId: word.optional(),
    scope: z
      .string()
      .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, "must be scopes with one space between")
      .optional(),
    /** How we hear of a decision later: by asking alone, or by the payer's notifications as well. */
    subscription: choice(["none", "rest-hook"]).default("none"),
    /** Whether the payer answers the same Bundle.identifier once, however often it arrives. */
    honoursIdentity: choice(["no", "yes"]).default("no"),
  })
  .superRefine((settings, issues) => {
    if (settings.auth === "smart" && settings.clientId === undefined)
      issues.addIssue({ code: "custom", path: ["clientId"], message: 'is required where auth is "smart"' });
  });

/** What a pas-fhir route lets its practice choose, with everything left out at its default. */
export type PasSettings = z.infer<typeof schema>;

/** What is wrong with a route's settings, by their names. */
export function checkSettings(settings: RouteSettings): readonly { readonly name: string; readonly problem: string }[] {
  const { error } = schema.safeParse(settings);
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({ name, problem: "is no setting of this connector" }))
      : [{ name: String(issue.path[0]), problem: issue.message }],
  );
}

/** The settings of a route that `checkSettings` let through. */
export function readSettings({ settings }: Pick<Destination, "settings">): PasSettings {
  const read = schema.safeParse(settings);
  assert(read.success, "a route in force has settings its connector can use");
  return read.data;
}
