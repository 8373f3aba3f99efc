"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { givenText, itemsOf, postedTexts, text, texts } from "#components/form/form-schema";
import type { PayerDone } from "#lib/messages/admin/payers";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { removePayer, setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setUnlistedPayers } from "#lib/practice/directory/set-unlisted-payers";
import { payerPath, payersPath } from "../paths.ts";

const payer = z.object({ practiceId: text, payerId: text });

export const saveUnlisted = action(
  z.object({ practiceId: text, unlistedPayers: text }),
  setUnlistedPayers,
  toDirectory("unlisted"),
);

const lines = itemsOf(/\r?\n/);

const payerFields = payer.extend({
  payerId: text.transform((typed) => typed.trim()),
  name: text,
  aliases: lines,
  connector: givenText,
  supports: texts,
  requiredFields: texts,
});

export const savePayer = action(payerFields, setPayer, returning("payer"));

export const dropPayer = action(payer, removePayer, toDirectory("removed"));

const list = itemsOf(/[\s,;]+/);
/** Codes may be typed with space around the hyphen of a range. */
const codes = text.transform((typed) => list.parse([typed.replaceAll(/\s*-\s*/g, "-")]));
const phrases = itemsOf(/[,;\r\n]+/);

const ruleFields = z.object({
  position: text,
  name: text,
  serviceTypes: list,
  codes,
  linesOfBusiness: phrases,
  connection: text,
});

/** The rules in the order of their numbers; a row without a name is none. */
const rules = postedTexts.transform((posted) => {
  const { practiceId, payerId } = payer.parse(posted);
  const rows = Object.keys(posted).flatMap((name) => /^(\d+)\.name$/.exec(name)?.[1] ?? []);
  const read = rows
    .map((row) => ({ row, rule: ruleFields.parse(membersOf(posted, row)) }))
    .filter(({ rule }) => rule.name.trim() !== "")
    .toSorted((one, other) => Number(one.rule.position) - Number(other.rule.position));
  return {
    ...{ practiceId, payerId, seen: text.parse(posted["seen"]) },
    rules: read.map(({ rule: { position: _, ...rule } }) => rule),
    rows: read.map(({ row }) => row),
  };
});

function membersOf(posted: z.infer<typeof postedTexts>, row: string): z.infer<typeof postedTexts> {
  const own = Object.entries(posted).filter(([name]) => name.startsWith(`${row}.`));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(row.length + 1), value]));
}

export const saveRules = action(rules, (ctx, { rows: _, ...input }) => setPayerRules(ctx, input), {
  ...returning("rules"),
  refused: (refusal, { rows }) => {
    const { alert, problems } = refusalMessage(refusal);
    // A rule is refused by its place in the order, and stands in the row it was typed in.
    const atRows = Object.entries(problems).map(([field, problem]) => {
      const [place = "", name] = field.split(".", 2);
      return [name === undefined ? field : `${rows[Number(place)]}.${name}`, problem];
    });
    return { alert, problems: Object.fromEntries(atRows) };
  },
});

/** Goes to the directory, which says that it was done. */
function toDirectory(done: PayerDone) {
  return {
    done: (_: unknown, { practiceId }: Pick<z.infer<typeof payer>, "practiceId">) =>
      `${payersPath(practiceId)}?done=${done}`,
    refused: refusalMessage,
  };
}

/** Goes to the payer's page, which says that it was done. */
function returning(done: PayerDone) {
  return {
    done: (_: unknown, { practiceId, payerId }: z.infer<typeof payer>) =>
      `${payerPath(practiceId, payerId)}&done=${done}`,
    refused: refusalMessage,
  };
}
