import { ChevronDown } from "lucide";
import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "#components/shell/icon";
import { Mark } from "#components/shell/mark";
import { PageTitle } from "#components/shell/page-title";
import { groups } from "#lib/developers/pages";

type Props = {
  readonly title: string;
  readonly current?: string | undefined;
  /** The words of the search, if there is one. */
  readonly query?: string | undefined;
  readonly children: ReactNode;
};

/** What stands around every page for developers: the list of pages, and the page. Nobody needs to sign in. */
export function Portal({ title, current, query, children }: Props) {
  return (
    <div className="flex flex-1 flex-col lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <PageTitle>{`${title} · Developers`}</PageTitle>
      <a
        href="#main"
        className="absolute start-2 top-2 z-20 -translate-y-16 rounded-md bg-inverse px-3 py-2 font-semibold text-on-inverse focus:translate-y-0 print:hidden"
      >
        Skip to the page
      </a>
      <header className="border-line bg-canvas max-lg:border-b lg:border-e print:hidden">
        <div className="px-3 py-3 lg:sticky lg:top-(--banner) lg:max-h-[calc(100dvh-var(--banner))] lg:overflow-y-auto">
          <Link href="/developers" prefetch={false} className="flex items-center gap-2 rounded-md p-2">
            <Mark size={24} />
            <span className="grid">
              <span className="font-semibold whitespace-nowrap">Prior authorization</span>
              <span className="text-xs text-ink-faint">Developers</span>
            </span>
          </Link>
          <form action="/developers/search" role="search" className="px-2 pt-2">
            <input
              type="search"
              name="q"
              defaultValue={query}
              maxLength={100}
              placeholder="Search"
              aria-label="Search the pages"
              className="h-9 w-full rounded-md border border-line-strong bg-surface px-2.5 pointer-coarse:min-h-11"
            />
          </form>
          <details className="group lg:hidden">
            <summary className="flex min-h-11 items-center justify-between px-2 font-semibold">
              Pages <Icon of={ChevronDown} className="group-open:rotate-180" />
            </summary>
            <Pages current={current} label="Pages, folded" />
          </details>
          <div className="max-lg:hidden">
            <Pages current={current} label="Pages" />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none md:px-10">
        {children}
      </main>
    </div>
  );
}

type ListProps = Pick<Props, "current"> & { readonly label: string };

function Pages({ current, label }: ListProps) {
  return (
    <nav aria-label={label}>
      {groups.map(({ title, pages }, index) => (
        <div key={title} className="mt-4">
          <p className="px-2 pb-1 text-xs font-semibold text-ink-faint">{title}</p>
          {pages.map((page) => (
            <PageLink key={page.slug} href={`/developers/${page.slug}`} isCurrent={page.slug === current}>
              {page.title}
            </PageLink>
          ))}
          {index === 0 && (
            <PageLink href="/developers/calls" isCurrent={current === "calls"}>
              Your channel
            </PageLink>
          )}
        </div>
      ))}
    </nav>
  );
}

type LinkProps = { readonly href: string; readonly isCurrent: boolean; readonly children: ReactNode };

function PageLink({ href, isCurrent, children }: LinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      className="flex min-h-8 items-center rounded-md px-2 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
    >
      {children}
    </Link>
  );
}
