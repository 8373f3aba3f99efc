import Link from "next/link";
import { searchPages } from "#lib/developers/search-pages";
import { Portal } from "../portal.tsx";

type Props = { readonly searchParams: Promise<{ readonly q?: string | string[] }> };

/** The developer pages that contain the words of a search. */
export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.slice(0, 100) : "";
  const found = searchPages(query);
  return (
    <Portal title="Search" query={query}>
      <div className="max-w-4xl pb-16">
        <h1 className="mb-4 text-2xl font-semibold">Search</h1>
        <p role="status" className="text-ink-soft">
          {sayFound(query, found.length)}
        </p>
        <ul className="mt-4 grid gap-1">
          {found.map(({ slug, title, id, heading, excerpt }) => (
            <li key={`${slug}#${id}`}>
              <Link
                href={`/developers/${slug}${id === undefined ? "" : `#${id}`}`}
                prefetch={false}
                className="group -mx-2 block rounded-md px-2 py-2 hover:bg-hover"
              >
                <span className="block font-semibold text-news group-hover:underline">
                  {heading === title ? title : `${title}: ${heading}`}
                </span>
                <span className="block max-w-prose text-sm text-ink-soft wrap-anywhere">{excerpt}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Portal>
  );
}

function sayFound(query: string, count: number): string {
  if (query.trim() === "") return "Enter a word, such as a state, an error code or a member of a task.";
  if (count === 0) return "No page has all of these words. Try fewer of them, or another form.";
  return count === 1 ? "1 place" : `${count} places`;
}
