import { SelectField, TextField } from "#components/form/field";
import { PlainText } from "#components/text/plain-text";
import { sentenceCase } from "#components/text/sentence-case";
import { reviewActions } from "#lib/messages/labels/codes";
import type { LineTerms } from "#lib/task/model/determination";
import type { useFields } from "./decision.tsx";

const actions = [
  { value: "", text: "Select" },
  ...(["A1", "A6", "A3", "NA"] as const).map((value) => ({ value, text: sentenceCase(reviewActions[value]) })),
];

type Props = {
  /** The line's number, from 1. */
  readonly number: number;
  readonly requested: LineTerms;
  readonly field: ReturnType<typeof useFields>;
};

/** The payer's answer to one line. What was authorized stands as asked until it is changed. */
export function LineFields({ number, requested, field }: Props) {
  const of: Props["field"] = (part, value) => field(`line-${number}-${part}`, value);
  const action = of("action");
  return (
    <fieldset className="group/line min-w-0 border-s-2 border-line-strong ps-3">
      <legend className="mb-1.5 text-sm font-semibold">
        Service {number}: <PlainText>{requested.code ?? ""}</PlainText>
      </legend>
      <div className="grid gap-2.5">
        <SelectField key={action.defaultValue} label="Answer" {...action} options={actions} />
        <Authorized requested={requested} field={of} />
        <div className="hidden group-has-[option[value=A1]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField label="Number for this service" {...of("number")} maxLength={64} autoComplete="off" />
        </div>
        <div className="hidden group-has-[option[value=A3]:checked]/line:block group-has-[option[value=A6]:checked]/line:block">
          <TextField
            label="Reason codes"
            {...of("reasons")}
            hint="As the payer gives them, such as 0F."
            maxLength={40}
            autoComplete="off"
          />
        </div>
      </div>
    </fieldset>
  );
}

/** What was authorized where it is not what was asked for. */
function Authorized({ requested, field }: Omit<Props, "number">) {
  return (
    <div className="hidden grid-cols-2 gap-2.5 group-has-[option[value=A6]:checked]/line:grid">
      <TextField label="Authorized code" {...field("code", requested.code)} maxLength={64} autoComplete="off" />
      <TextField
        label={requested.unit === undefined ? "Quantity" : `Quantity, ${requested.unit}`}
        {...field("quantity", requested.quantity?.toString())}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField label="From" {...field("from", requested.from)} type="date" />
      <TextField label="To" {...field("to", requested.to)} type="date" />
      <TextField
        label="Provider NPIs"
        {...field("providers", requested.providers?.join(" "))}
        maxLength={120}
        autoComplete="off"
      />
      <TextField
        label="Place of service"
        {...field("place", requested.place)}
        maxLength={2}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  );
}
