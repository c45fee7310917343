import { afterEach, expect, it, vi } from "vitest";

import { ApiError } from "platform-client/errors";
import { groups } from "platform-contract/iam/groups";

import { checkWrite, isChecked } from "./check-write";
import { connect } from "./client";

const asked = { endpoint: groups.create, path: { parent: "" }, body: { name: "acme" } };

/** Connects to a service that answers each request with the next of these. */
function link(validateOnly: boolean, ...answers: readonly (() => Response)[]) {
  const sent = vi.fn<(address: string) => void>();
  vi.stubGlobal("fetch", async (address: string) => {
    sent(address);
    return answers[sent.mock.calls.length - 1]?.() ?? new Response("{}");
  });
  connect({
    baseUrl: "https://api.example",
    token: async () => "t",
    onUnauthenticated: () => undefined,
    validateOnly,
  });
  return sent;
}
afterEach(() => vi.unstubAllGlobals());

it("sends nothing to a service that does not say that it checks", async () => {
  const sent = link(false);
  expect(isChecked(groups.create)).toBe(false);
  await expect(checkWrite(asked)).rejects.toThrow("can't check");
  expect(sent).not.toHaveBeenCalled();
});

it("sends nothing for a write that refuses to be checked", async () => {
  const sent = link(true);
  const endpoint = { ...groups.create, refusesValidateOnly: true as const };
  await expect(checkWrite({ ...asked, endpoint })).rejects.toThrow("can't check");
  expect(sent).not.toHaveBeenCalled();
});

it("asks with validateOnly, beside other parameters", async () => {
  const sent = link(true);
  await checkWrite({ ...asked, endpoint: groups.update, path: { uid: "a" }, query: { updateMask: "name" } });
  const { searchParams } = new URL(String(sent.mock.calls[0]?.[0]));
  expect(Object.fromEntries(searchParams)).toEqual({ updateMask: "name", validateOnly: "true" });
});

it("waits for a busy service, and rejects with what a write would get", async () => {
  const busy = () => new Response("{}", { status: 503, headers: { "retry-after": "0" } });
  const refused = () => Response.json({ code: 9, message: "No." }, { status: 400 });
  const sent = link(true, busy, refused);
  const error: unknown = await checkWrite(asked).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: "FAILED_PRECONDITION" });
  expect(sent).toHaveBeenCalledTimes(2);
});
