"use client";

import { useMemo } from "react";
import { ActBody, ActButtons, ActSelect, ActText, ActTextArea, useAct } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Notice } from "#components/shell/notice";
import { importFile } from "./actions.ts";
import type { ImportAnswer } from "./answer.ts";
import { RowTable } from "./row-table.tsx";

/** A file, what its rows would come to, and one button that does exactly that. */
export function ImportForm() {
  const [answer, submit] = useAct<ImportAnswer>(importFile);
  // One answer for both forms: what it says stands above them, and who is asked to prove themselves writes the rows.
  const { alert } = answer;
  const [ofFile, ofRows] = useMemo(() => {
    const { asks, ...quiet } = { ...answer, alert: undefined };
    return [quiet, { ...quiet, problems: {}, asks }] as const;
  }, [answer]);
  return (
    <>
      {answer.done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {answer.done}
        </Notice>
      )}
      {alert !== undefined && (
        <Notice tone="bad" role="alert" className="mb-5">
          {alert}
        </Notice>
      )}
      <ActBody answer={ofFile} submit={submit} className="grid gap-3.5">
        <ActSelect
          label="File type"
          name="kind"
          defaultValue="practices"
          options={[
            { value: "practices", text: "Practices" },
            { value: "routes", text: "Payer connections" },
            { value: "payers", text: "Payer directory" },
          ]}
          className="max-w-xs"
        />
        <ActText label="File" name="file" type="file" accept=".csv,text/csv" className="max-w-md" />
        <ActTextArea
          label="Or paste the file's text"
          name="text"
          rows={6}
          spellCheck={false}
          className="font-mono text-sm"
          hint="CSV with a header row, at most 500 rows and 200 kB. A column left out leaves things as they are; an empty cell is the default."
        />
        <ActButtons>
          <SubmitButton tone={answer.rows ? "plain" : "primary"}>Preview</SubmitButton>
        </ActButtons>
      </ActBody>
      {answer.rows && <Outcome answer={ofRows} submit={submit} />}
    </>
  );
}

type OutcomeProps = { readonly answer: ImportAnswer; readonly submit: (form: FormData) => void };

function Outcome({ answer, submit }: OutcomeProps) {
  const rows = answer.rows ?? [];
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  const writes = count("new") + count("changed");
  return (
    <section aria-labelledby="outcome" className="mt-8 border-t border-line pt-4">
      <h2 id="outcome" className="mb-2.5 text-base font-semibold">
        What it would do
      </h2>
      <p className="mb-3 text-ink-soft">
        {count("new")} new, {count("changed")} changed, {count("unchanged")} unchanged, {count("refused")} refused.
        Nothing is written yet.
      </p>
      <RowTable rows={rows} />
      {count("refused") > 0 ? (
        <Notice tone="warn" className="mt-4">
          Correct the refused rows first: all rows are written together, or none.
        </Notice>
      ) : writes === 0 ? (
        <p className="mt-4 text-ink-soft">There is nothing to import.</p>
      ) : (
        <ActBody answer={answer} submit={submit} className="mt-4 grid max-w-sm justify-items-start gap-3.5">
          <input type="hidden" name="kind" value={answer.typed?.kind?.[0] ?? ""} />
          <input type="hidden" name="text" value={answer.typed?.text?.[0] ?? ""} />
          <input type="hidden" name="digest" value={answer.digest ?? ""} />
          <ActButtons>
            <SubmitButton tone="primary">{`Import ${writes === 1 ? "1 row" : `${writes} rows`}`}</SubmitButton>
          </ActButtons>
        </ActBody>
      )}
    </section>
  );
}
