import type { CheckFinding, Rule } from "./check.ts";
import type { ServiceReview } from "#lib/task/model/service-review";

/** The most of each unit that anybody asks for without a slip of the keyboard; X12's codes of visits and days. */
const mostOf: Readonly<Record<string, number>> = { VS: 200, DY: 366, DA: 366, MO: 24, WK: 104 };
const mostUnits = 1_000;
/** Drugs are counted in milligrams and international units. */
const mostDrugUnits = 20_000;

/** How much is asked for. */
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

/** HCPCS J and Q: drugs and biologicals. */
function isDrug(code: string): boolean {
  return /^[JQ]\d{4}$/.test(code);
}
