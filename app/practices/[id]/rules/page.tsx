import { ssoLabel } from "#lib/person/sso/sso-settings";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";
import { ReleaseRules } from "./release-rules.tsx";
import { Security } from "./security.tsx";
import { Timing } from "./timing.tsx";
import { WarningRules } from "./warning-rules.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** What happens before a release, and how people get in. */
export default async function RulesPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "rules");
  const { practice } = opened;
  return (
    <PracticeFrame opened={opened} tab="rules" done={(await searchParams).done}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <ReleaseRules practice={practice} />
          <Timing practice={practice} />
        </div>
        <div className="grid gap-6">
          <WarningRules practice={practice} />
          <Security practice={practice} sso={ssoLabel()} />
        </div>
      </div>
    </PracticeFrame>
  );
}
