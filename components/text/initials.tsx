import { classNames } from "#components/shell/class-names";

type Props = {
  readonly name: string;
  /** It is the reader. */
  readonly mine?: boolean | undefined;
  /** What it says to those who see none of it; the name alone unless said. */
  readonly label?: string | undefined;
};

/** A person as two letters in a circle, with the whole name in words for everyone who needs them. */
export function Initials({ name, mine = false, label = name }: Props) {
  return (
    <span
      title={label}
      className={classNames(
        "relative z-1 inline-grid size-6 shrink-0 place-items-center rounded-full text-[0.6875rem] leading-none font-bold",
        mine ? "bg-inverse text-on-inverse" : "bg-selected text-ink-soft",
      )}
    >
      <span aria-hidden>{initialsOf(name)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const parts = name.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const [first, last] = [parts[0], parts.length > 1 ? parts.at(-1) : undefined];
  const letterOf = (word: string | undefined) => /\p{L}/u.exec(word ?? "")?.[0] ?? "";
  return `${letterOf(first)}${letterOf(last)}`.toUpperCase();
}
