import { reviewReasons } from "#lib/messages/reasons/service-review-reply";
import type { Verdict, ReviewAction } from "#lib/task/model/determination";
import type { ServiceReview } from "#lib/task/model/service-review";
import { differ } from "#lib/payer/agreed-value";
import type { AnsweredLine, AnswerTerms } from "./conflicts.ts";
import type { Review, ReviewLine } from "./reply.ts";

/** Words of a status that speak against a certification in total. */
const adverse =
  /\b(?:not|non|in review|under review)\b|\b(?:deni|deny|declin|disapprov|reject|refus|pend|partial|part\b|modif|reduc|cancel|void|expir|withdr|suspend|hold|incomplete|additional|contact|error|fail|terminat|revok)/i;

type QualifiedAnswer = Pick<AnswerTerms, "requested" | "review" | "lines" | "header"> & { readonly verdict: Verdict };

/** Why an approval is none yet, or not of what was asked, by what stands beside its action codes; undefined if nothing does. */
export function qualificationOf({ verdict, review, requested, lines, header }: QualifiedAnswer): string | undefined {
  if (verdict.type !== "final" || verdict.outcome === "denied") return undefined;
  const isWhole = verdict.outcome === "approved" || verdict.outcome === "not-required";
  const certified = lines.filter(({ action }) => action === "A1").map(({ reply }) => reply);
  if (review.decidesElsewhere) return reviewReasons.decidesElsewhere;
  if (review.validationMessages.length > 0) return reviewReasons.errorBeside;
  if ([...certified, ...(isWhole ? [review] : [])].some(({ statusReasons }) => statusReasons.some(isReason)))
    return reviewReasons.reasonBeside;
  if (speaksAgainst(header, review, isWhole) || certified.some(({ status }) => adverse.test(status ?? "")))
    return reviewReasons.otherWords;
  if ([review, ...review.procedures].some(isInWordsAlone)) return reviewReasons.wordsAlone;
  const [only] = lines.length === 1 ? lines : [];
  if (only && differ(review.certificationNumber, only.reply.certificationNumber)) return reviewReasons.twoNumbers;
  return isOtherRequest(requested, review) || lines.some((line) => isOtherService(line, requested))
    ? reviewReasons.otherRequest
    : undefined;
}

function isReason({ code, value }: Review["statusReasons"][number]): boolean {
  return isStated(code) || isStated(value);
}

function speaksAgainst(header: ReviewAction | undefined, { status }: Review, isWhole: boolean): boolean {
  return (header === "A1" || (header === undefined && isWhole)) && adverse.test(status ?? "");
}

/** Whether a unit or a modifier stands only in words, which nothing compares. */
function isInWordsAlone(part: Review | ReviewLine): boolean {
  if (isStated(part.quantityType) && !isStated(part.quantityTypeCode)) return true;
  if (!("modifier1" in part)) return false;
  const { modifier1, modifier2, modifier3, modifier4 } = part;
  const codes = [part.modifierCode1, part.modifierCode2, part.modifierCode3, part.modifierCode4];
  return [modifier1, modifier2, modifier3, modifier4].some((each, at) => isStated(each) && !isStated(codes[at]));
}

/** Whether a review is of another type of request or service, or for none of the requested diagnoses. */
function isOtherRequest(requested: ServiceReview, review: Review): boolean {
  const { requestTypeCode = "HS", serviceTypeCode, admissionTypeCode, diagnoses = [] } = requested;
  const requestedCodes = diagnoses.map(({ code }) => plain(code));
  const stated = review.diagnoses.flatMap(({ code }) => (isStated(code) ? [plain(code)] : []));
  return (
    differ(requestTypeCode, review.requestTypeCode) ||
    differ(serviceTypeCode, review.serviceTypeCode) ||
    differ(admissionTypeCode, review.admissionTypeCode) ||
    (requestedCodes.length > 0 && stated.length > 0 && !stated.some((each) => requestedCodes.includes(each)))
  );
}

/** Whether a line is of another list of codes, or of a revenue code that was not asked for. */
function isOtherService({ sequence, reply }: AnsweredLine, { procedures }: ServiceReview): boolean {
  const { qualifierCode = "HC", revenueCode } = procedures[sequence - 1] ?? {};
  const unrequestedRevenue = isStated(reply.revenueCode) && !isStated(revenueCode);
  return unrequestedRevenue || differ(revenueCode, reply.revenueCode) || differ(qualifierCode, reply.qualifierCode);
}

/** A diagnosis without the point, which some leave out. */
function plain(code: string): string {
  return code.replaceAll(/[.\s]/g, "").toUpperCase();
}

function isStated(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
