import type { ReactNode } from "react";
import { Notice } from "#components/shell/notice";
import { Time } from "#components/text/time";
import type { ChainState, AuditPage } from "#lib/audit/browse-audit-log";
import { chainProblemText } from "#lib/messages/admin/audit";

/** How far the chains were found whole, and how far a signed head reaches. */
export function ChainStates({ page }: { readonly page: AuditPage }) {
  const { practice, states, keptDays } = page;
  const broken = states.filter((state) => state.broken !== undefined);
  const own = practice ? states.find(({ chain }) => chain === practice.id) : undefined;
  return (
    <div className="mb-5 grid gap-3">
      {broken.map(({ chain, broken: bad }) => (
        <Notice key={chain} tone="bad" role="alert" title="The audit log was tampered with">
          <p>
            In the chain <code className="font-mono text-sm">{chain}</code>, entry {bad?.seq}{" "}
            {bad && chainProblemText(bad.problem)}. Keep the database as it is and compare it with a backup.
          </p>
        </Notice>
      ))}
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {own ? <OfOne state={own} /> : <OfAll states={states} />}
        <Fact name="Contents are kept">{keptDays === undefined ? "forever" : `${keptDays} days`}</Fact>
      </dl>
    </div>
  );
}

function OfOne({ state: { verified, exported, purgedThrough } }: { readonly state: ChainState }) {
  return (
    <>
      <Fact name="Verified">
        {verified.at === null ? (
          "not yet"
        ) : (
          <>
            to entry {verified.seq}, <Time at={verified.at} />
          </>
        )}
      </Fact>
      <Fact name="Head">
        <code className="font-mono text-sm" title={verified.hash}>
          {verified.hash.slice(0, 12) || "none"}
        </code>
      </Fact>
      <Fact name="Signed head exported">
        {exported === undefined ? (
          "none"
        ) : (
          <>
            at entry {exported.seq}, <Time at={exported.at} />
          </>
        )}
      </Fact>
      {purgedThrough > 0 && <Fact name="Emptied">to entry {purgedThrough}</Fact>}
    </>
  );
}

function OfAll({ states }: { readonly states: readonly ChainState[] }) {
  const at = states.flatMap(({ exported }) => (exported ? [exported.at.getTime()] : []));
  return (
    <>
      <Fact name="Verified">
        {states.filter(({ verified }) => verified.at !== null).length} of {states.length} chains
      </Fact>
      <Fact name="Signed heads exported">{at.length === 0 ? "none" : <Time at={new Date(Math.max(...at))} />}</Fact>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-faint">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
