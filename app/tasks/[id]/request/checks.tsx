import type { ReactNode } from "react";
import { Badge } from "#components/list/badge";
import { checkBrief, checkSentences } from "#lib/messages/reviewer/checks";
import { Notice } from "#components/shell/notice";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { CaseCheck } from "#lib/gate/model/check";
import type { CaseView } from "#lib/task/views";
import { valueAt } from "./value-at.ts";

/** What speaks against releasing the case, blocks first; each with the places in the service review it is about. */
export function Checks({ view: { checks, review } }: { readonly view: CaseView }) {
  return (
    <Section title="Checks" aside={summaryOf(checks)} anchor="checks">
      {checks.length === 0 ? (
        <p className="text-ink-soft">No problems found.</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {checkSentences(checks).map(({ check, text }) => (
            <li key={check.key} className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3">
              <span>
                <LevelBadge check={check} />
              </span>
              <span className="wrap-anywhere">
                <PlainText>{text}</PlainText>
                {check.paths.length > 0 && <Places list={check.paths} of={review} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** At the head of the case: whether anything speaks against its release, and the way there. */
export function ChecksInBrief({ checks }: { readonly checks: readonly CaseCheck[] }) {
  const blocked = checks.some(({ level }) => level === "block");
  const warnings = new Set(checks.filter(({ needsReason }) => needsReason).map(({ type }) => type));
  if (!blocked && warnings.size === 0) return null;
  const [only = ""] = [...warnings].map(checkBrief);
  return (
    <a href="#checks" className="[&>span]:underline [&>span]:underline-offset-2">
      <Badge tone={blocked ? "bad" : "warn"}>
        {blocked ? "can't be released" : warnings.size === 1 ? only : `${warnings.size} warnings`}
      </Badge>
    </a>
  );
}

function summaryOf(checks: readonly CaseCheck[]): string | undefined {
  const blocks = checks.filter(({ level }) => level === "block").length;
  const warnings = checks.filter(({ needsReason }) => needsReason).length;
  if (blocks > 0) return "can't be released yet";
  return warnings > 0 ? "a release needs an override reason" : undefined;
}

function LevelBadge({ check: { level, needsReason } }: { readonly check: CaseCheck }) {
  if (level === "block") return <Badge tone="bad">Block</Badge>;
  return needsReason ? <Badge tone="warn">Warning</Badge> : <Badge>Note</Badge>;
}

const placesShown = 12;

/** Places in the service review, with what stands there. */
function Places({ list, of }: { readonly list: readonly string[]; readonly of: unknown }) {
  return (
    <ul className="font-mono text-xs leading-5 text-ink-faint">
      {list.slice(0, placesShown).map((path) => (
        <li key={path}>
          <PlainText>{path}</PlainText> <PlainText>{shortly(valueAt(of, path))}</PlainText>
        </li>
      ))}
      {list.length > placesShown && <li>and {list.length - placesShown} more</li>}
    </ul>
  );
}

const lettersMax = 200;

/** A value in place; of what has parts, its words stand elsewhere on the page. */
function shortly(value: unknown): string {
  const text = typeof value === "object" ? "" : (JSON.stringify(value) ?? "");
  return text.length > lettersMax ? `${text.slice(0, lettersMax)}…` : text;
}

/** Where the Release button would stand: why there is none. */
export function Blocked({ checks }: { readonly checks: readonly CaseCheck[] }): ReactNode {
  const blocks = checks.filter(({ level }) => level === "block");
  if (blocks.length === 0) return null;
  return (
    <Notice tone="bad" title="This can't be released yet">
      <ul className="grid gap-1">
        {checkSentences(blocks).map(({ check, text }) => (
          <li key={check.key}>
            <PlainText>{text}</PlainText>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
