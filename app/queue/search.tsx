import { Search as Glass } from "lucide";
import { Icon } from "#components/shell/icon";
import { findCases } from "./actions.ts";

/** Looks in every view. It is posted and never an address by itself, because it may be of a patient. */
export function Search({ typed, problem }: { readonly typed?: string | undefined; readonly problem: boolean }) {
  return (
    <form action={findCases} role="search" className="w-full sm:w-80">
      <label htmlFor="queue-search" className="sr-only">
        Search by patient’s name and birth date, member ID, authorization number, payer’s reference or case ID
      </label>
      <div className="relative">
        <Icon
          of={Glass}
          size={15}
          className="pointer-events-none absolute start-2.5 top-2.5 pointer-coarse:top-3.5 text-ink-faint"
        />
        <input
          key={typed}
          data-search=""
          id="queue-search"
          name="text"
          type="search"
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          defaultValue={typed}
          placeholder="Name, birth date, member ID or number"
          aria-invalid={problem || undefined}
          aria-describedby={problem ? "queue-search-problem" : undefined}
          className="block min-h-8.5 pointer-coarse:min-h-11 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2.5 text-ink placeholder:text-ink-faint aria-invalid:border-bad"
        />
      </div>
      {problem && (
        <p id="queue-search-problem" className="mt-1 text-sm font-semibold text-bad">
          Type 1 to 64 letters, digits or signs.
        </p>
      )}
    </form>
  );
}
