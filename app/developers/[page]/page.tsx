import { ArrowLeft, ArrowRight, ChevronDown } from "lucide";
import Link from "next/link";
import { notFound } from "next/navigation";
import { Icon } from "#components/shell/icon";
import { sectionsOf, type Section } from "#lib/developers/outline";
import { markdownOf, neighborsOf, pageOf, type Page } from "#lib/developers/pages";
import { env } from "#lib/platform/env";
import { MarkdownText } from "../markdown-text.tsx";
import { Portal } from "../portal.tsx";

type Props = { readonly params: Promise<{ readonly page: string }> };

/** One page for developers, with what is on it beside it, and the pages before and after it at its end. */
export default async function DeveloperPage({ params }: Props) {
  const { page: slug } = await params;
  const page = pageOf(slug);
  if (!page) notFound();
  const markdown = markdownOf(page, env().PUBLIC_URL);
  const sections = sectionsOf(markdown).filter(({ level }) => level === 2);
  return (
    <Portal title={page.title} current={slug}>
      <div className="gap-10 xl:grid xl:grid-cols-[minmax(0,56rem)_13rem]">
        <article className="max-w-4xl min-w-0 pb-16">
          {sections.length > 1 && (
            <details className="group mb-4 rounded-lg border border-line px-3 xl:hidden print:hidden">
              <summary className="flex min-h-11 items-center justify-between font-semibold">
                On this page <Icon of={ChevronDown} className="group-open:rotate-180" />
              </summary>
              <Outline sections={sections} label="On this page, folded" />
            </details>
          )}
          <MarkdownText>{markdown}</MarkdownText>
          <Neighbors page={page} />
          <p className="mt-6 text-sm text-ink-faint">
            <a href={`/developers/${slug}.md`} className="text-news hover:underline">
              This page as Markdown
            </a>
          </p>
        </article>
        {sections.length > 1 && (
          <div className="max-xl:hidden print:hidden">
            <div className="sticky top-[calc(var(--banner)+1.5rem)] max-h-[calc(100dvh-var(--banner)-3rem)] overflow-y-auto border-s border-line ps-4">
              <p className="pb-1 text-xs font-semibold text-ink-faint">On this page</p>
              <Outline sections={sections} label="On this page" />
            </div>
          </div>
        )}
      </div>
    </Portal>
  );
}

function Outline({ sections, label }: { readonly sections: readonly Section[]; readonly label: string }) {
  return (
    <nav aria-label={label} className="pb-2">
      <ul>
        {sections.map(({ id, heading }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block py-1 text-sm text-ink-soft hover:text-ink hover:underline pointer-coarse:py-2.5"
            >
              {heading}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbors({ page }: { readonly page: Page }) {
  const { before, after } = neighborsOf(page);
  const look = "grid gap-0.5 rounded-lg border border-line px-4 py-3 hover:bg-hover";
  return (
    <nav aria-label="Previous and next page" className="mt-10 grid gap-3 sm:grid-cols-2 print:hidden">
      {before && (
        <Link href={`/developers/${before.slug}`} prefetch={false} className={look}>
          <span className="flex items-center gap-1.5 text-xs text-ink-faint">
            <Icon of={ArrowLeft} size={14} /> Previous
          </span>
          <span className="font-semibold">{before.title}</span>
        </Link>
      )}
      {after && (
        <Link
          href={`/developers/${after.slug}`}
          prefetch={false}
          className={`${look} justify-items-end sm:col-start-2`}
        >
          <span className="flex items-center gap-1.5 text-xs text-ink-faint">
            Next <Icon of={ArrowRight} size={14} />
          </span>
          <span className="font-semibold">{after.title}</span>
        </Link>
      )}
    </nav>
  );
}
