import { classNames } from "#components/shell/class-names";

/** An instant as it is shown: in words, exactly, and for machines. */
export type TimeParts = {
  readonly iso: string;
  /** To the second, in every zone that matters to the reader. */
  readonly exact: string;
  readonly text: string;
};

/** An instant whose words are made already. */
export function TimeText({ iso, exact, text, full = false }: TimeParts & { readonly full?: boolean }) {
  return (
    <time dateTime={iso} title={exact} className={classNames("relative z-1", !full && "whitespace-nowrap")}>
      {text}
    </time>
  );
}
