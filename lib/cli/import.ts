import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { importColumns, isImportKind } from "#lib/practice/import/import-csv";
import { applyImport, previewImport, type RowOutcome } from "#lib/practice/import/import-settings";
import { refuse } from "#lib/platform/result";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

type Outcome = { readonly rows: readonly RowOutcome[]; readonly written?: number };

export function addImport(program: Command): void {
  program
    .command("import")
    .description("show what each row of a CSV file would change; with --apply, import all rows or none")
    .argument("<kind>", "practices, routes or payers")
    .argument(
      "<file>",
      Object.entries(importColumns)
        .map(([kind, names]) => `${kind}: ${names.join(",")}`)
        .join("; "),
    )
    .option("--apply", "import the rows")
    .action((kind: string, file: string, { apply }: { apply?: true }, command: Command) =>
      perform<Outcome>(command, {
        ask: async (ctx) => {
          if (!isImportKind(kind))
            return refuse({
              type: "invalid",
              issues: [{ field: "kind", problem: "must be practices, routes or payers" }],
            });
          const text = await readFile(file, "utf8").catch(() => undefined);
          if (text === undefined)
            return refuse({ type: "invalid", issues: [{ field: "file", problem: "cannot be read" }] });
          const preview = await previewImport(ctx, { kind, text });
          if (!preview.ok || !apply) return preview;
          const applied = await applyImport(ctx, { kind, text, digest: preview.value.digest });
          return applied.ok ? { ok: true, value: { ...preview.value, ...applied.value } } : applied;
        },
        json: (value) => value,
        text: tableOf,
      }),
    );
}

function tableOf({ rows, written }: Outcome): string {
  const table = columns(
    ["LINE", "ROW", "OUTCOME", "WHY"],
    rows.map(({ line, key, outcome, changes, issues }) => [
      String(line),
      key,
      outcome,
      [...issues.map(({ field, problem }) => `${field} ${problem}`), ...changes.map(({ path }) => path)].join("; "),
    ]),
  );
  return written === undefined
    ? `${table}\nNothing was written: --apply does it.`
    : `${table}\nRows written: ${written}.`;
}
