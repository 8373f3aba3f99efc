import { sentenceCase } from "#components/text/sentence-case";
import { reviewActions } from "#lib/messages/labels/codes";
import { Badge } from "#components/list/badge";
import { PlainText } from "#components/text/plain-text";
import { decisionReason } from "#lib/messages/decision-reasons";
import { isAuthorizing, type DeterminationLine } from "#lib/task/model/determination";
import { differingTerms, type TermName } from "#lib/task/model/term-differences";
import { AuthorizationProgress } from "./authorization-progress.tsx";
import { termTexts, type KnownProviders } from "./term-texts.ts";

type Props = {
  readonly lines: readonly DeterminationLine[];
  readonly known: KnownProviders;
  /** The number of the whole authorization, which lines don't repeat. */
  readonly number: string | undefined;
};

/** What was authorized on each line beside what was asked, where they differ; where they don't, it is said once. */
export function AuthorizedLines({ lines, known, number }: Props) {
  return (
    <ol className="grid gap-4">
      {lines.map((line, index) => (
        <li key={index} className="grid gap-2">
          <LineHead line={line} named={lines.length > 1} />
          <AuthorizationProgress lines={[line]} />
          {line.authorized && <BesideRequested line={line} known={known} />}
          {line.number !== undefined && line.number !== number && (
            <p className="text-sm">
              Number{" "}
              <span className="font-mono font-semibold wrap-anywhere">{<PlainText>{line.number}</PlainText>}</span>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function LineHead({ line, named }: { readonly line: DeterminationLine; readonly named: boolean }) {
  const { sequence, action, requested, authorized, reasons } = line;
  const code = requested?.code ?? authorized?.code;
  const isAuthorized = isAuthorizing(action);
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {named && <span className="text-sm text-ink-faint">Service {sequence}</span>}
        {code !== undefined && (
          <span className="font-mono font-semibold">
            <PlainText>{code}</PlainText>
          </span>
        )}
        {!isAuthorized && <Badge tone={action === "A3" ? "bad" : "plain"}>{sentenceCase(reviewActions[action])}</Badge>}
        {isAuthorized && !requested && <Badge tone="warn">Added by the payer</Badge>}
      </p>
      {!isAuthorized && reasons.length > 0 && (
        <p className="text-sm text-ink-soft">
          <PlainText>{reasons.map((code) => reasonText(code)).join("; ")}</PlainText>
        </p>
      )}
    </div>
  );
}

const names: Readonly<Record<TermName, string>> = {
  ...{
    code: "Service",
    modifiers: "Modifiers",
    quantity: "Quantity",
    dates: "Dates",
    provider: "Provider",
    place: "Place",
  },
};

function BesideRequested({ line, known }: { readonly line: DeterminationLine; readonly known: KnownProviders }) {
  const { sequence, requested = {}, authorized = {} } = line;
  const differing = differingTerms(requested, authorized);
  const requestedTexts = new Map(termTexts(requested, known).map(({ name, text }) => [name, text]));
  const rows = termTexts(authorized, known).filter(({ name }) => name !== "code" || differing.includes(name));
  if (rows.length === 0) return null;
  const isAsRequested = differing.length === 0;
  return (
    <table className="w-full table-fixed border-collapse text-start text-sm">
      <caption className="sr-only">Authorized on service {sequence}</caption>
      <thead>
        <tr className="border-b border-line text-xs text-ink-faint">
          <th scope="col" className="w-20 py-1 text-start font-semibold">
            <span className="sr-only">Term</span>
          </th>
          {!isAsRequested && (
            <th scope="col" className="px-2 py-1 text-start font-semibold">
              Asked
            </th>
          )}
          <th scope="col" className="py-1 ps-2 text-start font-semibold">
            Authorized
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, text }) => (
          <tr key={name} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-1 text-start font-normal text-ink-faint">
              {names[name]}
            </th>
            {!isAsRequested && <td className="px-2 py-1 wrap-anywhere">{requestedTexts.get(name) ?? "–"}</td>}
            <td className="py-1 ps-2 wrap-anywhere">
              {differing.includes(name) ? (
                <mark className="bg-warn-wash font-semibold text-ink">
                  <span className="sr-only">Not as asked: </span>
                  <PlainText>{text}</PlainText>
                </mark>
              ) : (
                <PlainText>{text}</PlainText>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function reasonText(reason: string): string {
  const { code, label } = decisionReason(reason);
  return label === undefined ? code : `${sentenceCase(label)} (${code})`;
}
