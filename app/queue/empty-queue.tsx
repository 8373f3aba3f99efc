import { ButtonLink } from "#components/form/button";
import { AdminsToAsk } from "#components/shell/admins-to-ask";
import { Empty } from "#components/list/empty";
import { isAdmin, type PersonActor } from "#lib/access/model/actor";
import { contextOf } from "#lib/person/session/person";
import { adminsToAsk } from "#lib/queue/queue-choices";
import { addressOf, isNarrowed, type Address } from "#lib/queue/queue-address";
import { viewTexts } from "#lib/messages/reviewer/queue";

/** Why there is no case here, and the way on. */
export function EmptyQueue({
  address,
  searchHasEnded,
}: {
  readonly address: Address;
  readonly searchHasEnded: boolean;
}) {
  const { view, sort, text, search } = address;
  if (searchHasEnded) {
    return (
      <Empty title="This search is over">
        <p>A search is kept for 15 minutes, for you only. Search again.</p>
      </Empty>
    );
  }
  if (text !== undefined || search !== undefined) {
    return (
      <Empty title="No case was found">
        <p id="queue-found-nothing">
          Type whole words: the patient's name, the birth date as MM/DD/YYYY or YYYY-MM-DD, or both; or the whole member
          ID, authorization number, payer's reference or case ID. Only the practices you review for are searched.
        </p>
        <p className="mt-4">
          <ButtonLink href={addressOf({ view: "all" })}>See all open requests</ButtonLink>
        </p>
      </Empty>
    );
  }
  if (isNarrowed(address)) {
    return (
      <Empty title="The filters hide every case">
        <p className="mt-3">
          <ButtonLink href={addressOf({ view, sort })}>Clear the filters</ButtonLink>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={viewTexts[view].empty}>
      <p>{viewTexts[view].why}</p>
      {view !== "all" && (
        <p className="mt-4">
          <ButtonLink href={addressOf({ view: "all" })}>See all open requests</ButtonLink>
        </p>
      )}
    </Empty>
  );
}

/** For somebody who reviews for no practice: how they come to, or whom to ask. */
export async function NoPractice({ person }: { readonly person: PersonActor }) {
  const admins = (await adminsToAsk(contextOf(person))).filter(({ id }) => id !== person.id);
  if (isAdmin(person)) {
    return (
      <Empty title="You don't review for any practice">
        <p>
          {admins.length > 0
            ? "You can't give yourself a role. Another admin can make you a reviewer."
            : "You can't give yourself a role, and you are the only admin. Invite a reviewer, or a second admin who can make you one."}
        </p>
        <AdminsToAsk admins={admins} />
        <p className="mt-4 flex justify-center gap-2">
          <ButtonLink href="/people/invite">Invite person</ButtonLink>
          <ButtonLink href="/" tone="primary">
            Home
          </ButtonLink>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="You don't review for any practice">
      <p>An admin makes you a reviewer of a practice. Its requests then appear here.</p>
      <AdminsToAsk admins={admins} />
    </Empty>
  );
}
