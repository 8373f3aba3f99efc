import Link from "next/link";
import { Button } from "#components/form/button";
import { SelectField } from "#components/form/field";
import { healthWindows, type DeskHealth, type HealthWindow } from "#lib/queue/desk-health";
import { healthPath } from "./filter.ts";

/** Which days and whose; both stand in the address. */
export function Filters({ health }: { readonly health: DeskHealth }) {
  const { window, practices, practiceId } = health;
  // Safe because these are the object's own keys.
  const windows = Object.keys(healthWindows) as HealthWindow[];
  return (
    <div className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-3">
      <nav aria-label="Time" className="-mx-2 flex gap-1">
        {windows.map((days) => (
          <Link
            key={days}
            href={healthPath({ window: days, practiceId })}
            prefetch={false}
            aria-current={days === window ? "page" : undefined}
            className="rounded-md px-2 py-1 text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
          >
            {days} days
          </Link>
        ))}
      </nav>
      {practices.length > 1 && (
        <form action="/desk-health" className="flex items-end gap-2">
          <input type="hidden" name="days" value={window} />
          <SelectField
            label="Practice"
            name="practice"
            defaultValue={practiceId ?? ""}
            options={[
              { value: "", text: "All of yours" },
              ...practices.map(({ id, name }) => ({ value: id, text: name })),
            ]}
          />
          <Button>Show</Button>
        </form>
      )}
    </div>
  );
}
