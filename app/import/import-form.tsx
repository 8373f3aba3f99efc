"use client";

import { useActionState } from "react";
import { Notice } from "#components/shell/notice";
import { SelectField, TextArea, TextField } from "#components/form/field";
import { ProofField } from "#components/form/proof-field";
import { SubmitButton } from "#components/form/submit-button";
import { importFile } from "./actions.ts";
import { nothingYet, type ImportAnswer } from "./answer.ts";
import { RowTable } from "./row-table.tsx";

/** A file, what its rows would come to, and one button that does exactly that. */
export function ImportForm() {
  const [answer, send] = useActionState(importFile, nothingYet);
  return (
    <>
      {answer.done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {answer.done}
        </Notice>
      )}
      {answer.alert !== undefined && (
        <Notice tone="bad" role="alert" className="mb-5">
          {answer.alert}
        </Notice>
      )}
      <form action={send} className="grid gap-3.5">
        <SelectField
          key={answer.kind}
          label="What the file holds"
          name="kind"
          defaultValue={answer.kind}
          options={[
            { value: "practices", text: "Practices" },
            { value: "routes", text: "Routes to payers" },
            { value: "payers", text: "Payer directory" },
          ]}
          className="max-w-xs"
        />
        <TextField label="File" name="file" type="file" accept=".csv,text/csv" className="max-w-md" />
        <TextArea
          key={answer.text}
          label="Or its text"
          name="text"
          rows={6}
          spellCheck={false}
          className="font-mono text-sm"
          defaultValue={answer.text}
          hint="CSV with a head, at most 500 rows and 200 kB. A column left out leaves things as they are; an empty cell is the default."
        />
        <div>
          <SubmitButton tone={answer.rows ? "plain" : "primary"}>Show what it would do</SubmitButton>
        </div>
      </form>
      {answer.rows && <Outcome answer={answer} send={send} />}
    </>
  );
}

function Outcome({ answer, send }: { readonly answer: ImportAnswer; readonly send: (form: FormData) => void }) {
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
        <p className="mt-4 text-ink-soft">There is nothing to write.</p>
      ) : (
        <form action={send} className="mt-4 grid max-w-sm justify-items-start gap-3.5">
          <input type="hidden" name="kind" value={answer.kind} />
          <input type="hidden" name="text" value={answer.text} />
          <input type="hidden" name="digest" value={answer.digest ?? ""} />
          {answer.asks && <ProofField key={answer.alert} kind={answer.asks} submits />}
          <SubmitButton tone="primary">{`Write ${writes === 1 ? "1 row" : `${writes} rows`}`}</SubmitButton>
        </form>
      )}
    </section>
  );
}
