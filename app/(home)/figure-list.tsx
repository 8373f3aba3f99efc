import { ChevronRight } from "lucide";
import Link from "next/link";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { Panel } from "#components/list/panel";
import { PlainText } from "#components/text/plain-text";
import { listedText } from "#lib/messages/reviewer/queue";

export type Figure = {
  readonly count: number;
  readonly name: string;
  readonly note?: string | undefined;
  readonly tone?: "bad" | "warn" | undefined;
  /** The list that it counts. */
  readonly href: string;
};

const tones = { bad: "text-bad", warn: "text-warn" } as const;

/** Numbers with what they count, each of which opens its list. */
export function FigureList({ title, list }: { readonly title: string; readonly list: readonly Figure[] }) {
  return (
    <Panel title={title} flush>
      <ul className="divide-y divide-line">
        {list.map(({ count, name, note, tone, href }) => (
          <li key={`${name} ${href}`}>
            <Link
              href={href}
              prefetch={false}
              className="group flex min-h-12 items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span
                className={classNames(
                  "min-w-8 shrink-0 text-end text-xl tabular-nums",
                  count === 0 ? "text-ink-faint" : "font-semibold",
                  count > 0 && tone !== undefined && tones[tone],
                )}
              >
                {listedText(count)}
              </span>
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
                <span className={count === 0 ? "text-ink-soft" : "font-semibold"}>
                  <PlainText>{name}</PlainText>
                </span>
                {note !== undefined && <span className="text-sm text-ink-faint">{note}</span>}
              </span>
              <Icon of={ChevronRight} className="shrink-0 text-ink-faint group-hover:text-ink" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
