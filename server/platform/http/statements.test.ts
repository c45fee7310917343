import { expect, test, vi } from "vitest";

import { startService } from "../../testing/service";

test("a page of a list is two statements in any order: who asks, and the rows with their total", async () => {
  // Without what is written each minute: it counts as well.
  const service = await startService({ SIGN_UP: "open", CAPABILITY_USE_DAYS: "0" });
  const token = await service.token("ada", { email: "ada@acme.example" });
  const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "acme" } });
  for (const name of ["one", "two", "three"])
    await service.call("POST", `/iam/v2/groups/${made.json["uid"]}`, { token, body: { name } });
  const statements = vi.spyOn(service.database, "query");
  const read = async (query: string) => {
    const { json } = await service.call("GET", `/iam/v2/groups?page_size=2&${query}`, { token });
    expect(json).toMatchObject({ groups: [{}, {}], totalCount: "4" });
    const sent = statements.mock.calls.length;
    statements.mockClear();
    return { sent, next: String(json["nextPageToken"]) };
  };
  // The first also notes when the caller was last seen, and reads roles and the key of page tokens, which are kept.
  await read("order_by=uid");
  for (const order of ["uid", "name", "created_at desc"]) {
    const { sent, next } = await read(`order_by=${encodeURIComponent(order)}`);
    expect(sent, order).toBe(2);
    expect((await read(`order_by=${encodeURIComponent(order)}&page_token=${next}`)).sent, order).toBe(2);
  }
  await service.stop();
});
