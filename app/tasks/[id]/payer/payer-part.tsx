import { Empty } from "#components/list/empty";
import type { DeskView } from "#lib/queue/open-case";
import type { CaseView } from "#lib/task/views";
import { caseAddress } from "../case-address.ts";
import { ArchivedPart } from "../evidence/archived-part.tsx";
import { ManualRecords } from "./manual-records.tsx";
import { Determinations } from "./determinations.tsx";
import { PayerAnswers } from "./payer-answers.tsx";
import { PayerClock } from "./payer-clock.tsx";
import { RecourseSection } from "./recourse.tsx";
import { RequestedInformation } from "./requested-information.tsx";
import { knownProviders } from "./term-texts.ts";
import { UnitsUsed } from "./units-used.tsx";

/** Everything the payer said, and everything people recorded of it. */
export function PayerPart({ view, unitsUsed }: { readonly view: CaseView } & Pick<DeskView, "unitsUsed">) {
  const { taskId, gate, determinations, informationRequest, clock, manualRecords, answers, voided, undecided } = view;
  const { records: unread } = view.unread;
  if (
    determinations.length === 0 &&
    !informationRequest &&
    !clock &&
    manualRecords.length === 0 &&
    answers.length === 0 &&
    unread === undefined
  ) {
    return (
      <div className="p-4">
        <Empty title="Nothing from the payer yet">
          <p>Its answers, its deadline and what reviewers record of it appear here after the submission.</p>
        </Empty>
      </div>
    );
  }
  return (
    <div className="p-4">
      <ArchivedPart failure={unread} href={caseAddress(taskId, { tab: "payer" })} />
      {/* Without an open gate it is in the pane beside this one, with who answers it and by when. */}
      {informationRequest && gate?.status === "open" && <RequestedInformation of={informationRequest} />}
      {determinations.length > 0 && (
        <Determinations
          {...{ taskId, undecided, list: determinations, known: knownProviders(view.review) }}
          voided={voided !== undefined}
          mayBeVoided={view.state === "void-unconfirmed"}
        />
      )}
      <UnitsUsed view={view} used={unitsUsed} />
      <RecourseSection view={view} />
      {clock && <PayerClock clock={clock} />}
      {manualRecords.length > 0 && <ManualRecords list={manualRecords} />}
      {answers.length > 0 && <PayerAnswers view={view} />}
    </div>
  );
}
