import { expect, fullIntake, test } from "../fixtures/journey.ts";

test("a server that is told to end says so to balancers first, and refuses no call until then", async ({
  practice,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  const server = await stack.oneMoreServer(() => Promise.resolve({ DRAIN_DELAY_S: "3" }));
  const ready = () => statusOf(fetch(`${server.baseUrl}/health/ready`));
  const call = () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: sent.id } });
    const headers = { "content-type": "application/json", authorization: `Bearer ${practice.channel.key}` };
    // On a connection of its own, as a balancer may make one until it knows better.
    return statusOf(
      fetch(`${server.baseUrl}/api/a2a`, { method: "POST", headers: { ...headers, connection: "close" }, body }),
    );
  };
  expect([await ready(), await call()]).toEqual([200, 200]);
  const ended = server.stop();
  await expect.poll(ready).toBe(503);
  for (let n = 0; n < 20; n += 1) expect(await call()).toBe(200);
  await ended;
  expect(await ready()).toBe("refused");
});

function statusOf(answer: Promise<Response>): Promise<number | "refused"> {
  return answer.then(
    ({ status }) => status,
    () => "refused" as const,
  );
}
