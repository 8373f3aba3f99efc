"use client";

import { RadioFields, SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useTyped } from "./decision.tsx";
import { NowField } from "./now-field.tsx";

export function StartSubmissionForm() {
  return (
    <DecisionForm intent="start-manual-submission">
      <SubmitButton tone="release" wide>
        Start manual submission
      </SubmitButton>
    </DecisionForm>
  );
}

const deliveries = [
  { value: "", text: "Choose" },
  { value: "portal", text: "In the payer's portal" },
  { value: "phone", text: "By phone" },
  { value: "fax", text: "By fax" },
];

export function SentForm() {
  const typed = useTyped("report-sent");
  const delivery = typed("delivery");
  return (
    <DecisionForm intent="report-sent">
      <SelectField
        key={delivery}
        label="How you submitted it"
        name="delivery"
        options={deliveries}
        required
        defaultValue={delivery}
      />
      <TextField
        label="Recipient"
        name="to"
        autoComplete="off"
        hint="The fax number, person or portal. Visible to the practice only."
        defaultValue={typed("to")}
      />
      <NowField label="Submitted at" name="sentAt" typed={typed("sentAt")} />
      <ReferenceField typed={typed("reference")} />
      <SubmitButton tone="release" wide>
        Mark as submitted
      </SubmitButton>
    </DecisionForm>
  );
}

export function NotSentForm() {
  const typed = useTyped("report-not-sent");
  return (
    <DecisionForm intent="report-not-sent">
      <TextArea label="Why it couldn't be submitted" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Couldn't submit</SubmitButton>
    </DecisionForm>
  );
}

export function RefusedForm() {
  const typed = useTyped("report-refused");
  return (
    <DecisionForm intent="report-refused">
      <TextArea label="Why the payer rejected it" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Payer rejected it</SubmitButton>
    </DecisionForm>
  );
}

const waysAsked = [...deliveries, { value: "letter", text: "By letter" }];

/**
 * For doubt after sending: only a person who asked the payer can end it, and says whom, how and when. What they found
 * out is chosen, and the one button names it, so that no key that submits a form can say the opposite.
 */
export function SettleForm() {
  const typed = useTyped("resolve-unconfirmed");
  const askedBy = typed("askedBy");
  const found = typed("payerHas");
  return (
    <DecisionForm intent="resolve-unconfirmed">
      <TextField
        label="Person you asked"
        name="whom"
        required
        maxLength={200}
        autoComplete="off"
        defaultValue={typed("whom")}
      />
      <SelectField
        key={askedBy}
        label="How you asked"
        name="askedBy"
        options={waysAsked}
        required
        defaultValue={askedBy}
      />
      <NowField label="Asked at" name="askedAt" required typed={typed("askedAt")} />
      <TextArea label="What the payer said" name="reply" rows={2} defaultValue={typed("reply")} />
      <ReferenceField typed={typed("reference")} />
      <div className="group/found grid gap-2.5">
        <RadioFields
          key={found}
          legend="Result"
          name="payerHas"
          options={[
            { value: "yes", text: "Payer confirmed receipt" },
            { value: "no", text: "Payer has no record" },
          ]}
          required
          chosen={found}
        />
        <SubmitButton>
          <span className="group-has-checked/found:hidden">Record the result</span>
          <span className="hidden group-has-[[value=yes]:checked]/found:inline">Record: payer confirmed receipt</span>
          <span className="hidden group-has-[[value=no]:checked]/found:inline">Record: payer has no record</span>
        </SubmitButton>
      </div>
    </DecisionForm>
  );
}

function ReferenceField({ typed }: { readonly typed: string | undefined }) {
  return (
    <TextField
      label="Payer reference"
      name="reference"
      maxLength={64}
      autoComplete="off"
      hint="Optional. Leave it empty if the payer gave none."
      defaultValue={typed}
    />
  );
}
