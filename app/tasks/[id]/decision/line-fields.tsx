import { SelectField, TextField } from "#components/form/field";
import { PlainText } from "#components/text/plain-text";
import type { LineTerms } from "#lib/task/model/determination";

const actions = [
  { value: "", text: "Choose" },
  { value: "A1", text: "Certified as asked" },
  { value: "A6", text: "Certified with changes" },
  { value: "A3", text: "Not certified" },
  { value: "NA", text: "No certification required" },
];

type Props = {
  /** The line's number, from 1. */
  readonly number: number;
  readonly requested: LineTerms;
  readonly typed: (name: string) => string | undefined;
};

/** The payer's answer to one line. What was authorized stands as asked until it is changed. */
export function LineFields({ number, requested, typed }: Props) {
  const name = (field: string) => `line-${number}-${field}`;
  const action = typed(name("action"));
  return (
    <fieldset className="group/line min-w-0 border-s-2 border-line-strong ps-3">
      <legend className="mb-1.5 text-sm font-semibold">
        Line {number}: <PlainText>{requested.code ?? ""}</PlainText>
      </legend>
      <div className="grid gap-2.5">
        <SelectField key={action} label="Answer" name={name("action")} options={actions} defaultValue={action} />
        <div className="hidden grid-cols-2 gap-2.5 group-has-[option[value=A6]:checked]/line:grid">
          <TextField
            label="Authorized code"
            name={name("code")}
            maxLength={64}
            autoComplete="off"
            defaultValue={typed(name("code")) ?? requested.code}
          />
          <TextField
            label={requested.unit === undefined ? "Quantity" : `Quantity, ${requested.unit}`}
            name={name("quantity")}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={typed(name("quantity")) ?? requested.quantity}
          />
          <TextField
            label="From"
            name={name("from")}
            type="date"
            defaultValue={typed(name("from")) ?? requested.from}
          />
          <TextField label="To" name={name("to")} type="date" defaultValue={typed(name("to")) ?? requested.to} />
        </div>
        <div className="hidden group-has-[option[value=A1]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField
            label="The line's own number"
            name={name("number")}
            maxLength={64}
            autoComplete="off"
            defaultValue={typed(name("number"))}
          />
        </div>
        <div className="hidden group-has-[option[value=A3]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField
            label="Reason codes"
            name={name("reasons")}
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
