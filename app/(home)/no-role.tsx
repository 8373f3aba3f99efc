import { AdminsToAsk } from "#components/shell/admins-to-ask";
import { Empty } from "#components/list/empty";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { adminsToAsk } from "#lib/queue/queue-choices";

/** For somebody who may do nothing yet: whom to ask. */
export async function NoRole({ ctx }: { readonly ctx: Context<PersonActor> }) {
  const admins = await adminsToAsk(ctx);
  return (
    <Empty title="You have no role yet">
      <p>An admin gives you a role in a practice. Its requests then appear here.</p>
      <AdminsToAsk admins={admins} />
    </Empty>
  );
}
