import { CircleAlert, Info, TriangleAlert } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "#components/shell/icon";
import { classNames } from "#components/shell/class-names";
import { PlainText } from "#components/text/plain-text";
import { checkFix, checkSentences } from "#lib/messages/reviewer/checks";
import { pointerText } from "#lib/messages/reviewer/fields";
import type { CaseCheck } from "#lib/gate/model/check";
import type { CaseView } from "#lib/task/views";
import { valueAt } from "../request/value-at.ts";
import { WhileReleasing } from "./choice.tsx";
import { OverWarnings } from "./over-warnings.tsx";

type Props = { readonly view: CaseView; readonly canRelease: boolean };

/**
 * What speaks against the release, the gravest first: what blocks it with what mends it, what warns with the field for
 * the reason to go ahead, and what is merely noted.
 */
export function DecisionChecks({ view: { checks, review }, canRelease }: Props) {
  const blocks = checks.filter(({ level }) => level === "block");
  const warnings = checks.filter(({ level, needsReason }) => level !== "block" && needsReason);
  const notes = checks.filter(({ level, needsReason }) => level !== "block" && !needsReason);
  return (
    <section id="checks" aria-label="Checks" className="grid scroll-mt-16 gap-2">
      {checks.length === 0 && <p className="text-sm text-ink-soft">Checks found no problems.</p>}
      {blocks.length > 0 && (
        <Group tone="bad" title="Can't be released yet">
          <List of={blocks} review={review} />
        </Group>
      )}
      {warnings.length > 0 && (
        <Group tone="warn" title={warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}>
          <List of={warnings} review={review} />
          {canRelease && (
            <WhileReleasing>
              <div className="mt-3">
                <OverWarnings />
              </div>
            </WhileReleasing>
          )}
        </Group>
      )}
      {notes.length > 0 && (
        <Group tone="plain" title={notes.length === 1 ? "1 note" : `${notes.length} notes`}>
          <List of={notes} review={review} />
        </Group>
      )}
    </section>
  );
}

const looks = {
  bad: { box: "border-bad/40 bg-bad-wash", ink: "text-bad", icon: CircleAlert },
  warn: { box: "border-warn/40 bg-warn-wash", ink: "text-warn", icon: TriangleAlert },
  plain: { box: "border-line bg-surface", ink: "text-ink-faint", icon: Info },
} as const;

type GroupProps = { readonly tone: keyof typeof looks; readonly title: string; readonly children: ReactNode };

function Group({ tone, title, children }: GroupProps) {
  const { box, ink, icon } = looks[tone];
  return (
    <div className={classNames("rounded-md border p-3", box)}>
      <p className={classNames("mb-1 flex items-center gap-2 font-semibold", ink)}>
        <Icon of={icon} className="shrink-0" />
        {title}
      </p>
      {children}
    </div>
  );
}

function List({ of, review }: { readonly of: readonly CaseCheck[]; readonly review: CaseView["review"] }) {
  return (
    <ul className="grid gap-2">
      {checkSentences(of).map(({ check, text }) => (
        <li key={check.key} className="wrap-anywhere">
          <PlainText>{text}</PlainText>
          {check.paths.length > 0 && <Places list={check.paths} of={review} />}
          {check.level === "block" && checkFix(check.type) !== undefined && (
            <span className="block font-semibold">{checkFix(check.type)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

const placesShown = 6;

/** Places in the service review, with what stands there. */
function Places({ list, of }: { readonly list: readonly string[]; readonly of: unknown }) {
  return (
    <ul className="text-sm text-ink-soft">
      {list.slice(0, placesShown).map((path) => (
        <li key={path} title={path}>
          <PlainText>{pointerText(path)}</PlainText> <Value>{shortly(valueAt(of, path))}</Value>
        </li>
      ))}
      {list.length > placesShown && <li>and {list.length - placesShown} more</li>}
    </ul>
  );
}

function Value({ children }: { readonly children: string }) {
  if (children === "") return null;
  return (
    <span className="font-mono">
      <PlainText>{children}</PlainText>
    </span>
  );
}

const lettersMax = 120;

/** A value in place; of what has parts, its words stand elsewhere on the page. */
function shortly(value: unknown): string {
  if (typeof value === "object" || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > lettersMax ? `${text.slice(0, lettersMax)}…` : text;
}
