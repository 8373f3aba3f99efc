import { ExternalLink } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "#components/shell/icon";

type Props = {
  /** What it is, for who opens it. */
  readonly summary: ReactNode;
  /** The same in words alone. */
  readonly title: string;
  readonly href: string;
  readonly children?: ReactNode;
};

/** Something a payer sent, as it was received: in its place, and asked for only when somebody opens it. */
export function Received({ summary, title, href, children }: Props) {
  return (
    <details>
      <summary className="wrap-anywhere">{summary}</summary>
      <div className="mt-2 mb-2 grid gap-3">
        <iframe
          src={href}
          title={title}
          loading="lazy"
          className="h-96 w-full rounded-md border border-line bg-[white] [color-scheme:light] print:hidden"
        />
        <p className="flex flex-wrap gap-x-4 gap-y-1 print:hidden">
          <span className="text-sm text-ink-faint">The first 100,000 bytes, as received.</span>
          <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 underline">
            Open in a new tab
            <Icon of={ExternalLink} size={14} />
          </a>
          <a href={`${href}?save`} download className="underline">
            Save the whole
          </a>
        </p>
        {children}
      </div>
    </details>
  );
}
