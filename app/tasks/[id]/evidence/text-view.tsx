"use client";

import { useEffect, useRef, useState } from "react";
import { linesOf, VisibleText } from "#components/text/visible-line";
import { Find, ViewerBar } from "./viewer-bar.tsx";

/** Most of a text that is shown in place: 500,000 characters. Whoever saves it has it whole. */
const charactersMax = 500_000;
const matchesMax = 1_000;

/** A text as the characters it is, never read as markup; what would not show is shown by its code point. */
export function TextView({ href, name }: { readonly href: string; readonly name: string }) {
  const text = useText(href);
  const here = useRef<HTMLPreElement>(null);
  const [sought, setSought] = useState("");
  const [at, setAt] = useState(0);
  const matches = text === undefined ? [] : placesOf(sought, text);
  useEffect(() => {
    here.current?.querySelector("mark[data-at]")?.scrollIntoView({ block: "center" });
  }, [sought, at]);
  const step = (direction: "next" | "previous") =>
    matches.length > 0 && setAt((at + (direction === "next" ? 1 : matches.length - 1)) % matches.length);
  const find = (typed: string) => {
    setSought(typed);
    setAt(0);
  };
  return (
    <>
      <ViewerBar>
        <Find find={find} step={step} found={sought === "" ? undefined : { at: at + 1, of: matches.length }} />
      </ViewerBar>
      <pre
        ref={here}
        dir="ltr"
        role="region"
        aria-label={name}
        tabIndex={0}
        className="min-h-96 xl:min-h-56 flex-1 overflow-auto p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap -outline-offset-2 [unicode-bidi:isolate-override]"
      >
        {text !== undefined && <Marked text={text} places={matches} length={sought.length} at={at} />}
      </pre>
    </>
  );
}

type MarkedProps = {
  readonly text: string;
  readonly places: readonly number[];
  readonly length: number;
  readonly at: number;
};

function Marked({ text, places, length, at }: MarkedProps) {
  const ends = [0, ...places.map((place) => place + length)];
  return (
    <>
      {places.map((place, index) => (
        <span key={place}>
          <Plain>{text.slice(ends[index], place)}</Plain>
          <mark
            data-at={index === at ? "" : undefined}
            className="rounded-sm bg-warn-wash text-ink data-at:bg-warn data-at:text-surface"
          >
            <Plain>{text.slice(place, place + length)}</Plain>
          </mark>
        </span>
      ))}
      <Plain>{text.slice(ends.at(-1))}</Plain>
    </>
  );
}

function Plain({ children }: { readonly children: string }) {
  return <VisibleText parts={linesOf(children)} />;
}

/** The text behind an address; undefined until it is there. */
function useText(href: string): string | undefined {
  const [text, setText] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    const load = async () => {
      const answer = await fetch(href, { signal: leaving.signal });
      // Of an archive that is away the answer is a sentence that says so.
      const whole =
        answer.ok || answer.status === 503 ? await answer.text() : "The file could not be loaded. Reload the page.";
      setText(whole.length > charactersMax ? `${whole.slice(0, charactersMax)}\n…` : whole);
    };
    load().catch(() => {
      if (!leaving.signal.aborted) setText("The file could not be loaded. Reload the page.");
    });
    return () => leaving.abort();
  }, [href]);
  return text;
}

/** Where a text occurs in another, whatever the case of its letters. */
function placesOf(sought: string, text: string): readonly number[] {
  if (sought === "") return [];
  const [needle, hay] = [sought.toLowerCase(), text.toLowerCase()];
  const places: number[] = [];
  for (
    let at = hay.indexOf(needle);
    at !== -1 && places.length < matchesMax;
    at = hay.indexOf(needle, at + needle.length)
  )
    places.push(at);
  return places;
}
