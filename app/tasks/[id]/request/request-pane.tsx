import Link from "next/link";
import type { ReactNode } from "react";
import { KeyHint } from "#components/keyboard/key-hint";
import { Facts } from "#components/list/facts";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { appealText } from "#lib/messages/reviewer/recourse";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";
import { caseAddress, type CaseAddress } from "../case-address.ts";
import { EditForm } from "./edit-form.tsx";
import { canEdit, editGroupsOf, editWarning, isEdited } from "./edit-groups.ts";
import { valueOf } from "#lib/task/model/changed-value";
import { ChangeMarks } from "./change-marks.ts";
import { linkedFacts } from "./linked-cases.tsx";
import { Changed } from "./review-fields.tsx";
import { patientFacts, providerFacts, providersOf, requestFacts } from "./review-groups.tsx";
import { diagnosisList, serviceLines } from "./review-lines.tsx";
import { editedText } from "#lib/messages/reviewer/editable";
import { missingText, missingTitle, pointerText } from "#lib/messages/reviewer/fields";

/** The pane of the request, which scrolls by itself where there is room for three. */
export function RequestSection({ view, address }: { readonly view: CaseView; readonly address: CaseAddress }) {
  const isEditing = isEdited(view, address);
  const back = caseAddress(view.taskId, { ...address, edit: false });
  return (
    <section
      id="edit"
      aria-labelledby="request-title"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a pane that scrolls is reached by keyboard
      tabIndex={0}
      className="-outline-offset-2 lg:col-start-1 xl:min-h-0 xl:overflow-y-auto xl:border-e xl:border-line"
    >
      <div className="flex min-h-10 items-center border-b border-line bg-sunken px-4 xl:sticky xl:top-0 xl:z-10 print:bg-transparent print:px-0">
        <h2 id="request-title" className="font-semibold">
          {isEditing ? "Edit request" : "Request"}
        </h2>
        {canEdit(view) && !isEditing && (
          <Link
            href={`${caseAddress(view.taskId, { ...address, edit: true })}#edit`}
            prefetch={false}
            data-edit=""
            className="ms-auto inline-flex min-h-8 items-center gap-1.5 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 print:hidden"
          >
            Edit<span className="sr-only"> request</span>
            <KeyHint chord="e" />
          </Link>
        )}
      </div>
      <EditedNote view={view} />
      {isEditing ? (
        <div className="px-4 py-3">
          <EditForm groups={editGroupsOf(view)} warning={editWarning(view)} back={back} />
        </div>
      ) : (
        <RequestPane view={view} />
      )}
    </section>
  );
}

/** That what is shown is not as the agent sent it, and who changed it. */
function EditedNote({ view: { edited, revision } }: { readonly view: CaseView }) {
  if (!edited) return null;
  const who = new Intl.ListFormat("en").format(edited.by);
  return (
    <p className="border-b border-line bg-news-wash px-4 py-2 text-sm">
      Revision {revision.number}, edited by <PlainText>{who}</PlainText> <Time at={edited.at} as="on" />:{" "}
      {edited.paths.map(editedText).join("; ")}. The agent is told.
    </p>
  );
}

/** What is asked for, decoded, each value that changed marked where it stands. */
function RequestPane({ view }: { readonly view: CaseView }) {
  const { review, changes, unknownMembers, missing } = view;
  const marks = new ChangeMarks(changes?.list);
  // Each part takes the changes it shows, so that the last one has what is left of them.
  const patient = patientFacts(view, marks);
  const lines = serviceLines(view, marks);
  const diagnoses = review.diagnoses?.length ? diagnosisList(review.diagnoses, marks) : undefined;
  const request = requestFacts(review, marks);
  const providers = providersOf(review).map(({ role, of, at }) => (
    <Facts key={at} slim list={providerFacts(role, of, { at, marks })} />
  ));
  const linked = linkedFacts(view);
  const rest = marks.rest();
  return (
    <div className="lg:max-xl:columns-2 lg:max-xl:gap-0 print:columns-2 print:gap-x-8">
      {missing.length > 0 && (
        <Group title={missingTitle(missing, review)} anchor="missing">
          <p className="mb-1 text-sm text-ink-soft">Required by this payer connection.</p>
          <ul className="grid gap-1 wrap-anywhere">
            {missing.map((path) => (
              <li key={path} title={path}>
                <PlainText>{missingText(path, review)}</PlainText>
              </li>
            ))}
          </ul>
        </Group>
      )}
      {review.appeal && (
        <Group title={appealText[review.appeal.type]} isRegion>
          <QuotedText>{review.appeal.reason}</QuotedText>
        </Group>
      )}
      <Group title="Service">{lines}</Group>
      {linked.length > 0 && (
        <Group title="Linked cases">
          <Facts slim list={linked} />
        </Group>
      )}
      {diagnoses && <Group title="Diagnoses">{diagnoses}</Group>}
      <Group title="Request details">
        <Facts slim list={request} />
      </Group>
      <Group title="Patient and coverage">
        <Facts slim list={patient} />
      </Group>
      {providers.length > 0 && (
        <Group title="Providers">
          <div className="grid gap-4">{providers}</div>
        </Group>
      )}
      <AlsoChanged list={rest} />
      {unknownMembers.length > 0 && (
        <Group title="Unrecognized fields">
          <p className="mb-1 text-sm text-ink-soft">Sent by the agent. They won't be included in the submission.</p>
          <Paths list={unknownMembers} />
        </Group>
      )}
    </div>
  );
}

/** Changes of what the page shows nowhere else. */
function AlsoChanged({ list }: { readonly list: ReturnType<ChangeMarks["rest"]> }) {
  if (list.length === 0) return null;
  return (
    <Group title="Also changed">
      <Facts
        slim
        list={list.map(({ path, before, after }) => ({
          name: pointerText(path),
          value: (
            <Changed before={before === undefined ? undefined : <PlainText>{valueOf(before) ?? ""}</PlainText>}>
              {after === undefined ? "removed" : <PlainText>{valueOf(after) ?? ""}</PlainText>}
            </Changed>
          ),
        }))}
      />
    </Group>
  );
}

type GroupProps = {
  readonly title: string;
  readonly anchor?: string;
  /** People look for it by itself. */
  readonly isRegion?: boolean;
  readonly children: ReactNode;
};

/** A part of the request under a small heading; a rule sets it apart from the next. */
function Group({ title, anchor, isRegion = false, children }: GroupProps) {
  return (
    <section
      id={anchor}
      aria-label={isRegion ? title : undefined}
      className="break-inside-avoid border-t border-line px-4 py-4 first:border-t-0 print:px-0 print:py-2"
    >
      <h3 className="mb-2 text-xs font-semibold text-ink-faint">{title}</h3>
      {children}
    </section>
  );
}

/** Places in the service review. */
function Paths({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className="grid gap-1 font-mono text-sm wrap-anywhere">
      {list.map((path) => (
        <li key={path}>
          <PlainText>{path}</PlainText>
        </li>
      ))}
    </ul>
  );
}
