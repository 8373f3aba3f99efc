"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { givenFile, text } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { placeText, valueText } from "#lib/messages/admin/versions";
import type { Result } from "#lib/platform/result";
import { importKinds } from "#lib/practice/import/import-csv";
import {
  applyImport,
  previewImport,
  type ImportedSettings,
  type Preview,
  type RowOutcome,
} from "#lib/practice/import/import-settings";
import type { ImportAnswer, ShownRow } from "./answer.ts";

const bytesMax = 400_000;

/** The file's text, or what was typed. A file that is far too large is not read, and is told so like any other. */
const posted = z
  .object({
    kind: text.pipe(z.enum(importKinds, "Choose practices, routes or payer directory.")),
    ...{ file: givenFile, text, digest: text },
  })
  .transform(async ({ file, ...typed }, ctx) => {
    if (file) return { ...typed, text: await file.slice(0, bytesMax).text(), field: "file" };
    if (typed.text.trim() !== "") return { ...typed, field: "text" };
    ctx.addIssue({ code: "custom", path: ["file"], message: "Select a file, or enter its text below." });
    return z.NEVER;
  });

type PostedImport = z.infer<typeof posted>;

/** Shows what every row of a file would come to; given the digest of what was shown, does exactly that. */
export const importFile = action<PostedImport, PreviewOrResult, AdminRefusal, ImportAnswer>(posted, previewOrApply, {
  done: (done, input) =>
    "rows" in done ? shown(input, done) : { problems: {}, typed: { kind: [input.kind] }, done: doneText(done) },
  refused: (refusal, { field }) => refusalMessage(atField(refusal, field)),
  kept,
  redraws: false,
});

/** What is wrong with the file stands where it came from. */
function atField(refusal: AdminRefusal, field: string): AdminRefusal {
  if (refusal.type !== "invalid") return refusal;
  return { ...refusal, issues: refusal.issues.map((issue) => (issue.field === "file" ? { ...issue, field } : issue)) };
}

type PreviewOrResult = Preview | ImportedSettings;

async function previewOrApply(
  ctx: Context<PersonActor>,
  input: PostedImport,
): Promise<Result<PreviewOrResult, AdminRefusal>> {
  return input.digest === "" ? previewImport(ctx, input) : applyImport(ctx, input);
}

/** What the rows come to now, beside the answer to why they were not written. */
async function kept(input: PostedImport, ctx: Context<PersonActor>): Promise<ImportAnswer> {
  const preview = input.digest === "" ? undefined : await previewImport(ctx, input);
  return preview?.ok ? shown(input, preview.value) : typedOf(input);
}

function shown(input: PostedImport, { rows, digest }: Preview): ImportAnswer {
  return { ...typedOf(input), rows: rows.map(rowTexts), digest };
}

function typedOf({ kind, text: csv }: PostedImport): ImportAnswer {
  return { problems: {}, typed: { kind: [kind], text: [csv] } };
}

function doneText({ written, superseded }: ImportedSettings): string {
  const rows = written === 1 ? "1 row was written" : `${written} rows were written`;
  return `Done: ${rows}. Gates superseded: ${superseded}.`;
}

function rowTexts({ line, key, outcome, changes, issues }: RowOutcome): ShownRow {
  return {
    ...{ line, key, outcome },
    changes: changes.flatMap(({ path, before, after }) => {
      const [was, is] = [valueText(path, before), valueText(path, after)];
      // A list that becomes empty is told by its items alone.
      if (was === undefined && is === undefined) return [];
      return [{ place: placeText(path), ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) }];
    }),
    problems: issues.map(({ field, problem }) => `${field} ${problem}`),
  };
}
