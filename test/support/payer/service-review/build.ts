import type { Build, Transport } from "#lib/payer/connector";
import { noHurry } from "#test/support/payer/pas/listen";
import { aBuild, aReview } from "#test/support/payer/pas/build";

type Members = NonNullable<Parameters<typeof aBuild>[0]>;

/** Everything `build` looks at on a service-review route whose clearinghouse is at `url`. */
export function aReviewBuild({ url = "https://clearinghouse.test", ...members }: Members = {}): Build {
  const build = aBuild({ url, settings: settingsAt(url), ...members });
  return { ...build, destination: { ...build.destination, connector: "service-review" } };
}

/** An update of what `first` sent, known at the clearinghouse as `SR-1`. */
export function anUpdate(first: Build, members: Partial<Build>, calls: Build["sent"][number]["calls"]): Build {
  return {
    ...first,
    update: true,
    revision: first.revision + 1,
    payerReference: "SR-1",
    sent: [...first.sent, { action: "transmit", revision: first.revision, calls }],
    ...members,
  };
}

function settingsAt(url: string) {
  return { tokenUrl: `${url}/v1/token`, scope: "healthcare-hipaa-transactions plan-demo", clientId: "client-1" };
}

/** What the worker hands on for a test route to the clearinghouse at `url`. */
export function transportTo(url: string, members: Partial<Transport> = {}): Transport {
  return {
    credential: "s3cret",
    route: { environment: "test", settings: settingsAt(url) },
    signal: noHurry(),
    ...members,
  };
}

export { aReview };
