import type { DemoCase } from "./demo-case.ts";

type Sleep = Omit<DemoCase, "practice">;

/** The cases of the third practice, which neither the demo channel nor the reviewer can see. */
const cases: readonly Sleep[] = [
  {
    payer: "harborlight",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 11,
    patient: ["Dubois", "Henri", "1970-06-24", "M"],
    memberId: "HL60104452",
    ask: "sleepStudy",
    by: "achterberg",
    reason: "Witnessed apneas, Epworth 16, body mass index 41. A home study failed twice for poor signal.",
  },
  {
    payer: "harborlight",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 36,
    patient: ["Kaplan", "Deborah", "1964-04-12", "F"],
    memberId: "HL60118830",
    ask: "cpap",
    by: "achterberg",
    reason: "Apnea index 34 on the study of last week; titrated to 11 with good response.",
  },
  {
    payer: "harborlight",
    path: "is undecided",
    ends: "needs-information",
    hoursAgo: 22,
    patient: ["Novak", "Stanislav", "1950-10-19", "M"],
    memberId: "HL60122917",
    ask: "oxygen",
    by: "achterberg",
    reason: "Saturation 86 percent at rest on room air.",
    note: "The six-minute walk is missing, and so is the place of service.",
    changed: ({ placeOfServiceCode: _, ...review }) => review,
  },
  {
    payer: "bluegate",
    path: "is withdrawn",
    ends: "withdrawn",
    hoursAgo: 64,
    patient: ["Takahashi", "Yuki", "1992-02-27", "F"],
    memberId: "BG3301725",
    ask: "homeSleepStudy",
    by: "achterberg",
    reason: "Snoring and morning headaches.",
  },
];

export const sleepCases: readonly DemoCase[] = cases.map((each) => ({
  ...each,
  practice: "sleep",
  agent: "overnight",
}));
