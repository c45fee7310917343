import { expect, gate, test } from "../fixtures";
import { bind } from "../bindings";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

const document = { name: "tos.v1", label: "Terms of Service", url: "https://example.com/tos" };

test(
  "a document is made, changed, accepted and kept; one that nobody accepted is deleted",
  gate,
  async ({ person, problems }) => {
    const { page, api, organization, open } = person;
    problems.allow(/status of 400/);
    await open(`terms?group=${organization.uid}`);
    await expect(page.getByRole("heading", { name: "No terms here yet" })).toBeVisible();
    await page.getByRole("button", { name: "Create terms document" }).first().click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name" }).fill("dpa.v1");
    await form.getByRole("textbox", { name: "Title" }).fill("Data Privacy Agreement");
    await form.getByRole("textbox", { name: "Link" }).fill("http://example.com/dpa");
    await form.getByRole("button", { name: "Create terms document" }).click();
    await expect(form.getByText("Must be an https:// address")).toBeVisible();
    await form.getByRole("textbox", { name: "Link" }).fill("https://example.com/dpa");
    await form.getByRole("button", { name: "Create terms document" }).click();
    await page.getByRole("link", { name: "Open terms document" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "dpa.v1" })).toBeVisible();

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await form.getByRole("textbox", { name: "Title" }).fill("Privacy");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await form.getByRole("button", { name: "Save changes" }).click();
    expect(new URL((await sent).url()).searchParams.get("updateMask")).toBe("label");

    const acceptances = page.getByRole("region", { name: /^Acceptances/ }).first();
    await acceptances.getByRole("button", { name: "Review and accept" }).click();
    const agreement = page.getByRole("dialog", { name: "Accept this document?" });
    await expect(agreement.getByRole("link", { name: /^Privacy/ })).toHaveAttribute(
      "href",
      "https://example.com/dpa",
    );
    await expect(agreement.getByRole("link", { name: organization.name })).toBeVisible();
    await expect(agreement.getByText(person.email)).toBeVisible();
    await hasNoFinding(page, "[role=dialog]");
    const accept = agreement.getByRole("button", { name: "Accept", exact: true });
    await expect(accept).toHaveAttribute("aria-disabled", "true");
    await agreement.getByRole("checkbox", { name: /^I have read this document and accept it/ }).check();
    await accept.click();
    await expect(acceptances.getByText(person.email)).toBeVisible();
    await expect(acceptances.getByText(api.who.subject)).toBeHidden();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await form.getByRole("textbox", { name: "Link" }).fill("https://example.com/else");
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(form.getByText(/an accepted document cannot change its name or url/i).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();

    await api.post(`/iam/v2/terms/${organization.uid}`, document);
    await open(`terms?group=${organization.uid}`);
    await expect(page.getByRole("row", { name: /tos\.v1/ })).toContainText("Not yet");
    await hasNoFinding(page, "main");
    for (const [name, outcome] of [
      ["dpa.v1", /cannot delete terms that were accepted/],
      ["tos.v1", /^Deleted terms document tos.v1/],
    ] as const) {
      await page.getByRole("button", { name: `Actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete terms document" }).click();
      await expect(page.getByText(outcome).first()).toBeVisible();
      if (name === "dpa.v1") await page.keyboard.press("Escape");
    }
  },
);

test("terms that nobody accepted refuse a repo in its form, until somebody who may accepts them there @long", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, organization, open } = person;
  problems.allow(/status of 400/);
  await api.post(`/iam/v2/terms/${organization.uid}`, document);
  const team = await folder(api, organization, "team");
  const editor = await signUp();
  await bind(api, organization, editor, "editor");

  await open(`repos?drawer=create&group=${param(team.uid)}`);
  const form = page.getByRole("dialog", { name: "Create repo" });
  await form.getByRole("textbox", { name: "Name" }).fill("api");
  await form.getByRole("button", { name: "Create repo" }).click();
  await expect(form.getByText("The terms must be accepted first.")).toBeVisible();
  await expect(form.getByRole("link", { name: /^Terms of Service/ })).toHaveAttribute("href", document.url);
  await hasNoFinding(page, "[role=dialog]");

  // The same form for a user who cannot accept: the button's tooltip names the missing capability.
  await editor.open(`repos?drawer=create&group=${param(team.uid)}`);
  const theirs = editor.page.getByRole("dialog");
  await theirs.getByRole("textbox", { name: "Name" }).fill("theirs");
  await theirs.getByRole("button", { name: "Create repo" }).click();
  await theirs.getByRole("button", { name: "Review and accept" }).focus();
  await expect(editor.page.getByText(/terms\.accept/).first()).toBeVisible();

  await form.getByRole("button", { name: "Review and accept" }).click();
  const agreement = page.getByRole("dialog", { name: "Accept this document?" });
  await expect(agreement.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(agreement).toBeHidden();
  await expect(form.getByText("The terms must be accepted first.")).toBeVisible();
  await form.getByRole("button", { name: "Review and accept" }).click();
  await agreement.getByRole("checkbox").check();
  await agreement.getByRole("button", { name: "Accept", exact: true }).click();
  await expect(form.getByText("Accepted. You can save now.")).toBeVisible();
  await expect(form.getByText("The terms must be accepted first.")).toBeHidden();
  await expect(form.getByRole("alert")).toBeHidden();
  await form.getByRole("button", { name: "Create repo" }).click();
  await expect(page.getByText("Created repo api").first()).toBeVisible();
  expect(await api.get(`/iam/v2/terms/${organization.uid}`)).toMatchObject({
    termsAcceptances: [{ docId: "tos.v1", acceptedBy: api.who.subject, orgUid: organization.uid }],
  });
});

test("a bar says what is to be accepted in the group on screen, and goes once it is @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/terms/${organization.uid}`, document);
  await open(`repos?group=${organization.uid}`);
  const bar = page.getByRole("region", { name: "Terms to accept" });
  await expect(bar.getByRole("link", { name: /^Terms of Service/ })).toBeVisible();
  await hasNoFinding(page, "body");
  await bar.getByRole("button", { name: "Review and accept" }).click();
  const agreement = page.getByRole("dialog", { name: "Accept this document?" });
  await agreement.getByRole("checkbox").check();
  await agreement.getByRole("button", { name: "Accept", exact: true }).click();
  await expect(page.getByText("Accepted 1 document").first()).toBeVisible();
  await expect(bar).toBeHidden();
  await api.post(`/registry/v2/repos/${organization.uid}`, { name: "after" });
});
