import { notFound } from "next/navigation";
import { markdownOf, pageOf } from "#lib/developers/pages";
import { env } from "#lib/platform/env";
import { MarkdownText } from "../markdown-text.tsx";
import { Portal } from "../portal.tsx";

type Props = { readonly params: Promise<{ readonly page: string }> };

/** One page for developers. */
export default async function DeveloperPage({ params }: Props) {
  const { page: slug } = await params;
  const page = pageOf(slug);
  if (!page) notFound();
  return (
    <Portal title={page.title} current={slug}>
      <article className="max-w-4xl pb-16">
        <MarkdownText>{markdownOf(page, env().PUBLIC_URL)}</MarkdownText>
        <p className="mt-10 border-t border-line pt-4 text-sm text-ink-faint">
          <a href={`/developers/${slug}.md`} className="text-news hover:underline">
            This page as Markdown
          </a>
        </p>
      </article>
    </Portal>
  );
}
