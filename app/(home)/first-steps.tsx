import { Circle, CircleCheck, CircleDot } from "lucide";
import { ButtonLink } from "#components/form/button";
import { Panel } from "#components/list/panel";
import { Icon } from "#components/shell/icon";
import { Notice } from "#components/shell/notice";
import { PlainText } from "#components/text/plain-text";
import type { Installation } from "#lib/practice/first-run";

/** Home, asked whether the first request has arrived. */
const checkPath = "/?setup=check";

/** Whether Home was asked that, by its search parameter `setup`. */
export function waitsForFirst(setup: unknown): boolean {
  return setup === "check";
}

type Step = {
  readonly name: string;
  /** What was made, once it was. */
  readonly done?: string | undefined;
  readonly why: string;
  readonly act: string;
  readonly href: string;
};

function stepsOf({ practice, payer, hasReviewer, channelId }: Installation): readonly Step[] {
  const id = practice === undefined ? "" : encodeURIComponent(practice.id);
  return [
    {
      name: "Practice",
      done: practice?.name,
      why: "Every request belongs to one practice, and so do its reviewers and payer connections.",
      act: "Create practice",
      href: "/practices/new",
    },
    {
      name: "Payer connection",
      done: payer,
      why: "How requests reach a payer: electronically, or submitted manually by a person.",
      act: "Add payer connection",
      href: `/practices/${id}/new-route`,
    },
    {
      name: "Reviewer",
      done: hasReviewer ? "Invited" : undefined,
      why: "Nothing is submitted unless a reviewer released it.",
      act: "Invite reviewer",
      href: `/people/invite?practice=${id}`,
    },
    {
      name: "Channel",
      done: channelId === undefined ? undefined : "Created",
      why: "A channel gives your agent an API key, and says which practices it reaches.",
      act: "Create channel",
      href: `/channels/new?practice=${id}`,
    },
    {
      name: "First test request",
      why: "Send the request that the new key was shown with. Don't have the key? Create another one; the command is shown with it.",
      act: "Open the channel's keys",
      href: `/channels/${channelId}/keys`,
    },
  ];
}

/** The way from an empty installation to a first request: each step is read from what is there. */
export function FirstSteps({ installation }: { readonly installation: Installation }) {
  const steps = stepsOf(installation);
  const doneCount = steps.filter(({ done }) => done !== undefined).length;
  const next = steps.findIndex(({ done }) => done === undefined);
  return (
    <Panel title="Setup" aside={`${doneCount} of ${steps.length} done`} flush>
      <ol className="divide-y divide-line">
        {steps.map((step, index) => (
          <li key={step.name} aria-current={index === next ? "step" : undefined} className="flex gap-3 px-4 py-3">
            <Icon
              of={step.done !== undefined ? CircleCheck : index === next ? CircleDot : Circle}
              className={step.done === undefined ? "mt-0.5 text-ink-faint" : "mt-0.5 text-good"}
            />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className={index === next ? "font-semibold" : "text-ink-soft"}>
                  {index + 1}. {step.name}
                </span>
                <span className="text-sm text-ink-faint">
                  {step.done === undefined ? (
                    <span className="sr-only">Not done yet</span>
                  ) : (
                    <PlainText>{step.done}</PlainText>
                  )}
                </span>
              </p>
              {index === next && (
                <>
                  <p className="mt-1 mb-3 max-w-prose text-ink-soft">{step.why}</p>
                  <div className="flex flex-wrap gap-2">
                    <ButtonLink href={step.href} tone="primary">
                      {step.act}
                    </ButtonLink>
                    {index === steps.length - 1 && <ButtonLink href={checkPath}>Check again</ButtonLink>}
                  </div>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Takes the place of the list of steps once the last one is done. */
export function FirstStepsDone({ reviews }: { readonly reviews: boolean }) {
  return (
    <Notice tone="good" role="status" title="Your first request has arrived">
      <p className="mb-3">
        Setup is complete. The request awaits release: a reviewer of the practice finds it in the queue.
      </p>
      {reviews ? (
        <ButtonLink href="/queue">Open queue</ButtonLink>
      ) : (
        <ButtonLink href="/channels">See the channel&rsquo;s calls</ButtonLink>
      )}
    </Notice>
  );
}
