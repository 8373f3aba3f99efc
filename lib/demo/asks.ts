import type { Diagnosis, Procedure, ServiceReview } from "#lib/task/model/service-review";
import type { FacilityKey } from "./places.ts";

/** The requested services of a demo case, without patient and reason. CPT codes have no description, because theirs is licensed. */
export type Ask = Pick<ServiceReview, "requestTypeCode" | "serviceTypeCode" | "placeOfServiceCode"> & {
  readonly procedures: readonly Procedure[];
  readonly diagnoses: readonly Diagnosis[];
  readonly at?: FacilityKey | undefined;
  /** The length of the service in days. */
  readonly days: number;
};

const one = (code: string, ...modifiers: readonly string[]): Procedure => of(code, 1, "UN", ...modifiers);

function of(code: string, quantity: number, quantityTypeCode: string, modifierCode1?: string): Procedure {
  return { code, quantity, quantityTypeCode, ...(modifierCode1 === undefined ? {} : { modifierCode1 }) };
}

const because = (...list: readonly (readonly [code: string, description: string])[]): readonly Diagnosis[] =>
  list.map(([code, description], index) => ({ code, qualifierCode: index === 0 ? "ABK" : "ABF", description }));

const imaging = {
  requestTypeCode: "HS",
  serviceTypeCode: "62",
  placeOfServiceCode: "22",
  at: "imaging",
  days: 60,
} as const;
const outpatientSurgery = {
  requestTypeCode: "HS",
  serviceTypeCode: "2",
  placeOfServiceCode: "24",
  at: "surgery",
  days: 90,
} as const;
const admission = {
  requestTypeCode: "AR",
  serviceTypeCode: "2",
  placeOfServiceCode: "21",
  at: "hospital",
  days: 30,
} as const;
const testing = { requestTypeCode: "HS", serviceTypeCode: "73", placeOfServiceCode: "11", days: 60 } as const;
const rental = {
  requestTypeCode: "HS",
  serviceTypeCode: "18",
  placeOfServiceCode: "12",
  at: "equipment",
  days: 180,
} as const;
const therapy = {
  requestTypeCode: "HS",
  serviceTypeCode: "PT",
  placeOfServiceCode: "11",
  at: "therapy",
  days: 60,
} as const;

