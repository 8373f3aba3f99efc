import { Search as Glass } from "lucide";
import { Icon } from "#components/shell/icon";
import { findCases } from "./actions.ts";
import { SearchBox } from "./search-box.tsx";

type Props = {
  readonly typed: string | undefined;
  readonly foundNothing: boolean;
  readonly problem: boolean;
};

/** Looks in every view. It is posted and never an address by itself, because it may be of a patient. */
export function Search(props: Props) {
  const { problem } = props;
  return (
    <form action={findCases} role="search" className="w-full sm:w-80">
      <label htmlFor="queue-search" className="sr-only">
        Search by patient's name and birth date, member ID, authorization number, payer's reference or case ID
      </label>
      <div className="relative">
        <Icon
          of={Glass}
          size={15}
          className="pointer-events-none absolute start-2.5 top-2.5 pointer-coarse:top-3.5 text-ink-faint"
        />
        <SearchBox {...props} />
      </div>
      {problem && (
        <p id="queue-search-problem" className="mt-1 text-sm font-semibold text-bad">
          Type 1 to 200 letters, digits or signs.
        </p>
      )}
    </form>
  );
}
