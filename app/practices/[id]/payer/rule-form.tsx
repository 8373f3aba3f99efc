import { ActCode } from "#components/form/act-code";
import { ActForm, ActMore, ActSelect, ActText } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import type { ListedPayer, PayerConnection } from "#lib/practice/directory/show-directory";
import { rulesText } from "#lib/practice/directory/set-payer-rules";
import { rangeText, type RouteRule } from "#lib/practice/model/route-rule";
import { upcomingProof } from "#lib/person/session/person";
import { saveRules } from "../payers/actions.ts";

type Props = {
  readonly practiceId: string;
  readonly payer: ListedPayer;
  readonly connections: readonly PayerConnection[];
};

/**
 * All rules of a payer, a row for a new one, and one more that unfolds. They are saved together, in the order of their
 * numbers.
 */
export async function RuleForm({ practiceId, payer, connections }: Props) {
  const { payerId, rules } = payer;
  const rows: readonly (RouteRule | undefined)[] = [...rules, undefined];
  const options = optionsOf(payer, connections);
  return (
    <ActForm act={saveRules} asks={await upcomingProof()}>
      <input type="hidden" name="practiceId" value={practiceId} />
      <input type="hidden" name="payerId" value={payerId} />
      <input type="hidden" name="seen" value={rulesText(rules)} />
      <p className="text-ink-soft">
        Where this payer has others review requests, such as radiology, a rule sends them over that payer connection. A
        rule fits if all its conditions hold for the whole request; an empty condition fits everything. What the payer
        has already stays where it was submitted.
      </p>
      {rows.map((rule, index) => (
        <RuleRow key={index} index={index} rule={rule} options={options} />
      ))}
      <ActMore summary="One more rule" names={typedNames.map((name) => `${rows.length}.${name}`)}>
        <RuleRow index={rows.length} rule={undefined} options={options} />
      </ActMore>
      <p className="text-sm text-ink-faint">
        Clear a rule&rsquo;s name to remove it. Codes are single codes or ranges of one form, such as 70336-78816.
      </p>
      <div>
        <SubmitButton tone="primary">Save connection rules</SubmitButton>
      </div>
    </ActForm>
  );
}

/** The fields of a rule that are empty until somebody types. */
const typedNames = ["name", "serviceTypes", "codes", "linesOfBusiness"] as const;

type Option = { readonly value: string; readonly text: string };

function optionsOf({ payerId, name }: ListedPayer, connections: readonly PayerConnection[]): readonly Option[] {
  const others = connections.filter((connection) => connection.payerId !== payerId);
  return [
    ...others.map(({ payerId: value, payerName }) => ({
      value,
      text: payerName === undefined ? value : `${payerName} (${value})`,
    })),
    { value: payerId, text: `${name} itself` },
  ];
}

type RowProps = {
  readonly index: number;
  readonly rule: RouteRule | undefined;
  readonly options: readonly Option[];
};

function RuleRow({ index, rule, options }: RowProps) {
  const title = rule ? `Rule ${index + 1}` : "New rule";
  return (
    <fieldset className="grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-3 sm:grid-cols-6">
      <legend className="col-span-2 float-left mb-2 w-full font-semibold sm:col-span-6">{title}</legend>
      <ActText
        label="Order"
        name={`${index}.position`}
        type="number"
        min={1}
        max={99}
        defaultValue={index + 1}
        className="sm:col-span-1"
      />
      <div className="sm:col-span-2">
        <ActText
          label="Name"
          name={`${index}.name`}
          maxLength={100}
          autoComplete="off"
          defaultValue={rule?.name ?? ""}
        />
      </div>
      <div className="col-span-2 sm:col-span-3">
        <ActSelect
          label="Goes to"
          name={`${index}.connection`}
          options={options}
          defaultValue={rule?.connection ?? options[0]?.value ?? ""}
        />
      </div>
      <div className="sm:col-span-2">
        <ActCode
          label="Service types"
          name={`${index}.serviceTypes`}
          defaultValue={rule?.serviceTypes.join(", ") ?? ""}
          hint="Codes, separated by commas."
        />
      </div>
      <div className="sm:col-span-2">
        <ActCode
          label="Procedure codes"
          name={`${index}.codes`}
          defaultValue={rule?.codes.map(rangeText).join(", ") ?? ""}
        />
      </div>
      <div className="col-span-2">
        <ActText
          label="Lines of business"
          name={`${index}.linesOfBusiness`}
          autoComplete="off"
          defaultValue={rule?.linesOfBusiness.join(", ") ?? ""}
          hint="As agents write coverage.lineOfBusiness, separated by commas. A rule with another word never fits."
        />
      </div>
    </fieldset>
  );
}
