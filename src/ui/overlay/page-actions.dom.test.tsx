import { render } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, test } from "vitest";

import { pageActions, usePageActions } from "./page-actions";

function Button({ label }: { label: string }) {
  usePageActions(() => [{ label }]);
  return <button type="button">{label}</button>;
}

/** A page that notes what is offered when its elements are in the document, before they are painted. */
function Page({ label, offered }: { label: string; offered: string[][] }) {
  useLayoutEffect(() => {
    offered.push(pageActions().map((action) => action.label));
  }, [label, offered]);
  return <Button label={label} />;
}

test("offers an action once, while its button is mounted", () => {
  const offered: string[][] = [];
  const { rerender, unmount } = render(<Page label="Create folder" offered={offered} />, {
    reactStrictMode: false,
  });
  rerender(<Page label="Create repo" offered={offered} />);
  expect(offered).toEqual([["Create folder"], ["Create repo"]]);
  unmount();
  expect(pageActions()).toEqual([]);
});
