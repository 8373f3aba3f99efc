"use client";

import { CheckboxField } from "#components/form/choice-fields";
import { SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useDecision, useFields } from "./decision.tsx";
import { LineFields } from "./line-fields.tsx";

const outcomes = [
  { value: "", text: "Select" },
  { value: "approved", text: "Approved as requested" },
  { value: "by-line", text: "Decided by service" },
  { value: "denied", text: "Denied" },
  { value: "not-required", text: "No authorization required" },
];

const sources = [
  { value: "", text: "Select" },
  { value: "letter", text: "By letter" },
  { value: "portal", text: "In the payer's portal" },
  { value: "phone", text: "By phone" },
  { value: "fax", text: "By fax" },
];

/** What the payer decided, as a person learned it. The fields of the lines show where they count, without scripts too. */
export function DeterminationForm() {
  const field = useFields("record-determination");
  const { shown } = useDecision();
  const outcome = field("outcome");
  const lines = field("lines");
  return (
    <DecisionForm intent="record-determination">
      <input type="hidden" name="requestedRevision" value={shown.requested.revision} />
      <div className="group/answers grid gap-2.5">
        <SelectField key={outcome.defaultValue} label="Outcome" {...outcome} options={outcomes} required />
        <div className="hidden gap-4 group-has-[option[value=by-line]:checked]/answers:grid">
          {lines.error !== undefined && <p className="text-sm font-semibold text-bad">{lines.error}</p>}
          {shown.requested.lines.map((line, index) => (
            <LineFields key={index} number={index + 1} requested={line} field={field} />
          ))}
        </div>
        <Authorization />
        <Denied />
      </div>
      <DecidedAt />
      <Replaces />
      <TextArea
        label="Reason or note"
        {...field("note")}
        hint="In the payer's words. Shared with the agent."
        rows={2}
      />
      <Learned />
      <SubmitButton wide>Record determination</SubmitButton>
    </DecisionForm>
  );
}

/** The number of the authorization, and from when to when it holds. */
function Authorization() {
  const field = useFields("record-determination");
  return (
    <div className="hidden gap-2.5 group-has-[option[value=approved]:checked]/answers:grid group-has-[option[value=by-line]:checked]/answers:grid">
      <TextField
        label="Authorization number"
        {...field("authorizationNumber")}
        maxLength={64}
        autoComplete="off"
        hint="Needed for the claim. Leave it empty only if the payer gave none: an approval then says “Not recorded”."
      />
      <div className="grid grid-cols-2 gap-2.5">
        <TextField label="Valid from" {...field("validFrom")} type="date" />
        <TextField label="Valid to" {...field("validTo")} type="date" />
      </div>
    </div>
  );
}

function DecidedAt() {
  const field = useFields("record-determination");
  const { shown } = useDecision();
  return (
    <TextField
      label="Decided at"
      {...field("decidedAt")}
      type="datetime-local"
      hint={`Time zone: ${shown.zone.replaceAll("_", " ")}`}
    />
  );
}

/** Beside another determination: that this one corrects or overturns it, whatever their dates. */
function Replaces() {
  const field = useFields("record-determination");
  const { shown } = useDecision();
  if (shown.determinationId === undefined) return null;
  return (
    <CheckboxField
      label="It replaces the determination in effect"
      name="replaces"
      value="on"
      defaultChecked={field("replaces").defaultValue !== undefined}
      hint="If that one was recorded wrong, or the payer overturned it. Otherwise the later of the two is in effect."
    />
  );
}

/** Why the payer denied it, and until when and how that can be contested. */
function Denied() {
  const field = useFields("record-determination");
  return (
    <>
      <div className="hidden group-has-[option[value=denied]:checked]/answers:block">
        <TextField
          label="Reason codes"
          {...field("reasons")}
          hint="As the payer gives them, such as 0F."
          maxLength={40}
          autoComplete="off"
        />
      </div>
      <div className="hidden gap-2.5 group-has-[option[value=by-line]:checked]/answers:grid group-has-[option[value=denied]:checked]/answers:grid">
        <TextField label="Last day to appeal" {...field("appealBy")} type="date" />
        <TextField
          label="How to appeal"
          {...field("howToAppeal")}
          hint="In the payer's words. Shared with the agent."
          autoComplete="off"
        />
      </div>
    </>
  );
}

/** As the server takes it; a form beyond that would not arrive. */
const bytesMax = 8 * 1024 * 1024;

/** How the person came to know it, which the record keeps. */
function Learned() {
  const field = useFields("record-determination");
  const source = field("learnedBy");
  return (
    <>
      <SelectField key={source.defaultValue} label="How you learned it" {...source} options={sources} required />
      <TextField label="Who told you" {...field("learnedFrom")} hint="Required for a phone call." autoComplete="off" />
      <TextArea
        label="Evidence"
        {...field("evidence")}
        hint="For example, the letter's date and page, or the call's number."
        rows={2}
        required
      />
      <TextField
        label="The payer's letter"
        {...field("document")}
        type="file"
        accept="application/pdf,image/png,image/jpeg"
        hint="PDF, PNG or JPEG, at most 8 MB. Select it again if the form is shown again."
        onChange={({ currentTarget: input }) => {
          const bytes = input.files?.[0]?.size ?? 0;
          input.setCustomValidity(bytes > bytesMax ? "The letter must be at most 8 MB." : "");
        }}
      />
    </>
  );
}
