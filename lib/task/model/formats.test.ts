import { expect, test } from "vitest";
import { isIcd10Cm } from "./formats.ts";

test.each(["M54.16", "M5416", "C4A.0", "U07.1", "Q85", "QA0.0101", "QA00101", "T81.535A"])(
  "%s has the form of a diagnosis",
  (code) => expect(isIcd10Cm(code)).toBe(true),
);

test.each(["broken", "ABC", "54.16", "m54.16", "M5", "M54.", "M54.12345", "M54.16 "])(
  "%s does not have the form of a diagnosis",
  (code) => expect(isIcd10Cm(code)).toBe(false),
);
