"use server";

import { formOf, textOf, type ActAnswer } from "#components/form/act-answer";
import { acting, askProof } from "#components/form/acting";
import { isImportKind, type ImportKind } from "#lib/practice/import/import-csv";
import { applyImport, previewImport, type RowOutcome } from "#lib/practice/import/import-settings";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { placeText, valueText } from "#lib/messages/admin/versions";
import type { ImportAnswer, ShownRow } from "./answer.ts";

/** Shows what every row of a file would come to; given the digest of what was shown, does exactly that. */
export async function importFile(_: ImportAnswer, form: FormData): Promise<ImportAnswer> {
  return textOf(form, "digest") === "" ? tryImport(form) : doImport(form);
}

async function tryImport(form: FormData): Promise<ImportAnswer> {
  const kind = textOf(form, "kind");
  const file = formOf(form).get("file");
  const text = file instanceof File && file.size > 0 ? await textIn(file) : textOf(form, "text");
  return answered({ kind, text }, (ctx, input) => shownRows(ctx, input));
}

async function doImport(form: FormData): Promise<ImportAnswer> {
  const given = { kind: textOf(form, "kind"), text: textOf(form, "text") };
  const { person, answer } = await acting(form);
  const asking = async (ctx: Context, input: Input, { alert, asks }: ActAnswer) => ({
    ...(await shownRows(ctx, input)),
    ...{ alert, asks },
  });
  if (answer) return answered(given, (ctx, input) => asking(ctx, input, answer));
  const act = async (ctx: Context, input: Input) => {
    const applied = await applyImport(ctx, { ...input, digest: textOf(form, "digest") });
    if (applied.ok) {
      const { written, superseded } = applied.value;
      return { ...input, text: "", done: `Done: ${rowsText(written)}. Gates superseded: ${superseded}.` };
    }
    if (applied.refusal.type === "proof-needed") return asking(ctx, input, await askProof(form, person));
    await noteRefusal(applied.refusal.type, person);
    const again = applied.refusal.type === "changed-since" ? await shownRows(ctx, input) : input;
    return { ...again, alert: refusalMessage(applied.refusal).alert };
  };
  return answered(given, act, person);
}

type Input = { readonly kind: ImportKind; readonly text: string };

async function answered(
  { kind, text }: { readonly kind: string; readonly text: string },
  act: (ctx: Context, input: Input) => Promise<ImportAnswer>,
  proved?: PersonActor,
): Promise<ImportAnswer> {
  const person = proved ?? (await currentPerson());
  if (!person) return { kind, text, alert: "Your session has ended and nothing was done. Sign in again." };
  if (!isImportKind(kind)) return { kind: "practices", text, alert: "Choose practices, routes or payer directory." };
  return act(contextOf(person), { kind, text });
}

async function shownRows(ctx: Context, input: Input): Promise<ImportAnswer> {
  const shown = await previewImport(ctx, input);
  if (!shown.ok) await noteRefusal(shown.refusal.type, ctx.actor.kind === "person" ? ctx.actor : undefined);
  if (!shown.ok) return { ...input, alert: refusalMessage(shown.refusal).alert };
  return { ...input, rows: shown.value.rows.map(rowTexts), digest: shown.value.digest };
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

const bytesMax = 400_000;

/** A file's text; one that is far too large is not read, and is told so like any other that is too large. */
async function textIn(file: File): Promise<string> {
  return file.slice(0, bytesMax).text();
}

function rowsText(count: number): string {
  return count === 1 ? "1 row was written" : `${count} rows were written`;
}
