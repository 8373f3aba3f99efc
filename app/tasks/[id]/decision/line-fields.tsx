import { SelectField, TextField } from "#components/form/field";
import { PlainText } from "#components/text/plain-text";
import type { LineTerms } from "#lib/task/model/determination";

const actions = [
  { value: "", text: "Select" },
  { value: "A1", text: "Certified as requested" },
  { value: "A6", text: "Certified with changes" },
  { value: "A3", text: "Not certified" },
  { value: "NA", text: "No certification required" },
];

type Props = {
  /** The line's number, from 1. */
  readonly number: number;
  readonly requested: LineTerms;
  readonly typed: (name: string) => string | undefined;
  readonly problem: (name: string) => string | undefined;
};

/** The payer's answer to one line. What was authorized stands as asked until it is changed. */
export function LineFields({ number, requested, typed, problem }: Props) {
  const name = (field: string) => `line-${number}-${field}`;
  const action = typed(name("action"));
  return (
    <fieldset className="group/line min-w-0 border-s-2 border-line-strong ps-3">
      <legend className="mb-1.5 text-sm font-semibold">
        Service {number}: <PlainText>{requested.code ?? ""}</PlainText>
      </legend>
      <div className="grid gap-2.5">
        <SelectField
          key={action}
          label="Answer"
          name={name("action")}
          options={actions}
          defaultValue={action}
          error={problem(name("action"))}
        />
        <Authorized number={number} requested={requested} typed={typed} problem={problem} />
        <div className="hidden group-has-[option[value=A1]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField
            label="Number for this service"
            name={name("number")}
            error={problem(name("number"))}
            maxLength={64}
            autoComplete="off"
            defaultValue={typed(name("number"))}
          />
        </div>
        <div className="hidden group-has-[option[value=A3]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField
            label="Reason codes"
            name={name("reasons")}
            error={problem(name("reasons"))}
            hint="As the payer gives them, such as 0F."
            maxLength={40}
            autoComplete="off"
            defaultValue={typed(name("reasons"))}
          />
        </div>
      </div>
    </fieldset>
  );
}

/** What was authorized where it is not what was asked for. */
function Authorized({ number, requested, typed, problem }: Props) {
  const name = (field: string) => `line-${number}-${field}`;
  return (
    <div className="hidden grid-cols-2 gap-2.5 group-has-[option[value=A6]:checked]/line:grid">
      <TextField
        label="Authorized code"
        name={name("code")}
        error={problem(name("code"))}
        maxLength={64}
        autoComplete="off"
        defaultValue={typed(name("code")) ?? requested.code}
      />
      <TextField
        label={requested.unit === undefined ? "Quantity" : `Quantity, ${requested.unit}`}
        name={name("quantity")}
        error={problem(name("quantity"))}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={typed(name("quantity")) ?? requested.quantity}
      />
      <TextField
        label="From"
        name={name("from")}
        error={problem(name("from"))}
        type="date"
        defaultValue={typed(name("from")) ?? requested.from}
      />
      <TextField
        label="To"
        name={name("to")}
        error={problem(name("to"))}
        type="date"
        defaultValue={typed(name("to")) ?? requested.to}
      />
      <TextField
        label="Provider NPIs"
        name={name("providers")}
        error={problem(name("providers"))}
        maxLength={120}
        autoComplete="off"
        defaultValue={typed(name("providers")) ?? requested.providers?.join(" ")}
      />
      <TextField
        label="Place of service"
        name={name("place")}
        error={problem(name("place"))}
        maxLength={2}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={typed(name("place")) ?? requested.place}
      />
    </div>
  );
}
