import type { Context } from "#lib/access/context";
import { isAdmin, type PersonActor } from "#lib/access/model/actor";
import { listChanges } from "#lib/change-request/list-changes";
import { keyWarnings } from "#lib/channel/key-warnings";
import { listChannels } from "#lib/channel/list-channels";
import { now } from "#lib/platform/now";
import { connectionsNeedingAttention } from "#lib/practice/connection-attention";
import { listPractices } from "#lib/practice/list-practices";
import { FigureList } from "./figure-list.tsx";
import { lateEmergencies } from "./late-emergencies.ts";

/** What an administrator should look at; nothing for everybody else. */
export async function ForAdmins({ ctx }: { readonly ctx: Context<PersonActor> }) {
  if (!isAdmin(ctx.actor)) return null;
  const [channels, practices] = [await listChannels(ctx), await listPractices(ctx)];
  const [changes, connections] = [await listChanges(ctx, { waiting: true }), await connectionsNeedingAttention(ctx)];
  if (!channels.ok || !practices.ok || !changes.ok || !connections.ok) return null;
  const warned = channels.value.filter(
    (channel) => keyWarnings(channel, { practices: practices.value.length, now: now() }).length > 0,
  );
  const [first, ...more] = connections.value;
  const emergencies = await lateEmergencies(ctx);
  return (
    <FigureList
      title="For admins"
      list={[
        {
          count: changes.value.list.filter(({ isOwn }) => !isOwn).length,
          name: "Changes await a second admin",
          tone: "warn",
          href: "/changes",
        },
        {
          count: connections.value.reduce((sum, { count }) => sum + count, 0),
          name: "Payer connections need attention",
          note: "The last test failed, or requests for information are missed",
          tone: "warn",
          href:
            first && more.length === 0
              ? `/practices/${encodeURIComponent(first.practiceId)}/connections`
              : "/practices",
        },
        {
          count: emergencies,
          name: "Emergency access",
          note: "Cases that admins opened in the last 7 days",
          tone: "warn",
          href: "/emergency",
        },
        { count: warned.length, name: "Channels need attention", tone: "warn", href: "/channels" },
      ]}
    />
  );
}
