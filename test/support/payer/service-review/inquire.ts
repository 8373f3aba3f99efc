import type { InquiryRequest, Build, Call } from "#lib/payer/connector";
import { serviceReview } from "#lib/payer/service-review/connector";
import { aReview, aReviewBuild, transportTo } from "./build.ts";
import { aClearinghouse, type Request, type Script } from "./clearinghouse.ts";

const procedures = [{ code: "97110", quantity: 8, quantityTypeCode: "VS" }, { code: "97112" }];
/** Two lines for the clearinghouse at `url`. */
export const twoLines = (url: string) => aReviewBuild({ url, review: aReview({ procedures }) });
/** The question about what `from` sent. */
export const asking = (
  { action: _, reason: __, ...from }: Build,
  members: Partial<InquiryRequest> = {},
): InquiryRequest => ({
  ...from,
  sent: serviceReview.build({ ...from, action: "transmit" }),
  payerReference: "SR-1",
  ...members,
});

type About = Partial<InquiryRequest> & { readonly says: (call: Call, request: Request) => Script };

/** What is made of a clearinghouse that answers so, and what it was asked. */
export async function inquired({ says, ...members }: About) {
  const clearinghouse = await aClearinghouse((request) => says(call, request));
  const inquiry = asking(twoLines(clearinghouse.url), members);
  const [call] = inquiry.sent as [Call];
  const response = await serviceReview.inquire(inquiry, transportTo(clearinghouse.url));
  return { ...response, paths: clearinghouse.seen.map(({ path }) => path.split("?")[0]), seen: clearinghouse.seen };
}
