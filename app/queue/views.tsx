import Link from "next/link";

const views = [
  { id: "waiting", href: "/queue", name: "Waiting" },
  { id: "recent", href: "/queue?view=recent", name: "Recent" },
] as const;

/** The ways to look at the queue; each is an address of its own. */
export function Views({ current }: { readonly current: (typeof views)[number]["id"] }) {
  return (
    <nav aria-label="Views" className="-mx-2 flex gap-1">
      {views.map(({ id, href, name }) => (
        <Link
          key={id}
          href={href}
          prefetch={false}
          aria-current={id === current ? "page" : undefined}
          className="rounded-md px-2 py-1 text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
