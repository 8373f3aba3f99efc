import { expect, test, vi } from "vitest";
import { z } from "zod";
import { noAnswer, type ActAnswer } from "./act-answer.tsx";
import { action } from "./action.tsx";

const currentPerson = vi.hoisted(() => vi.fn<() => Promise<undefined>>());
// Both belong to Next's server, which is not here.
vi.mock("#lib/person/session/person", () => ({ currentPerson, contextOf: vi.fn<() => void>() }));
vi.mock("#lib/person/session/note-refusal", () => ({ noteRefusal: vi.fn<() => void>() }));
vi.mock("#lib/person/session/visitor", () => ({ currentVisitor: vi.fn<() => void>() }));

test("a form that names an action without what binds it to an answer begins nothing", async () => {
  const verb = vi.fn<() => Promise<never>>();
  const act = action(z.unknown(), verb, { refused: () => ({ problems: {} }) });
  // Safe because Next calls an action whose form has no bound arguments so: what was posted stands first.
  const posted = new FormData() as unknown as ActAnswer;
  expect(await act(posted, undefined as unknown as FormData)).toBe(noAnswer);
  expect([currentPerson, verb].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
