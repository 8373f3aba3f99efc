import Link from "next/link";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { timeReader } from "#components/text/time";
import { listOwnChannels, showOwnedChannel, type OwnedChannel } from "#lib/channel/own-channel";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { Portal } from "../portal.tsx";
import { KeyForm } from "./key-form.tsx";
import { OwnChannelView } from "./own-channel-view.tsx";

type Props = { readonly searchParams: Promise<{ readonly channel?: string | string[] }> };

/** A channel's calls for who has its key, and for its owner. */
export default async function CallsPage({ searchParams }: Props) {
  const { channel: named } = await searchParams;
  const person = await currentPerson();
  const owned = person ? await listOwnChannels(contextOf(person)) : [];
  const shown = person && typeof named === "string" ? await showOwnedChannel(contextOf(person), named) : undefined;
  return (
    <Portal title="Your channel" current="calls">
      <div className="max-w-4xl pb-16">
        <PageHeader
          title="Your channel"
          lead="Its calls, its denials as the caller saw them, its webhooks, and how its payers are reached."
        />
        {owned.length > 0 && <Owned list={owned} />}
        {shown ? <OwnChannelView channel={shown} reader={await timeReader()} /> : <KeyForm />}
      </div>
    </Portal>
  );
}

function Owned({ list }: { readonly list: readonly OwnedChannel[] }) {
  return (
    <ul className="mb-6 grid gap-1">
      {list.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/developers/calls?channel=${id}`} prefetch={false} className="text-news hover:underline">
            <PlainText>{name}</PlainText>
          </Link>
        </li>
      ))}
    </ul>
  );
}
