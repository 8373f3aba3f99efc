/** The ids of invented payers, which the demo and the sandbox list; no insurer has one of them. */
export const demoPayerIds = {
  harborlight: "HLHP1",
  tamarack: "TVM20",
  bluegate: "BGCP7",
  marigold: "MGHN4",
  northlight: "NLIR2",
  sturgeon: "SLTF3",
} as const;

const ids: ReadonlySet<string> = new Set(Object.values(demoPayerIds));

/** Whether a payer is invented, which is said wherever it is listed among payers. */
export function isDemoPayer(payerId: string): boolean {
  return ids.has(payerId);
}
