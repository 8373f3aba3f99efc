import { Circle, CircleCheck } from "lucide";
import Link from "next/link";
import { Panel } from "#components/list/panel";
import { Icon } from "#components/shell/icon";

export type SetupItem = {
  readonly name: string;
  /** Read from what is there, and never from what was pressed. */
  readonly isDone: boolean;
  readonly act: string;
  readonly href: string;
};

/** What is still to be set up before a thing works; nothing once all of it is. */
export function SetupList({ list }: { readonly list: readonly SetupItem[] }) {
  const doneCount = list.filter(({ isDone }) => isDone).length;
  if (doneCount === list.length) return null;
  return (
    <Panel title="Setup" aside={`${doneCount} of ${list.length} done`} flush>
      <ol className="divide-y divide-line">
        {list.map(({ name, isDone, act, href }) => (
          <li key={name} className="flex items-center gap-2.5 px-4 py-2.5">
            <Icon of={isDone ? CircleCheck : Circle} className={isDone ? "text-good" : "text-ink-faint"} />
            <span className={isDone ? "text-ink-soft" : "font-semibold"}>
              {name}
              <span className="sr-only">{isDone ? ": done" : ": not done yet"}</span>
            </span>
            {!isDone && (
              <Link
                href={href}
                prefetch={false}
                className="ms-auto inline-flex items-center font-semibold underline hover:no-underline pointer-coarse:min-h-11"
              >
                {act}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
