import { bind } from "../bindings";
import { expect, fault, ownService, test } from "../faulty";
import { param } from "../records";

const ENTRIES = { method: "GET", path: /\/audit\/v1\/entries$/ };

test(
  "a busy service doesn't end the reading of a leak, and what was read outlives a failed second look",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { page, api, organization, open, proxy } = faulty;
    const machine = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
      name: "ci",
      claimMatch: { issuer: "https://token.example", subject: "ci" },
    });
    await open(`leaked-token?identity=${param(machine)}`);
    const busy = proxy.rule(ENTRIES, fault.status(503), { times: 1 });
    await page.getByRole("button", { name: "Look at everything it did" }).click();
    const whose = page.getByRole("region", { name: "Whose it is" });
    await expect(whose).toContainText("ci in");
    await busy.met();
    // No token is known: nothing is said of one.
    await expect(whose).not.toContainText("Issued");

    const refused = proxy.rule(ENTRIES, fault.status(403));
    await page.getByRole("button", { name: "Look again" }).click();
    await expect(page.getByText("It couldn't be read again.")).toBeVisible();
    await expect(whose).toContainText("ci in");
    refused.remove();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("It couldn't be read again.")).toBeHidden();

    // Who can only look is told why no step can run.
    const viewer = await signUpBehind();
    await bind(api, organization, viewer, "viewer");
    await api.post(`/iam/v2/roleBindings/${organization.uid}`, {
      identityUid: machine.uid,
      roleUid: "63921b2c44617e3f2603851537be0123af4a57d7",
    });
    await viewer.open(`leaked-token?identity=${param(machine)}`);
    await viewer.page.getByRole("button", { name: "Look at everything it did" }).click();
    await expect(
      viewer.page.getByRole("button", { name: "Cut it off: 0 steps" }),
    ).toHaveAccessibleDescription("Your role allows none of these steps");
  },
);
