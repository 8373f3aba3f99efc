import type { HelpText } from "#lib/messages/help";

/** What a page is for, what one does there, and its words. */
export function HelpTextShown({ text: { about, steps, terms } }: { readonly text: HelpText }) {
  return (
    <div className="grid gap-4">
      <p>{about}</p>
      {steps.length > 0 && (
        <ul className="grid list-disc gap-1.5 ps-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {terms.length > 0 && (
        <dl className="grid gap-2.5">
          {terms.map(({ word, means }) => (
            <div key={word}>
              <dt className="font-semibold">{word}</dt>
              <dd className="text-ink-soft">{means}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
