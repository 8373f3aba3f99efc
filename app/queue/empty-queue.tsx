import { ButtonLink } from "#components/form/button";
import { Empty } from "#components/list/empty";
import type { PersonActor } from "#lib/access/model/actor";
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
        <p>What is searched for is kept for fifteen minutes, for you alone. Type it again.</p>
      </Empty>
    );
  }
  if (text !== undefined || search !== undefined) {
    return (
      <Empty title="No case was found">
        <p>
          A case is found by the eight digits it is called by, by the payer’s whole reference, or by the whole member
          id, in the practices you review for.
        </p>
        <p className="mt-4">
          <ButtonLink href="/queue">See all open cases</ButtonLink>
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
          <ButtonLink href="/queue">See all open cases</ButtonLink>
        </p>
      )}
    </Empty>
  );
}

/** For somebody who reviews for no practice: whom to ask for one. */
export async function NoPractice({ person }: { readonly person: PersonActor }) {
  const admins = await adminsToAsk(contextOf(person));
  return (
    <Empty title="You review for no practice">
      <p>An administrator can make you a reviewer of a practice. Its cases then wait for you here.</p>
      {admins.length > 0 && (
        <ul aria-label="Whom to ask" className="mt-3">
          {admins.map(({ name, email }) => (
            <li key={email}>
              Ask {name}, <a href={`mailto:${email}`}>{email}</a>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}
