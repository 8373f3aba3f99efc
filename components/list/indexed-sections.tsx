import type { ReactNode } from "react";

type Place = readonly [anchor: string, text: string];

/** A page's sections by name: beside them where there is room, and a line above them where there is none. */
function OnThisPage({ places }: { readonly places: readonly Place[] }) {
  return (
    <nav aria-label="On this page" className="xl:order-last">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line pb-4 text-sm max-xl:mb-5 xl:sticky xl:top-20 xl:grid xl:gap-1 xl:border-s xl:border-b-0 xl:ps-4 xl:pb-0">
        {places.map(([anchor, text]) => (
          <li key={anchor}>
            <a
              href={`#${anchor}`}
              className="inline-block py-0.5 text-ink-soft underline decoration-line-strong underline-offset-3 hover:text-ink xl:no-underline xl:hover:underline"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The sections in their column, with their names. */
export function IndexedSections({
  places,
  children,
}: {
  readonly places: readonly Place[];
  readonly children: ReactNode;
}) {
  return (
    <div className="gap-x-10 xl:grid xl:grid-cols-[minmax(0,48rem)_10rem]">
      <OnThisPage places={places} />
      <div className="min-w-0 max-xl:max-w-3xl">{children}</div>
    </div>
  );
}
