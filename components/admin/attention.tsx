import Link from "next/link";
import { TriangleAlert } from "lucide";
import { Panel } from "#components/list/panel";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";

export type AttentionItem = {
  /** The fact, with its consequence. */
  readonly text: string;
  /** The act that fixes it, and where that is done. */
  readonly act: string;
  readonly href: string;
};

/** What needs somebody, each with the act that fixes it; nothing at all where nothing does. */
export function Attention({ list }: { readonly list: readonly AttentionItem[] }) {
  if (list.length === 0) return null;
  return (
    <Panel title="Needs attention" aside={list.length} flush>
      <ul className="divide-y divide-line">
        {list.map(({ text, act, href }) => (
          <li key={text} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="flex min-w-0 flex-1 basis-72 items-start gap-2.5">
              <Icon of={TriangleAlert} className="mt-0.5 shrink-0 text-warn" />
              <PlainText>{text}</PlainText>
            </span>
            <Link
              href={href}
              prefetch={false}
              className="ms-6.5 inline-flex items-center font-semibold whitespace-nowrap underline hover:no-underline pointer-coarse:min-h-11"
            >
              {act}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