export const asks = {
  lumbarMri: {
    ...imaging,
    procedures: [{ ...one("72148"), description: "MRI of the lower back" }],
    diagnoses: because(["M54.16", "Lumbar radiculopathy"], ["M51.26", "Lumbar disc displacement"]),
  },
  cervicalMri: {
    ...imaging,
    procedures: [{ ...one("72141"), description: "MRI of the neck" }],
    diagnoses: because(["M47.12", "Cervical spondylosis with myelopathy"], ["R26.89", "Unsteady gait"]),
  },
  kneeMri: {
    ...imaging,
    procedures: [{ ...one("73721", "RT"), description: "MRI of the right knee" }],
    diagnoses: because(["M25.561", "Right knee pain"], ["M23.91", "Internal derangement, right knee"]),
  },
  shoulderMri: {
    ...imaging,
    procedures: [{ ...one("73221", "LT"), description: "MRI of the left shoulder" }],
    diagnoses: because(["M75.112", "Incomplete rotator cuff tear, left"], ["M25.512", "Left shoulder pain"]),
  },
  epidural: {
    ...outpatientSurgery,
    procedures: [{ ...one("64483", "LT"), description: "Steroid injection, lower back, left" }, one("64484", "LT")],
    diagnoses: because(["M54.16", "Lumbar radiculopathy"], ["M48.061", "Lumbar stenosis without claudication"]),
  },
  stimulatorTrial: {
    ...outpatientSurgery,
    procedures: [{ ...of("63650", 2, "UN"), description: "Spinal cord stimulator trial, two leads" }],
    diagnoses: because(["M96.1", "Postlaminectomy syndrome"], ["G89.4", "Chronic pain syndrome"]),
  },
  fusion: {
    ...admission,
    procedures: [
      { ...one("22612"), description: "Lumbar fusion, one level" },
      one("22840"),
      one("63047"),
      of("20930", 1, "UN"),
    ],
    diagnoses: because(["M43.16", "Lumbar spondylolisthesis"], ["M48.062", "Lumbar stenosis with claudication"]),
  },
  kneeReplacement: {
    ...admission,
    procedures: [{ ...one("27447", "RT"), description: "Right knee replacement" }],
    diagnoses: because(["M17.11", "Primary arthritis, right knee"], ["E66.9", "Obesity"]),
  },
  arthroscopy: {
    ...outpatientSurgery,
    procedures: [{ ...one("29881", "RT"), description: "Right knee arthroscopy, meniscus" }],
    diagnoses: because(["S83.241A", "Medial meniscus tear, right, first encounter"]),
  },
  cuffRepair: {
    ...outpatientSurgery,
    procedures: [{ ...one("29827", "LT"), description: "Left rotator cuff repair" }],
    diagnoses: because(["M75.122", "Complete rotator cuff tear, left"]),
  },
  physicalTherapy: {
    ...therapy,
    procedures: [
      { ...of("97110", 24, "VS", "GP"), description: "Exercise therapy" },
      { ...of("97140", 12, "VS", "GP"), description: "Manual therapy" },
    ],
    diagnoses: because(["M54.50", "Low back pain"], ["Z98.1", "Arthrodesis status"]),
  },
  workHardening: {
    ...therapy,
    procedures: [of("LSO-WH-12", 12, "VS")],
    diagnoses: because(["S39.012D", "Low back strain, later encounter"]),
  },
  scoliosisBrace: {
    requestTypeCode: "HS",
    serviceTypeCode: "12",
    placeOfServiceCode: "11",
    at: "equipment",
    days: 90,
    procedures: [{ ...one("L1200"), description: "Scoliosis brace, chest to pelvis, first fitting" }],
    diagnoses: because(["M41.124", "Adolescent scoliosis, thoracic"]),
  },
  stressTest: {
    ...testing,
    procedures: [{ ...one("78452"), description: "Heart perfusion scan, two phases" }, one("93015")],
    diagnoses: because(["I25.10", "Coronary artery disease"], ["R07.89", "Chest pain, other"]),
  },
  echo: {
    ...testing,
    procedures: [{ ...one("93306"), description: "Heart ultrasound with Doppler" }],
    diagnoses: because(["R01.1", "Cardiac murmur"], ["R06.09", "Dyspnea"]),
  },
  ablation: {
    ...admission,
    procedures: [{ ...one("93656"), description: "Catheter ablation, atrial fibrillation" }, one("93657")],
    diagnoses: because(["I48.19", "Persistent atrial fibrillation"], ["I50.22", "Chronic systolic heart failure"]),
  },
  cardiacRehab: {
    requestTypeCode: "HS",
    serviceTypeCode: "BG",
    placeOfServiceCode: "19",
    at: "hospital",
    days: 120,
    procedures: [{ ...of("93798", 36, "VS"), description: "Monitored cardiac rehabilitation" }],
    diagnoses: because(["I21.4", "Heart attack without ST elevation"], ["Z95.5", "Coronary stent"]),
  },
  defibrillator: {
    ...admission,
    procedures: [{ ...one("33249"), description: "Defibrillator implant" }],
    diagnoses: because(["I42.0", "Dilated cardiomyopathy"], ["I47.20", "Ventricular tachycardia"]),
  },
  coronaryCt: {
    ...testing,
    serviceTypeCode: "62",
    placeOfServiceCode: "22",
    procedures: [{ ...one("75574"), description: "CT of the coronary arteries" }],
    diagnoses: because(["R07.9", "Chest pain"]),
  },
  heartMonitor: {
    ...testing,
    procedures: [{ ...one("93228"), description: "Wearable heart monitor, 30 days" }, one("93229")],
    diagnoses: because(["R55", "Syncope"], ["R00.2", "Palpitations"]),
  },
  catheterization: {
    requestTypeCode: "HS",
    serviceTypeCode: "2",
    placeOfServiceCode: "22",
    at: "hospital",
    days: 30,
    procedures: [{ ...one("93458"), description: "Left heart catheterization" }],
    diagnoses: because(["I25.119", "Coronary disease with angina"], ["R94.39", "Abnormal stress test"]),
  },
  wearableDefibrillator: {
    ...rental,
    procedures: [{ ...of("K0606", 3, "MO", "RR"), description: "Wearable defibrillator, rented" }],
    diagnoses: because(["I42.0", "Dilated cardiomyopathy"]),
  },
  sleepStudy: {
    requestTypeCode: "HS",
    serviceTypeCode: "73",
    placeOfServiceCode: "22",
    at: "sleepLab",
    days: 60,
    procedures: [{ ...one("95810"), description: "Sleep study in the lab" }],
    diagnoses: because(["G47.10", "Hypersomnia"], ["R06.83", "Snoring"]),
  },
  homeSleepStudy: {
    ...testing,
    placeOfServiceCode: "12",
    procedures: [{ ...one("G0399"), description: "Home sleep study, portable monitor" }],
    diagnoses: because(["R06.83", "Snoring"], ["I10", "Hypertension"]),
  },
  cpap: {
    ...rental,
    procedures: [
      { ...of("E0601", 10, "MO", "RR"), description: "Airway pressure device, rented" },
      { ...one("E0562"), description: "Heated humidifier" },
    ],
    diagnoses: because(["G47.33", "Obstructive sleep apnea"]),
  },
  oxygen: {
    ...rental,
    procedures: [{ ...of("E1390", 12, "MO", "RR"), description: "Oxygen concentrator, rented" }],
    diagnoses: because(
      ["J44.9", "Chronic obstructive lung disease"],
      ["J96.11", "Chronic respiratory failure, low oxygen"],
    ),
  },
} as const satisfies Record<string, Ask>;

export type AskKey = keyof typeof asks;
