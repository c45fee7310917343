import { createServer, type ServerResponse } from "node:http";
import pg from "pg";

import { FOLDERS, type Kind } from "./targets";

const READ = "select uid, name, description, created_at, updated_at from floor";
const STATEMENTS: Record<Exclude<Kind, "ping">, string> = {
  list: `${READ} where parent = $1 order by uid limit ${FOLDERS}`,
  get: `${READ} where uid = $1`,
  create: `insert into floor select gen_random_uuid()::text, $1, 'made', '', now(), now() returning *`,
};
const PARAMETERS: Record<Exclude<Kind, "ping">, string> = {
  list: "parent",
  get: "0".repeat(55) + "07",
  create: "written",
};

/**
 * The least that a response costs in Node: one prepared statement, and JSON, without token, permissions, total or log.
 * `/KIND` answers a request; `/bare/KIND/COUNT` runs only the statement that many times, and answers the milliseconds.
 */
export async function serveFloor(url: string, port: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(`create table if not exists floor (uid text primary key, parent text, name text, description text,
    created_at timestamptz(3), updated_at timestamptz(3))`);
  await pool.query("create index if not exists floor_parent on floor (parent, uid)");
  await pool.query(
    `insert into floor select lpad(n::text, 57, '0'), 'parent', 'folder ' || n, '', now(), now()
     from generate_series(1, $1::int) n`,
    [FOLDERS],
  );
  await pool.query("analyze floor");
  const ask = (kind: Exclude<Kind, "ping">) =>
    pool.query({ name: kind, text: STATEMENTS[kind], values: [PARAMETERS[kind]] });
  const write = (response: ServerResponse, value: unknown) => {
    const text = JSON.stringify(value);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  };
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const [, first = "", kind = "", count = ""] = path.split("/");
    if (first === "ping") return write(response, { response: "pong" });
    if (first !== "bare") {
      const { rows } = await ask(first as "list");
      return write(response, first === "list" ? { items: rows } : rows[0]);
    }
    const ms: number[] = [];
    for (let index = 0; index < Number(count); index++) {
      const from = performance.now();
      await ask(kind as "list");
      ms.push(performance.now() - from);
    }
    write(response, ms);
  };
  createServer((request, response) => {
    request.resume().on("end", () => void answer(request.url ?? "", response));
  }).listen(port, "127.0.0.1", () => process.stdout.write("up\n"));
}
