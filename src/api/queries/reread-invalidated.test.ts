import { QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";

import { createQueryClient } from "./query-client";

it("reads again what writes have made stale during its first load", async () => {
  const client = createQueryClient();
  const queryKey = ["roleBindings", "review"];
  let written = 0;
  const answers: ((value: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity });
  const stop = observer.subscribe(() => undefined);
  const write = () => {
    written += 1;
    void client.invalidateQueries({ queryKey });
  };
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const before = written;
  write();
  write();
  answers[0]?.(before);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  // This one has data: React Query itself starts it again.
  const between = written;
  write();
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[1]?.(between);
  answers[2]?.(written);
  await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 3, isFetching: false }));
  expect(answers).toHaveLength(3);
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
  stop();
});
