import { expect, fault, ownService, test } from "../faulty";
import { machine } from "../lists";

const KINDS = { "the service fails": fault.status(500), "the answer is lost": fault.cutAfter };

for (const [what, effect] of Object.entries(KINDS))
  test(
    `an identity whose role was not granted (${what}) is granted it from the same form`,
    ownService,
    async ({ faulty }) => {
      const { page, api, organization, proxy, open } = faulty;
      const { name, claimMatch } = machine("deployer");
      await open(`identities?group=${organization.uid}&drawer=create`);
      const form = page.getByRole("dialog");
      await form.getByRole("radio", { name: /OIDC claims/ }).check();
      await form.getByRole("textbox", { name: "Name", exact: true }).fill(name);
      await form.getByRole("textbox", { name: "Issuer", exact: true }).fill(claimMatch.issuer);
      await form.getByRole("textbox", { name: "Subject", exact: true }).fill(claimMatch.subject);
      await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
      const rule = proxy.rule({ method: "POST", path: /\/roleBindings:batchCreate$/ }, effect, { times: 1 });
      await form.getByRole("button", { name: "Create identity" }).click();
      await rule.met();
      const again = form.getByRole("button", { name: "Grant role" });
      await expect(again.or(page.getByText("Created identity deployer").first())).toBeVisible();
      if (await again.isVisible()) await again.click();
      await expect(form).toBeHidden();
      const [made] = (await api.get<{ identities: { uid: string }[] }>("/iam/v2/identities?name=deployer"))
        .identities;
      expect(await api.get(`/iam/v2/roleBindings?identity=${made?.uid}`)).toMatchObject({ totalCount: "1" });
      expect(await api.get("/iam/v2/identities?name=deployer")).toMatchObject({ totalCount: "1" });
    },
  );
