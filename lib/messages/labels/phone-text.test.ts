import { expect, test } from "vitest";
import { phoneText } from "./phone-text.ts";

test.each(["6055550142", "605-555-0142", "(605) 555-0142", "605.555.0142", "16055550142", "+1 605 555 0142"])(
  "%s reads as a US number",
  (number) => expect(phoneText(number)).toBe("(605) 555-0142"),
);

test.each(["605555014", "6055550142 ext. 7", "+44 20 7946 0958", "26055550142", "", "call us"])(
  "%s is no whole US number and stays as it was sent",
  (number) => expect(phoneText(number)).toBe(number),
);
