import { expect, fault, ownService, test } from "../faulty";
import { param } from "../records";

interface Entry {
  readonly action: string;
  readonly justification?: string;
}

test(
  "a role is granted and removed with reasons, which the log, the history and the report have",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open, organization } = faulty;
    const { uid: identity } = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
      name: "ci",
      claimMatch: { issuer: "https://issuer.example", subject: "ci" },
    });
    const why = "On call <b>this</b> week 🚀";
    await open(`role-bindings?drawer=create&identity=${param(identity)}&group=${param(organization)}`);
    const form = page.getByRole("dialog", { name: "Grant access" });
    const field = form.getByRole("textbox", { name: "Reason (optional)" });
    await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
    await field.fill(why);
    await form.getByText("Show request").click();
    await expect(form.getByText("change-justification: On%20call%20%3Cb%3Ethis%3C%2Fb%3E")).toBeVisible();

    // What fails keeps what was typed.
    const grants = { method: "POST", path: new RegExp(`^/iam/v2/roleBindings/${organization.uid}$`) };
    proxy.rule(grants, fault.status(403), { times: 1 });
    await form.getByRole("button", { name: "Grant access" }).click();
    await expect(form.getByRole("alert")).toBeVisible();
    await expect(field).toHaveValue(why);
    await form.getByRole("button", { name: "Grant access" }).click();
    await expect(page.getByText("Granted access").first()).toBeVisible();

    await page.getByRole("link", { name: "Open role binding" }).click();
    await expect(page.getByText(why).first()).toBeVisible();
    await open(`role-bindings?identity=${param(identity)}&group=${param(organization)}`);
    await page
      .getByRole("checkbox", { name: /^Select / })
      .first()
      .check();
    await page.getByRole("button", { name: /^Delete 1 role binding/ }).click();
    const removal = page.getByRole("dialog", { name: /Delete 1 role binding/ });
    await removal.getByRole("textbox", { name: "Reason (optional)" }).fill("Shift is over");
    await removal.getByRole("button", { name: /^Delete/ }).click();
    await expect(page.getByText(/^Deleted 1 role binding/).first()).toBeVisible();

    const path = `/audit/v1/entries?uidp.descendants_of=${organization.uid}&kind=roleBindings`;
    const { auditEntries } = await api.get<{ auditEntries: Entry[] }>(path);
    expect(auditEntries.slice(0, 2).map(({ action, justification }) => [action, justification])).toEqual([
      ["roleBindings.delete", "Shift is over"],
      ["roleBindings.create", why],
    ]);

    await open(`identities/${param(identity)}`);
    const history = page.getByRole("region", { name: "History" });
    await expect(history.getByText("Reason: Shift is over")).toBeVisible();
    await expect(history.getByText(`Reason: ${why}`)).toBeVisible();

    await open(`audit-log?group=${param(organization)}`);
    await page.getByRole("button", { name: "Choose columns" }).click();
    await page.getByRole("checkbox", { name: "Reason", exact: true }).check();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("table").getByText("Shift is over")).toBeVisible();
    await expect(page.getByRole("table").getByText(why)).toBeVisible();
  },
);
