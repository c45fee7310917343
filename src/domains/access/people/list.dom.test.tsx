import { cleanup, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, it } from "vitest";

import { EmailOrSubject } from "./list";

afterEach(cleanup);

const person = {
  uid: "u",
  name: "Ada",
  claimMatch: { issuer: "https://i.example", subject: "175ae006074b70b550ae" },
};
const draw = (of: object) =>
  render(
    <StrictMode>
      <EmailOrSubject of={{ ...person, ...of }} />
    </StrictMode>,
  );

it("leads with what a reader knows, and shortens a subject that says nothing", () => {
  draw({ emailUnverified: "ada@example.com" });
  expect(screen.getByText("ada@example.com").tagName).toBe("BDI");
  cleanup();
  draw({});
  const subject = screen.getByText("175ae006…50ae");
  expect(subject.dataset["tip"]).toBe("175ae006074b70b550ae");
});
