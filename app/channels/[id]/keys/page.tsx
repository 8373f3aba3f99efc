import { ChannelFrame, openChannel } from "../channel-frame.tsx";
import { ApiKeys } from "./api-keys.tsx";
import { SignedTokens } from "./signed-tokens.tsx";
import { tokenUrl } from "#lib/channel/token/token-url";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** What the agent proves itself with. */
export default async function ChannelKeysPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openChannel(id, "keys");
  return (
    <ChannelFrame opened={opened} tab="keys" done={(await searchParams).done}>
      <div className="grid max-w-5xl gap-6">
        <ApiKeys channel={opened.channel} />
        <SignedTokens channel={opened.channel} tokenUrl={tokenUrl()} />
      </div>
    </ChannelFrame>
  );
}
