import { linkHours } from "#lib/person/model/link-hours";

export type HelpText = {
  readonly title: string;
  /** What the page is for. */
  readonly about: string;
  /** What one does there, in the order in which one does it. */
  readonly steps: readonly string[];
  readonly terms: readonly { readonly word: string; readonly means: string }[];
};

const target = {
  word: "Target",
  means: "The practice's own goal for handling a request. An admin sets it under Rules.",
};
const payerDue = {
  word: "Payer decision due",
  means: "The payer's legal deadline. It follows from the line of business of the payer connection.",
};
const pended = {
  word: "Pended",
  means: "The payer requested more information. The agent answers, and a reviewer releases the answer.",
};
const release = {
  word: "Release",
  means: "Lets exactly what is shown be submitted to the payer. Until the undo window ends, Undo takes it back.",
};
const channel = {
  word: "Channel",
  means: "An agent's access: its API keys, the practices it reaches and its permissions. No channel can release.",
};
const connection = {
  word: "Payer connection",
  means: "How a payer is reached: electronically, or by manual submission through its portal, by fax or by phone.",
};

/** The help of every page, one entry for each kind of page. */
export const helpTexts = {
  home: {
    title: "Home",
    about: "What is at risk today in your practices, and what an admin should look at.",
    steps: ["Start at the top: what is late comes first.", "Select a number to open the list it counts."],
    terms: [target, payerDue, pended],
  },
  queue: {
    title: "Queue",
    about: "The requests of the practices you review for, the most urgent first.",
    steps: [
      "Open a request to read it and decide. On a wide screen a click shows it beside the list first.",
      "Choose a view, chips or filters to narrow the list. Save it under a name to have it beside the views.",
      "Snooze a request that can't be worked on now. It waits under Snoozed until then, or until something changes.",
      "Search for whole words of the patient's name, the birth date, the member ID, or a number of the request.",
      "Select several requests to release, decline, assign or snooze them together.",
    ],
    terms: [
      { word: "Awaiting release", means: "Not submitted. A reviewer releases, declines or requests information." },
      {
        word: "Action required",
        means: "The service can't go on by itself, for example because a submission's status is unknown.",
      },
      {
        word: "Adverse determination",
        means:
          "Denied, partially approved or approved with changes. The list has those that are neither contested nor accepted; those without a deadline come first.",
      },
      target,
      payerDue,
    ],
  },
  case: {
    title: "Case",
    about: "One request: who it is for, what is requested and why. What you release is submitted exactly as shown.",
    steps: [
      "Read the request and its documents.",
      "Look at the checks. One that blocks says how to fix it; a warning takes an override reason.",
      "Release, request information from the agent, or decline.",
    ],
    terms: [
      release,
      {
        word: "Request information",
        means: "Returns the request to the agent with what is missing. Nothing is submitted.",
      },
      { word: "Decline", means: "Closes the request without submitting it. The agent reads your reason." },
      { word: "Void", means: "Cancels at the payer what was submitted earlier." },
      pended,
      {
        word: "Peer-to-peer review",
        means:
          "A call between your clinician and the payer's about an adverse determination. Record each step, then the payer's new decision.",
      },
      {
        word: "Reconsideration, appeal",
        means:
          "Contests an adverse determination with reasons and documents. The agent sends it, and you release it for manual submission.",
      },
      {
        word: "Digest",
        means: "A fingerprint of the exact bytes. If the digest of what was submitted is the same, it is what you saw.",
      },
    ],
  },
  reports: {
    title: "Reports",
    about: "How the work went, one question a page, each figure beside that of the period before.",
    steps: ["Choose a range and a practice.", "Download the table as CSV, or print the page."],
    terms: [
      { word: "Median", means: "Half of the requests took less, half more. It is accurate to a few percent." },
      { word: "Overturned", means: "Denied at first and approved at least in part later." },
      { word: "Payer measures", means: "What CMS asks payers to publish each year, from your own requests." },
    ],
  },
  channels: {
    title: "Channels",
    about: "The agents' access to this service.",
    steps: [
      "Create a channel for each agent.",
      "Open a channel that needs attention: each warning has the act that fixes it.",
    ],
    terms: [channel],
  },
  channel: {
    title: "Channel",
    about: "Whether one agent works, what it may do, and the keys it calls with.",
    steps: [
      "Overview says what needs attention.",
      "Access has practices, permissions, the rate limit and the IP allowlist. You review a change before it is saved.",
      "Activity shows calls, and the true reason of each denied one, which the agent isn't told.",
    ],
    terms: [
      channel,
      {
        word: "Grace period",
        means: "How long the current key still works after you rotate it, so that the agent can switch.",
      },
    ],
  },
  practices: {
    title: "Practices",
    about: "The practices you administer.",
    steps: ["Create a practice, or import several from a file.", "Open one to set up its payers and rules."],
    terms: [connection],
  },
  practice: {
    title: "Practice",
    about: "How one practice works: its payers, its rules, its providers and who works there.",
    steps: [
      "Overview says what needs attention and what is still to be set up.",
      "Add a payer connection for each payer you submit to electronically. Test it before you activate it.",
      "Rules decide how many people release, and by when a request should be handled.",
    ],
    terms: [connection, target, { word: "Override reason", means: "Why a reviewer releases although a check warns." }],
  },
  people: {
    title: "People",
    about: "Who can sign in, and with which roles.",
    steps: [
      `Invite a person by email. The link works once, within ${linkHours} hours.`,
      "Open a person to change roles, end sessions, or see their history.",
    ],
    terms: [
      { word: "Reviewer", means: "Decides on the requests of a practice." },
      { word: "Admin", means: "Sets up practices, channels and people. You can't give yourself a role." },
      { word: "Auditor", means: "Reads the audit log." },
    ],
  },
  audit: {
    title: "Audit log",
    about:
      "Everything that was done, by whom and when. A changed or missing entry is noticed. Signed heads kept elsewhere show whether the newest entries were cut off.",
    steps: [
      "Narrow the list by practice, person, case or act.",
      "Export what you see. The export can be verified without this service.",
    ],
    terms: [
      {
        word: "Verified",
        means: "Each entry contains a fingerprint of the one before, so a gap or change is detected.",
      },
    ],
  },
  changes: {
    title: "Requested changes",
    about: "Changes that widen access and wait for a second admin, where a practice asks for one.",
    steps: ["Read what the change does.", "Confirm it or reject it. Whoever requested it can only withdraw it."],
    terms: [],
  },
  import: {
    title: "Import",
    about: "Practices and payer connections from a CSV file.",
    steps: [
      "Choose or paste the file.",
      "Read the preview: what is new, what changes, what is wrong.",
      "Import exactly that.",
    ],
    terms: [connection],
  },
  notifications: {
    title: "Payer notifications",
    about: "Notifications from payers that match no request. They may answer one of yours.",
    steps: [
      "Open a notification and compare it with your requests.",
      "Mark it as handled once you know where it belongs.",
    ],
    terms: [],
  },
  emergency: {
    title: "Emergency access",
    about: "Cases that an admin opened without reviewing for the practice, and why.",
    steps: [
      "An admin of a practice that allows it opens a case with its ID and a reason. It can be read for one hour.",
      "Its reviewers and admins are notified on their home page and by email, and the audit log gets an entry.",
    ],
    terms: [],
  },
  account: {
    title: "Your account",
    about: "How you sign in, what you are notified about, and where you are signed in.",
    steps: [],
    terms: [
      {
        word: "Second factor",
        means: "A passkey or a code of an app, beside your password. A practice can require one.",
      },
    ],
  },
} as const satisfies Record<string, HelpText>;

export type HelpTopic = keyof typeof helpTexts;

const topics: Readonly<Record<string, readonly [list: HelpTopic, one?: HelpTopic]>> = {
  "": ["home"],
  queue: ["queue"],
  tasks: ["queue", "case"],
  reports: ["reports", "reports"],
  channels: ["channels", "channel"],
  practices: ["practices", "practice"],
  people: ["people", "people"],
  audit: ["audit"],
  changes: ["changes"],
  import: ["import"],
  notifications: ["notifications"],
  account: ["account", "account"],
  emergency: ["emergency", "emergency"],
  help: ["home"],
};

/** The help of the page at this path; undefined for a path that no page of a signed-in person has. */
export function helpTopicOf(pathname: string): HelpTopic | undefined {
  const [, first = "", second] = pathname.split("/");
  const [list, one] = topics[first] ?? [];
  return second === undefined || second === "new" ? list : (one ?? list);
}
