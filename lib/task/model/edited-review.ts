import { ok, refuse, type Result } from "#lib/platform/result";
import { problems } from "#lib/messages/problems/field";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { changesBetween } from "./changes.ts";
import { editableGroups, type EditableField } from "./editable-fields.ts";
import { serviceReviewSchema, type ServiceReview } from "./service-review.ts";

/** The request as a reviewer corrected it, and JSON pointers of what is different. */
type EditedReview = { readonly review: ServiceReview; readonly paths: readonly string[] };

type Problem = { readonly path: string; readonly problem: string };

/**
 * A request with these values in place of its own, by their JSON pointers, as typed. An empty text takes the value away.
 * Pointers of what may not be corrected are refused, as is whatever an agent could not have sent either.
 */
export function editedReview(
  before: ServiceReview,
  values: Readonly<Record<string, string>>,
): Result<EditedReview, readonly Problem[]> {
  const editable = new Map(editableGroups(before).flatMap(({ fields }) => fields.map((one) => [one.pointer, one])));
  const review = structuredClone(before);
  const problems: Problem[] = [];
  for (const [pointer, typed] of Object.entries(values)) {
    const field = editable.get(pointer);
    if (!field) problems.push({ path: pointer, problem: caseProblems.notEditable });
    else setAt(review, pointer, valueOf(field, typed.trim()));
  }
  followNpis(before, review);
  problems.push(...formatProblems(review), ...dayProblems(review));
  if (problems.length > 0) return refuse(problems);
  return ok({ review, paths: changesBetween(before, review).map(({ path }) => path) });
}

/** What is no number stays a text, so that the form of the request refuses it in its own words. */
function valueOf({ kind }: EditableField, typed: string): string | number | undefined {
  if (typed === "") return undefined;
  return kind === "number" && /^\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : normal(typed);
}

/** Modifiers, units and places are written in capitals, and nobody has to type them so. */
function normal(typed: string): string {
  return typed.toUpperCase();
}

function setAt(review: ServiceReview, pointer: string, value: string | number | undefined): void {
  const parts = pointer.split("/").slice(1);
  const last = parts.pop() ?? "";
  // Safe because the pointer is one of `editableGroups`, whose parents exist.
  const parent = parts.reduce<Record<string, unknown>>(
    (at, part) => at[part] as Record<string, unknown>,
    review as Record<string, unknown>,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

/** Lines name their servicing providers by NPI, so a corrected NPI is corrected there too. */
function followNpis(before: ServiceReview, after: ServiceReview): void {
  const renamed = new Map(
    (before.renderingProviders ?? []).flatMap(({ npi }, index) => {
      const now = after.renderingProviders?.[index]?.npi;
      return npi !== undefined && now !== undefined && npi !== now ? [[npi, now] as const] : [];
    }),
  );
  if (renamed.size === 0) return;
  for (const line of after.procedures)
    if (line.renderingProviderNpis)
      line.renderingProviderNpis = line.renderingProviderNpis.map((npi) => renamed.get(npi) ?? npi);
}

function formatProblems(review: ServiceReview): readonly Problem[] {
  const read = serviceReviewSchema.safeParse(review);
  if (read.success) return [];
  return read.error.issues.map(({ path, message, code }) => ({
    path: `/${path.join("/")}`,
    problem: code === "invalid_type" ? problems.number : message,
  }));
}

/** The first day is not after the last, of the whole request and of each line. */
function dayProblems({ fromDate, toDate, procedures }: ServiceReview): readonly Problem[] {
  const spans = [
    { at: "", fromDate, toDate },
    ...procedures.map((line, index) => ({ ...line, at: `/procedures/${index}` })),
  ];
  return spans.flatMap(({ at, fromDate: from, toDate: to }) =>
    from !== undefined && to !== undefined && from > to
      ? [{ path: `${at}/toDate`, problem: caseProblems.notBeforeFirstDay }]
      : [],
  );
}
