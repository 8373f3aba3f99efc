import { z } from "zod";
import { connectorNames } from "#lib/payer/model/destination";
import { supports } from "#lib/payer/model/support";
import { nameText } from "#lib/access/validate";
import { isWithin, type CodeRange } from "#lib/practice/model/route-rule";
import { isRequirable } from "#lib/task/model/required-fields";
import { idText } from "#lib/task/model/service-review";

const aliasesMax = 20;
const rulesMax = 50;
const conditionsMax = 200;

/** What an administrator says of a payer of the directory; its rules are set on their own. */
export const payerInput = z.object({
  payerId: idText.refine((id) => id === id.trim(), "must not begin or end with a space"),
  name: nameText,
  aliases: z.array(nameText).max(aliasesMax, `must be at most ${aliasesMax} names`).transform(distinct).default([]),
  connector: z.enum(connectorNames, `must be one of ${connectorNames.join(", ")}`).optional(),
  supports: z
    .array(z.enum(supports, `must be of ${supports.join(", ")}`))
    .transform((given) => supports.filter((each) => given.includes(each)))
    .default([...supports]),
  requiredFields: z
    .array(z.string().refine(isRequirable, "must be fields a payer may require"))
    .max(50, "must be at most 50 fields")
    .transform((list) => [...new Set(list)].toSorted())
    .default([]),
});

const codeRange = z.string().transform((text, context): CodeRange => {
  const [from = "", to = from, ...more] = text.split("-").map((code) => code.trim().toUpperCase());
  const isCode = [from, to].every((code) => /^[A-Z0-9]{1,20}$/.test(code));
  if (isCode && more.length === 0 && isWithin({ from, to }, from) && isWithin({ from, to }, to)) return { from, to };
  context.addIssue({ code: "custom", message: "must be codes or ranges of one form, such as 70336-78816" });
  return z.NEVER;
});

/** One rule as it is typed: codes as `70336-78816` or `97110`. */
const ruleInput = z.object({
  name: nameText,
  serviceTypes: z
    .array(
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z0-9]{1,3}$/, "must be service type codes of one to three characters"),
    )
    .max(conditionsMax, `must be at most ${conditionsMax} codes`)
    .transform(distinct),
  codes: z.array(codeRange).max(conditionsMax, `must be at most ${conditionsMax} ranges`),
  linesOfBusiness: z.array(nameText).max(conditionsMax, `must be at most ${conditionsMax}`).transform(distinct),
  connection: idText,
});

export const rulesInput = z.array(ruleInput).max(rulesMax, `must be at most ${rulesMax} rules`);

/** A rule as an administrator types it. */
export type RuleInput = {
  readonly name: string;
  readonly serviceTypes: readonly string[];
  readonly codes: readonly string[];
  readonly linesOfBusiness: readonly string[];
  readonly connection: string;
};

function distinct<Item>(list: readonly Item[]): readonly Item[] {
  return [...new Set(list)];
}
