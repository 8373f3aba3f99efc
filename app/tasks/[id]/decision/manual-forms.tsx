"use client";

import { RadioFields } from "#components/form/choice-fields";
import { SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { classNames } from "#components/shell/class-names";
import { inquiryResults, recordResultText } from "#lib/messages/reviewer/unconfirmed";
import { manualTexts } from "#lib/messages/reviewer/manual";
import type { Action } from "#lib/task/model/task";
import { DecisionForm, useDecision, useFields, type Field } from "./decision.tsx";
import { NowField } from "./now-field.tsx";
import { ReasonForm } from "./reason-form.tsx";

type FormProps = { readonly action: Action };

export function StartSubmissionForm({ action }: FormProps) {
  return (
    <DecisionForm intent="start-manual-submission">
      <SubmitButton tone={toneOf(action)} wide>
        {manualTexts[action].start}
      </SubmitButton>
    </DecisionForm>
  );
}

const toneOf = (action: Action) => (action === "void" ? "void" : "release");

const deliveries = [
  { value: "", text: "Select" },
  { value: "portal", text: "In the payer's portal" },
  { value: "phone", text: "By phone" },
  { value: "fax", text: "By fax" },
];

const refused = (
  <ReasonForm intent="report-refused" label="Why the payer rejected it" wide>
    Mark as rejected
  </ReasonForm>
);
const notSent = (
  <ReasonForm intent="report-not-sent" label="Why it couldn't be submitted" wide>
    Mark as not submitted
  </ReasonForm>
);

const resultsOf = (action: Action) =>
  [
    { value: "report-sent", text: manualTexts[action].submitted, form: <SentForm action={action} /> },
    { value: "report-refused", text: "Payer rejected it", form: refused },
    { value: "report-not-sent", text: "Couldn't submit", form: notSent },
  ] as const;

const shows = {
  "report-sent": "group-has-[input[value=report-sent]:checked]/result:block",
  "report-refused": "group-has-[input[value=report-refused]:checked]/result:block",
  "report-not-sent": "group-has-[input[value=report-not-sent]:checked]/result:block",
} as const;

/** What came of a manual submission: chosen first, and only its own fields and button follow. */
export function ManualResult({ action }: FormProps) {
  const { answer } = useDecision();
  const results = resultsOf(action);
  const chosen = results.find(({ value }) => value === answer.typed?.intent?.[0])?.value;
  return (
    <div className="group/result grid gap-3">
      <RadioFields
        key={chosen}
        legend="Result"
        name="result"
        options={results.map(({ value, text }) => ({ value, text }))}
        chosen={chosen}
      />
      {results.map(({ value, text, form }) => (
        // Named, so that a screen reader says which result a field belongs to.
        <div
          key={value}
          role="group"
          aria-label={text}
          data-choice={value}
          className={classNames("hidden", shows[value])}
        >
          {form}
        </div>
      ))}
    </div>
  );
}

function SentForm({ action }: FormProps) {
  const { mark, submittedHint } = manualTexts[action];
  const field = useFields("report-sent");
  const delivery = field("delivery");
  return (
    <DecisionForm intent="report-sent">
      {submittedHint !== undefined && <p className="text-sm text-ink-soft">{submittedHint}</p>}
      <SelectField
        key={delivery.defaultValue}
        label="How you submitted it"
        {...delivery}
        options={deliveries}
        required
      />
      <TextField
        label="Recipient"
        {...field("to")}
        autoComplete="off"
        hint="The fax number, person or portal. Visible to the practice only."
      />
      <NowField label="Submitted at" field={field("sentAt")} />
      <ReferenceField field={field("reference")} />
      <SubmitButton tone={toneOf(action)} wide>
        {mark}
      </SubmitButton>
    </DecisionForm>
  );
}

const inquiryMethods = [...deliveries, { value: "letter", text: "By letter" }];

/**
 * For a submission of unknown outcome. Only a person who asked the payer resolves it, and records whom they asked, how
 * and when. The result is chosen in a field and the one button names it, so that no key that submits a form can record
 * the opposite.
 */
export function ResolveUnconfirmedForm({ action }: FormProps) {
  const { yes, no } = inquiryResults[action];
  const field = useFields("resolve-unconfirmed");
  const inquiredBy = field("inquiredBy");
  const found = field("payerHas");
  return (
    <DecisionForm intent="resolve-unconfirmed">
      <TextField label="Person you asked" {...field("whom")} required maxLength={200} autoComplete="off" />
      <SelectField
        key={inquiredBy.defaultValue}
        label="How you asked"
        {...inquiredBy}
        options={inquiryMethods}
        required
      />
      <NowField label="Asked at" required field={field("inquiredAt")} />
      <TextArea label="What the payer said" {...field("reply")} rows={2} />
      <ReferenceField field={field("reference")} />
      <div className="group/found grid gap-2.5">
        <RadioFields
          key={found.defaultValue}
          legend="Result"
          name={found.name}
          options={[
            { value: "yes", text: yes },
            { value: "no", text: no },
          ]}
          required
          chosen={found.defaultValue}
          error={found.error}
        />
        <SubmitButton wide>
          <span className="group-has-checked/found:hidden">Record the result</span>
          <span className="hidden group-has-[[value=yes]:checked]/found:inline">{recordResultText(yes)}</span>
          <span className="hidden group-has-[[value=no]:checked]/found:inline">{recordResultText(no)}</span>
        </SubmitButton>
      </div>
    </DecisionForm>
  );
}

function ReferenceField({ field }: { readonly field: Field }) {
  return (
    <TextField
      label="Payer reference"
      {...field}
      maxLength={64}
      autoComplete="off"
      hint="Optional. Leave it empty if the payer gave none."
    />
  );
}
