import { z } from "zod";
import { connectorNames } from "#lib/payer/model/destination";
import { supports } from "#lib/payer/model/support";
import { nameText } from "#lib/access/validate";
import { isWithin, type CodeRange } from "#lib/practice/model/route-rule";
import { isRequirable } from "#lib/task/model/required-fields";
import { idText } from "#lib/task/model/service-review";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

const aliasesMax = 20;
const rulesMax = 50;
const conditionsMax = 200;

/** What an administrator says of a payer of the directory; its rules are set on their own. */
export const payerInput = z.object({
  payerId: idText.refine((id) => id === id.trim(), practiceProblems.noOuterSpace),
  name: nameText,
  aliases: z.array(nameText).max(aliasesMax, problems.atMostOf(aliasesMax, "names")).transform(distinct).default([]),
  connector: z.enum(connectorNames, problems.oneOf(connectorNames)).optional(),
  supports: z
    .array(z.enum(supports, problems.of(supports)))
    .transform((given) => supports.filter((each) => given.includes(each)))
    .default([...supports]),
  requiredFields: z
    .array(z.string().refine(isRequirable, practiceProblems.payerFields))
    .max(50, problems.atMostOf(50, "fields"))
    .transform((list) => [...new Set(list)].toSorted())
    .default([]),
});

const codeRange = z.string().transform((text, context): CodeRange => {
  const [from = "", to = from, ...more] = text.split("-").map((code) => code.trim().toUpperCase());
  const isCode = [from, to].every((code) => /^[A-Z0-9]{1,20}$/.test(code));
  if (isCode && more.length === 0 && isWithin({ from, to }, from) && isWithin({ from, to }, to)) return { from, to };
  context.addIssue({ code: "custom", message: practiceProblems.procedureRanges });
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
        .regex(/^[A-Z0-9]{1,3}$/, practiceProblems.serviceTypes),
    )
    .max(conditionsMax, problems.atMostOf(conditionsMax, "codes"))
    .transform(distinct),
  codes: z.array(codeRange).max(conditionsMax, problems.atMostOf(conditionsMax, "ranges")),
  linesOfBusiness: z.array(nameText).max(conditionsMax, problems.atMost(conditionsMax)).transform(distinct),
  connection: idText,
});

export const rulesInput = z.array(ruleInput).max(rulesMax, problems.atMostOf(rulesMax, "rules"));

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
