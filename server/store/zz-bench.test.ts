import { test } from "vitest";
import { startPostgres } from "../testing/postgres";
import { TestStore } from "../testing/store";
import { openPostgres } from "./postgres";
import { openMemory } from "./embedded";
import { listPage } from "./lists";
import { pageTokens } from "./page-tokens";
import { identitiesTable } from "./identities";
import { roleBindingsTable } from "./role-bindings";
import { groupsTable } from "./groups";

test.each(["postgres", "memory"])("bench %s", async (kind) => {
  const pg = kind === "postgres" ? await startPostgres() : undefined;
  const db = pg ? await openPostgres(pg.url) : await openMemory();
  const store = await TestStore.open({}, db);
  const { uid } = await store.organization("bench");
  const other = await store.organization("bench2");
  const N = 100000;
  await db.query(`insert into groups (uid,parent,name,created_at,updated_at) select $1||'/'||lpad(to_hex(n),16,'0'), $1, 'g'||(n*7919%1000), timestamptz '2026-01-01' + (n||' seconds')::interval, timestamptz '2026-01-01' + (n*31%100000||' seconds')::interval from generate_series(1,1000) n`, [uid]);
  await db.query(`insert into identities (uid,parent,name,relationship,definition,issuer,subject,created_at,updated_at) select $1||'/'||lpad(to_hex(n%1000+1),16,'0')||'/'||lpad(to_hex(n),16,'0'), $1||'/'||lpad(to_hex(n%1000+1),16,'0'), 'bot '||(n*7919%100003), 'claimMatch','{}', 'i','s'||n, timestamptz '2026-01-01' + (n||' seconds')::interval, timestamptz '2026-01-01' + (n*31%100000||' seconds')::interval from generate_series(1,${N}) n`, [uid]);
  await db.query(`insert into role_bindings (uid,parent,identity_uid,role_uid,created_at,updated_at) select i.parent||'/'||right(i.uid,16), i.parent, i.uid, r.uid, i.created_at, i.updated_at from identities i join roles r on r.name='viewer' where i.parent is not null`);
  await db.query("analyze"); 
  const tokens = pageTokens(db, 1e6);
  const many = Array.from({ length: 1000 }, (_, n) => `${uid}/${(n + 1).toString(16).padStart(16, "0")}`);
  const people = (groups: string[]) => (bind: any) => `t.uid = any(${bind([])}::text[]) or exists (select 1 from role_bindings b where b.identity_uid = t.uid and (${groups.length ? `left(b.parent, ${groups[0]!.length}) = any(${bind(groups)}::text[])` : "false"}))`;
  for (const [name, groups] of [["1 root", [uid]], ["1 folder", many.slice(5, 6)], ["10", many.slice(0, 10)], ["1000", many], ["foreign", [other.uid]]] as const)
    for (const [tname, table] of [["identities", identitiesTable], ["bindings", roleBindingsTable], ["groups", groupsTable]] as const)
      for (const field of ["uid", "name", "created_at"]) for (const descending of [false, true]) {
        const req = (query: any) => ({ list: "x", caller: "c", query, order: { field, descending }, visibility: { groups, rootLevel: tname === "identities" ? people([...groups]) : undefined } });
        let t = performance.now();
        const first = await listPage(db, table, tokens, req({}));
        const t1 = performance.now() - t;
        t = performance.now();
        if (first.nextPageToken) await listPage(db, table, tokens, req({ page_token: first.nextPageToken }));
        const t2 = performance.now() - t;
        const deep = await listPage(db, table, tokens, req({ skip: Math.floor(Number(first.totalCount) * 0.8) }));
        t = performance.now();
        if (deep.nextPageToken) await listPage(db, table, tokens, req({ page_token: deep.nextPageToken }));
        const t3 = performance.now() - t;
        if (t1 > 100 || t2 > 30 || t3 > 30) console.log(kind, name, tname, field, descending ? "desc" : "", first.totalCount, "first", t1.toFixed(1), "next", t2.toFixed(1), "deep", t3.toFixed(1));
      }
  await db.close(); await pg?.stop();
}, 600000);
