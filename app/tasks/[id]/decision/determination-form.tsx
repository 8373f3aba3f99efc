"use client";

import { SelectField, TextArea, TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { DecisionForm, useDecision, useProblem, useTyped } from "./decision.tsx";
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
  const typed = useTyped("record-determination");
  const problem = useProblem("record-determination");
  const { shown } = useDecision();
  const outcome = typed("outcome");
  return (
    <DecisionForm intent="record-determination">
      <input type="hidden" name="requestedRevision" value={shown.requested.revision} />
      <div className="group/answers grid gap-2.5">
        <SelectField
          key={outcome}
          label="Outcome"
          name="outcome"
          options={outcomes}
          required
          defaultValue={outcome}
          error={problem("outcome")}
        />
        <div className="hidden gap-4 group-has-[option[value=by-line]:checked]/answers:grid">
          {shown.requested.lines.map((line, index) => (
            <LineFields key={index} number={index + 1} requested={line} typed={typed} problem={problem} />
          ))}
        </div>
        <Denied />
      </div>
      <Numbers />
      <TextArea
        label="Reason or note"
        name="note"
        hint="In the payer's words. Shared with the agent."
        rows={2}
        defaultValue={typed("note")}
        error={problem("note")}
      />
      <Learned />
      <SubmitButton wide>Record determination</SubmitButton>
    </DecisionForm>
  );
}

/** The number of the authorization, from when to when it holds, and when it was decided. */
function Numbers() {
  const typed = useTyped("record-determination");
  const problem = useProblem("record-determination");
  const { shown } = useDecision();
  return (
    <>
      <TextField
        label="Authorization number"
        name="authorizationNumber"
        maxLength={64}
        autoComplete="off"
        defaultValue={typed("authorizationNumber")}
        error={problem("authorizationNumber")}
      />
      <div className="grid grid-cols-2 gap-2.5">
        <TextField
          label="Valid from"
          name="validFrom"
          type="date"
          defaultValue={typed("validFrom")}
          error={problem("validFrom")}
        />
        <TextField
          label="Valid to"
          name="validTo"
          type="date"
          defaultValue={typed("validTo")}
          error={problem("validTo")}
        />
      </div>
      <TextField
        label="Decided at"
        name="decidedAt"
        type="datetime-local"
        hint={`Time zone: ${shown.zone.replaceAll("_", " ")}`}
        defaultValue={typed("decidedAt")}
        error={problem("decidedAt")}
      />
    </>
  );
}

/** Why the payer denied it, and until when and how that can be contested. */
function Denied() {
  const typed = useTyped("record-determination");
  return (
    <>
      <div className="hidden group-has-[option[value=denied]:checked]/answers:block">
        <TextField
          label="Reason codes"
          name="reasons"
          hint="As the payer gives them, such as 0F."
          maxLength={40}
          autoComplete="off"
          defaultValue={typed("reasons")}
        />
      </div>
      <div className="hidden gap-2.5 group-has-[option[value=by-line]:checked]/answers:grid group-has-[option[value=denied]:checked]/answers:grid">
        <TextField label="Last day to appeal" name="appealBy" type="date" defaultValue={typed("appealBy")} />
        <TextField
          label="How to appeal"
          name="howToAppeal"
          hint="In the payer's words. Shared with the agent."
          autoComplete="off"
          defaultValue={typed("howToAppeal")}
        />
      </div>
    </>
  );
}

/** As the server takes it; a form beyond that would not arrive. */
const bytesMax = 8 * 1024 * 1024;

/** How the person came to know it, which the record keeps. */
function Learned() {
  const typed = useTyped("record-determination");
  const problem = useProblem("record-determination");
  const source = typed("learnedBy");
  return (
    <>
      <SelectField
        key={source}
        label="How you learned it"
        name="learnedBy"
        options={sources}
        required
        defaultValue={source}
        error={problem("learnedBy")}
      />
      <TextField
        label="Who told you"
        name="learnedFrom"
        hint="Required for a phone call."
        autoComplete="off"
        defaultValue={typed("learnedFrom")}
        error={problem("learnedFrom")}
      />
      <TextArea
        label="Evidence"
        name="evidence"
        hint="For example, the letter's date and page, or the call's number."
        rows={2}
        required
        defaultValue={typed("evidence")}
        error={problem("evidence")}
      />
      <TextField
        label="The payer's letter"
        name="document"
        type="file"
        error={problem("document")}
        accept="application/pdf,image/png,image/jpeg"
        hint="PDF, PNG or JPEG, at most 8 MB. Select it again if the form is shown again."
        onChange={({ currentTarget: field }) => {
          const bytes = field.files?.[0]?.size ?? 0;
          field.setCustomValidity(bytes > bytesMax ? "The letter must be at most 8 MB." : "");
        }}
      />
    </>
  );
}
