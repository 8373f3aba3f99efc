import Link from "next/link";
import { Button } from "#components/form/button";
import { SelectField, TextField } from "#components/form/field";
import { Unfolding } from "#components/list/unfolding";
import { auditKinds, type AuditKind } from "#lib/audit/audit-kinds";
import type { AuditPage } from "#lib/audit/browse-audit-log";
import { auditPath, type AuditFilter } from "#components/audit/audit-path";
import { kindText } from "#lib/messages/admin/audit";

type Props = { readonly page: AuditPage; readonly filter: AuditFilter };

/** Every filter stands in the address; the form works without scripts. On a phone it opens by a press on its name. */
export function Filters({ page, filter }: Props) {
  const count = countOf(filter);
  return (
    <section id="filters" aria-label="Filters" className="panel-folds mb-5 scroll-mt-16 max-md:mb-3">
      <div className="not-narrow:hidden narrow:mb-2 narrow:font-semibold">
        <Unfolding anchor="filters">{count === 0 ? "Filters" : `Filters (${count})`}</Unfolding>
      </div>
      <FilterForm page={page} filter={filter} />
    </section>
  );
}

function FilterForm({ page, filter }: Props) {
  const { practices, isOverall, practice, people, channels } = page;
  // Safe because these are the object's own keys.
  const kinds = Object.keys(auditKinds) as AuditKind[];
  const all = (text: string, list: readonly { id: string; name: string }[]) => [
    { value: "", text },
    ...list.map(({ id, name }) => ({ value: id, text: name })),
  ];
  return (
    <form
      // Mounted again for another address, so that its fields show that address and not what was chosen before.
      key={auditPath(filter)}
      action="/audit"
      data-body=""
      className="grid max-w-4xl grid-cols-2 items-end gap-3 sm:grid-cols-4"
    >
      <SelectField
        label="Practice"
        name="practice"
        defaultValue={practice?.id ?? ""}
        options={
          practices.length === 1 && !isOverall
            ? all("", practices).slice(1)
            : all(isOverall ? "The whole service" : "All of yours", practices)
        }
      />
      <SelectField
        label="What"
        name="kind"
        defaultValue={filter.kind ?? ""}
        options={[{ value: "", text: "Everything" }, ...kinds.map((kind) => ({ value: kind, text: kindText[kind] }))]}
      />
      <SelectField label="Person" name="person" defaultValue={filter.person ?? ""} options={all("Any", people)} />
      <SelectField label="Channel" name="channel" defaultValue={filter.channel ?? ""} options={all("Any", channels)} />
      <TextField
        label="Case"
        name="task"
        defaultValue={filter.task}
        autoComplete="off"
        spellCheck={false}
        maxLength={36}
        pattern="[0-9A-Fa-f]{8}|[0-9A-Fa-f\-]{36}"
        title="The case ID: eight characters, or the whole ID"
        className="font-mono text-sm"
      />
      <TextField label="From" name="from" type="date" defaultValue={filter.from} />
      <TextField label="To" name="to" type="date" defaultValue={filter.to} />
      <div className="flex items-center gap-3">
        <Button>Show</Button>
        {isFiltered(filter) && (
          <Link
            href={auditPath({ practice: practice?.id })}
            prefetch={false}
            className="text-ink-soft underline hover:text-ink"
          >
            Clear
          </Link>
        )}
      </div>
    </form>
  );
}

export function isFiltered(filter: AuditFilter): boolean {
  return countOf(filter) > 0;
}

function countOf({ practice: _, before: __, after: ___, ...filters }: AuditFilter): number {
  return Object.keys(filters).length;
}
