import { atoms, type Atom } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import { environments, type Environment } from "#lib/task/model/environment";
import type { Store } from "#lib/db/db";

export type OwnedChannel = {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  /** What it may do where: the practices that are active now. */
  readonly rights: { readonly practices: readonly string[]; readonly atoms: readonly Atom[] };
};

/** The channels that this person owns, by name. */
export async function listOwnedChannels(store: Store, ownerId: string): Promise<readonly OwnedChannel[]> {
  return read(store, { ownerId });
}

/** One channel as those who build its agent see it. */
export async function loadOwnChannel(store: Store, id: string): Promise<OwnedChannel | undefined> {
  const [channel] = await read(store, { id });
  return channel;
}

async function read(
  { prisma }: Store,
  where: { readonly id: string } | { readonly ownerId: string },
): Promise<readonly OwnedChannel[]> {
  const rows = await prisma.channel.findMany({
    where,
    orderBy: { name: "asc" },
    select: {
      id: true,
      name: true,
      environment: true,
      atoms: true,
      channelPractices: {
        where: { practice: { status: "active" } },
        select: { practiceId: true },
        orderBy: { practiceId: "asc" },
      },
    },
  });
  return rows.map(({ id, name, environment, atoms: held, channelPractices }) => ({
    id,
    name,
    environment: knownWord(environments, environment, "channel.environment"),
    rights: {
      practices: channelPractices.map(({ practiceId }) => practiceId),
      atoms: held.map((atom) => knownWord(atoms, atom, "channel.atoms")),
    },
  }));
}
