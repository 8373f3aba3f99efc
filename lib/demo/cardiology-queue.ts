import type { DemoCase } from "./demo-case.ts";

/** The held cases of the second practice, with an update and a case whose channel lost access among them. */
export const cardiologyQueue: readonly Omit<DemoCase, "practice">[] = [
  {
    payer: "harborlight",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 7,
    patient: ["Grigoryan", "Anahit", "1955-03-19", "F"],
    memberId: "HL52017734",
    ask: "stressTest",
    by: "varga",
    reason:
      "Exertional chest pressure, known nonobstructive coronary disease of 2022. Left bundle branch block, so a plain treadmill test cannot be read.",
    note: "The bundle branch block is on today's tracing; the 2022 angiogram report is in the chart.",
  },
  {
    payer: "harborlight",
    agent: "overnight",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 6,
    inDays: 12,
    patient: ["Grigoryan", "Anahit", "1955-03-19", "F"],
    memberId: "HL52017734",
    ask: "stressTest",
    by: "mistry",
    reason:
      "Chest pressure on exertion with left bundle branch block; a nuclear study was suggested at the last visit.",
    note: "From last night's referral fax. I did not find an open request of ours for her.",
  },
  {
    payer: "bluegate",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 33,
    inDays: 21,
    patient: ["Sullivan", "Patrick", "1960-07-01", "M"],
    memberId: "BG2204418-SPLIT",
    ask: "ablation",
    by: "mistry",
    reason:
      "Symptomatic persistent atrial fibrillation after two cardioversions; dofetilide stopped for QT prolongation. Ejection fraction 38 percent, thought to be rate related.",
    note: "Two lines: the second is for the additional lesion set Dr. Mistry expects. The payer may decide them apart.",
  },
  {
    payer: "tamarack",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 15,
    patient: ["Omondi", "Grace", "1963-12-05", "F"],
    memberId: "TV41120083",
    ask: "cardiacRehab",
    by: "varga",
    reason:
      "Heart attack three weeks ago with one stent. Referred to 36 supervised sessions; no contraindication to exercise.",
    note: "Tamarack's cardiac line is by fax only; the number is on the referral.",
  },
  {
    payer: "tamarack",
    path: "is undecided",
    ends: "transmit-held",
    hoursAgo: 9,
    patient: ["", "", "1970-01-01", "F"],
    memberId: "TV41",
    ask: "echo",
    by: "varga",
    reason: "",
    note: "The referral fax is cut off at the top. I have the code and the payer; the rest will follow.",
    changed: ({ payer, procedures }) => ({ payer, procedures }),
  },
  {
    payer: "tamarack",
    agent: "fax",
    path: "loses its channel",
    ends: "transmit-held",
    hoursAgo: 14,
    patient: ["Sorensen", "Astrid", "1948-08-16", "F"],
    memberId: "TV41066502",
    ask: "heartMonitor",
    by: "mistry",
    reason:
      "Two faints in a month, one with injury. Resting tracing and echocardiogram normal; a thirty-day monitor is needed.",
  },
  {
    payer: "tamarack",
    path: "wants more and is updated",
    ends: "transmit-held",
    hoursAgo: 5,
    patient: ["Choudhury", "Nasreen", "1967-05-28", "F"],
    memberId: "TV41093377",
    ask: "coronaryCt",
    by: "varga",
    reason: "Atypical chest pain, intermediate risk.",
    statement: "Please send the risk estimate and the result of the last stress test.",
    amended: (review) => ({
      ...review,
      providerNotes: [
        ...(review.providerNotes ?? []),
        {
          message:
            "Ten-year risk 14 percent. Stress test of May: not diagnostic, stopped at 68 percent of the target rate.",
        },
      ],
    }),
  },
];
