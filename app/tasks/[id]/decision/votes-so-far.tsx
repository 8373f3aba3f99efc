import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { Voting } from "#lib/task/views";

/** Why this reviewer may not release now, in a sentence; undefined where they may. */
export function whyShut({ ownsChannel, editedIt, ownerless, given, needed }: Voting): string | undefined {
  if (ownerless) return "The channel that sent this has no owner. Ask an admin to set one.";
  if (ownsChannel) return "You own the channel that sent this. Another reviewer must release it.";
  if (editedIt) return `You edited this request. It takes ${needed} other reviewers to release it.`;
  const more = needed - given.filter(({ counts }) => counts).length;
  if (!given.some(({ mine }) => mine) || more <= 0) return undefined;
  return `You released it. Awaiting ${more === 1 ? "one more reviewer" : `${more} more reviewers`}.`;
}

/** How many of those needed have released, who and when; nothing where one is enough. */
export function VotesSoFar({ voting }: { readonly voting: Voting }) {
  const { needed, given, releasers, oneHand } = voting;
  if (needed === 1 && given.length === 0) return null;
  const counted = given.filter(({ counts }) => counts).length;
  return (
    <div className="grid gap-1 text-sm">
      <p>
        <strong>
          {counted} of {needed} released
        </strong>
        {counted === 0 && `; it takes ${needed} different reviewers`}
      </p>
      {given.length > 0 && (
        <ul className="grid gap-0.5 text-ink-soft">
          {given.map(({ name, at, counts, mine }) => (
            <li key={`${name} ${at.toISOString()}`}>
              <PlainText>{mine ? "You" : name}</PlainText> <Time at={at} as="on" />
              {!counts && ", no longer counted"}
            </li>
          ))}
        </ul>
      )}
      {needed > 1 && oneHand && (
        <p className="text-warn">
          <PlainText>{oneHand.name}</PlainText> let in {oneHand.people} of those whose releases count here, you among
          them where you release. Make sure that they are different people.
        </p>
      )}
      {releasers < needed && (
        <p className="text-bad">
          {releasers === 1 ? "Only one reviewer" : `Only ${releasers} reviewers`} could release this. An admin has to
          add one, or ask for fewer.
        </p>
      )}
    </div>
  );
}
