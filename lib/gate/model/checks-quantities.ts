import type { CheckFinding, Rule } from "./check.ts";
import type { ServiceReview } from "#lib/task/model/service-review";

/**
 * The most of each unit that is plausible; more is probably a typing error. The keys are X12's codes for visits and
 * days.
 */
const mostOf: Readonly<Record<string, number>> = { VS: 200, DY: 366, DA: 366, MO: 24, WK: 104 };
const mostUnits = 1_000;
/** The most units of a drug that are plausible. Drugs are counted in milligrams or international units. */
const mostDrugUnits = 20_000;

/** Rules about quantities. */
export const quantityRules: readonly Rule[] = [
  {
    type: "unusual-quantity",
    find: ({ review }) => [
      ...strange(
        "",
        review,
        review.procedures.every(({ code }) => isDrug(code)),
      ),
      ...review.procedures.flatMap((line, index) =>
        strange(`/procedures/${index}`, { quantityTypeCode: review.quantityTypeCode, ...line }, isDrug(line.code)),
      ),
    ],
  },
];

type Counted = Pick<ServiceReview, "quantity" | "quantityTypeCode">;

function strange(
  path: string,
  { quantity, quantityTypeCode: unit = "UN" }: Counted,
  drug: boolean,
): readonly CheckFinding[] {
  if (quantity === undefined) return [];
  const most = mostOf[unit] ?? (drug ? mostDrugUnits : mostUnits);
  return quantity > 0 && quantity <= most ? [] : [{ paths: [`${path}/quantity`], values: [`${quantity}`, unit] }];
}

/** HCPCS codes J and Q are drugs and biologicals. */
function isDrug(code: string): boolean {
  return /^[JQ]\d{4}$/.test(code);
}
