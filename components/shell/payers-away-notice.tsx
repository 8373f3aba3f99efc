import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { AwayPayer } from "#lib/submission/payers-away";
import { Notice } from "./notice.tsx";

/** Which payers do not answer, and what waits for them; nothing where all do. */
export function PayersAwayNotice({ payers: away }: { readonly payers: readonly AwayPayer[] }) {
  return away.map(({ payers, since, waiting }) => (
    <Notice key={payers.join()} tone="warn" className="mb-4">
      <PlainText>{new Intl.ListFormat("en-US").format(payers)}</PlainText> {payers.length === 1 ? "hasn't" : "haven't"}{" "}
      answered since <Time at={since} />. {waitingText(waiting)}
    </Notice>
  ));
}

function waitingText(waiting: number): string {
  if (waiting === 0) return "Whatever you release waits until then and is submitted at once after that.";
  const what = waiting === 1 ? "1 released request waits and is" : `${waiting} released requests wait and are`;
  return `${what} submitted as soon as the payer answers. You can go on releasing.`;
}
