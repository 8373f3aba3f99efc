import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Ready for the next statement, outside of any transaction, as PostgreSQL's protocol says it. */
const readyIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** What PgBouncer says to whoever asks something while it reaches no Postgres. */
const loginFails = errorResponse({
  S: "FATAL",
  C: "08P01",
  M: "server login has been failing, cached error: server conn crashed? (server_login_retry)",
});

/** Stands between a store and its database, and loses what it is told to. */
export type LosingProxy = {
  readonly url: string;
  /** The next statement whose message holds this text is carried out, and its connection is lost before the answer. */
  readonly loseAnswerTo: (text: string) => void;
  /** The next statement whose message holds this text never arrives, and its connection is lost. */
  readonly loseStatement: (text: string) => void;
  /** How often either happened. */
  readonly lost: () => number;
  /** Lets connections in and refuses the next statement on each, old and new, as PgBouncer does that reaches no Postgres. */
  readonly refuseStatements: () => void;
  readonly acceptStatements: () => void;
  /** How many connections were made. */
  readonly made: () => number;
  readonly close: () => void;
};

export async function losingProxy(databaseUrl: string): Promise<LosingProxy> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let answerTo: string | undefined;
  let statement: string | undefined;
  let [lost, made, isRefusing] = [0, 0, false];
  const server = createServer((client) => {
    made += 1;
    let isIn = false;
    const upstream = connect(Number(database.port), database.hostname);
    const lose = () => {
      client.destroy();
      upstream.destroy();
    };
    let isLosing = false;
    for (const socket of [client, upstream]) sockets.add(socket.on("error", lose).on("close", lose));
    client.on("data", (bytes) => {
      if (isRefusing && isIn) return void client.end(loginFails);
      if (statement !== undefined && bytes.includes(statement)) {
        statement = undefined;
        lost += 1;
        return lose();
      }
      if (answerTo !== undefined && bytes.includes(answerTo)) {
        answerTo = undefined;
        lost += 1;
        isLosing = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      isIn ||= bytes.includes(readyIdle);
      if (!isLosing) client.write(bytes);
      else if (bytes.includes(readyIdle)) lose();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswerTo: (text) => void (answerTo = text),
    loseStatement: (text) => void (statement = text),
    lost: () => lost,
    refuseStatements: () => void (isRefusing = true),
    acceptStatements: () => void (isRefusing = false),
    made: () => made,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const body = Object.entries(fields).map(([type, value]) => `${type}${value}\0`);
  const bytes = Buffer.from(`${body.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
