"use client";

import { RadioFields, SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useTyped } from "./decision.tsx";
import { NowField } from "./now-field.tsx";

export function BeginSendingForm() {
  return (
    <DecisionForm intent="begin-sending">
      <SubmitButton tone="release" wide>
        I am sending this
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
        label="How you sent it"
        name="delivery"
        options={deliveries}
        required
        defaultValue={delivery}
      />
      <TextField
        label="To whom"
        name="to"
        autoComplete="off"
        hint="The fax number, the person, the portal. It stays in the practice."
        defaultValue={typed("to")}
      />
      <NowField label="Sent at" name="sentAt" typed={typed("sentAt")} />
      <ReferenceField typed={typed("reference")} />
      <SubmitButton tone="release" wide>
        Sent
      </SubmitButton>
    </DecisionForm>
  );
}

export function NotSentForm() {
  const typed = useTyped("report-not-sent");
  return (
    <DecisionForm intent="report-not-sent">
      <TextArea label="Why it could not be sent" name="reason" rows={2} required defaultValue={typed("reason")} />
      <SubmitButton>Could not send</SubmitButton>
    </DecisionForm>
  );
}

export function RefusedForm() {
  const typed = useTyped("report-refused");
  return (
    <DecisionForm intent="report-refused">
      <TextArea
        label="Why the payer would not take it"
        name="reason"
        rows={2}
        required
        defaultValue={typed("reason")}
      />
      <SubmitButton>Payer would not take it</SubmitButton>
    </DecisionForm>
  );
}

const waysAsked = [...deliveries, { value: "letter", text: "By letter" }];

/**
 * For doubt after sending: only a person who asked the payer can end it, and says whom, how and when. What they found
 * out is chosen, and the one button names it, so that no key that submits a form can say the opposite.
 */
export function SettleForm() {
  const typed = useTyped("settle");
  const askedBy = typed("askedBy");
  const found = typed("payerHas");
  return (
    <DecisionForm intent="settle">
      <TextField
        label="Whom you asked"
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
      <TextArea label="What you were told" name="said" rows={2} defaultValue={typed("said")} />
      <ReferenceField typed={typed("reference")} />
      <div className="group/found grid gap-2.5">
        <RadioFields
          key={found}
          legend="What you found out"
          name="payerHas"
          options={[
            { value: "yes", text: "The payer has it" },
            { value: "no", text: "The payer has none" },
          ]}
          required
          chosen={found}
        />
        <SubmitButton>
          <span className="group-has-checked/found:hidden">Record what you found out</span>
          <span className="hidden group-has-[[value=yes]:checked]/found:inline">Record: the payer has it</span>
          <span className="hidden group-has-[[value=no]:checked]/found:inline">Record: the payer has none</span>
        </SubmitButton>
      </div>
    </DecisionForm>
  );
}

function ReferenceField({ typed }: { readonly typed: string | undefined }) {
  return (
    <TextField
      label="Payer's reference"
      name="reference"
      maxLength={64}
      autoComplete="off"
      hint="Leave it empty where the payer gave none."
      defaultValue={typed}
    />
  );
}
