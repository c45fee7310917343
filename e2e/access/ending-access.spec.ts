import { acceptOffers, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { param } from "../records";

const LATER = 86_400_000;

test("a role is granted until a time, and is named at home, moved, and worth nothing once it ends", async ({
  person,
  signUp,
  problems,
}) => {
  // Once the role has ended.
  problems.allow(/status of 403 .*\/iam\/v2\/groups/);
  const { page, api, organization, open } = person;
  const guest = await signUp();
  const identity = await identityOf(api, guest);
  await open(`role-bindings?group=${param(organization.uid)}&drawer=create&identity=${identity}`);
  const form = page.getByRole("dialog", { name: "Grant access" });
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  const until = form.getByLabel("Until when (UTC)");
  await expect(until).toHaveValue("");
  // Half a date is no date, and not no end either.
  await until.press("0");
  await until.press("1");
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(form.getByText("Enter a date and a time, or leave both empty")).toBeVisible();
  for (const [time, problem] of [
    ["2020-01-01T00:00", "Must be in the future"],
    ["2999-01-01T00:00", "Must be at most 10 years from now"],
  ] as const) {
    await until.fill(time);
    await form.getByRole("button", { name: "Grant access" }).click();
    await expect(form.getByText(problem)).toBeVisible();
  }
  await form.getByRole("button", { name: "1 week" }).click();
  await expect(form.getByText(/The role ends in 7 days/)).toBeVisible();
  const week = await until.inputValue();
  expect(Math.abs(Date.parse(`${week}Z`) - Date.now() - 7 * LATER)).toBeLessThan(120_000);
  await form.getByRole("button", { name: "Grant access" }).click();
  await expect(form).toBeHidden();
  await acceptOffers(guest);

  await guest.open("");
  const ending = guest.page.getByRole("region", { name: "Your access ends soon" });
  await expect(guest.page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
  await expect(ending).toBeHidden();
  // Only the last quarter of a role's time is soon.
  await guest.page.clock.setFixedTime(Date.now() + 6 * LATER);
  await guest.open("");
  await expect(ending).toContainText(/ends in (1 day|2\d hours)/);
  await expect(ending.getByRole("link", { name: organization.name })).toBeVisible();

  const held = `/iam/v2/roleBindings?identity=${identity}`;
  const binding = (await api.get<{ roleBindings: { uid: string; expirationTime: string }[] }>(held))
    .roleBindings[0]!;
  expect(binding.expirationTime).toBe(new Date(`${week}Z`).toISOString());
  await open(`role-bindings/${param(binding.uid)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const change = page.getByRole("dialog", { name: "Change role" });
  await expect(change.getByLabel("Until when (UTC)")).toHaveValue(week);
  await change.getByRole("button", { name: "No end" }).click();
  await change.getByRole("button", { name: "Save changes" }).click();
  await expect(change).toBeHidden();
  await guest.page.clock.setSystemTime(Date.now());
  await guest.open("");
  await expect(guest.page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
  await expect(ending).toBeHidden();

  const end = new Date(Date.now() + 1_500).toISOString();
  await api.patch(`/iam/v2/roleBindings/${binding.uid}?update_mask=expirationTime`, { expirationTime: end });
  await expect(async () => {
    await guest.open("");
    await expect(guest.page.getByRole("heading", { name: "No access yet", level: 1 })).toBeVisible();
  }).toPass();
});

test("who has access for a time cannot give it for longer, nor to several @long", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const [deputy, one, other] = [await signUp(), await signUp(), await signUp()];
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=owner");
  const expirationTime = new Date(Date.now() + 3 * LATER).toISOString();
  const identityUid = await identityOf(api, deputy);
  await api.post(`/iam/v2/roleBindings/${organization.uid}`, {
    identityUid,
    roleUid: roles[0]!.uid,
    expirationTime,
  });
  await acceptOffers(deputy);
  const { page, open } = deputy;
  await open(
    `role-bindings?group=${param(organization.uid)}&drawer=create&identity=${await identityOf(api, one)}`,
  );
  const form = page.getByRole("dialog", { name: "Grant access" });
  await expect(form.getByText(/Your own access here ends/)).toBeVisible();
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  const grant = form.getByRole("button", { name: "Grant access" });
  await grant.click();
  await expect(form.getByText(/no later than .*: your own access ends then/)).toBeVisible();
  await form.getByRole("button", { name: "1 week" }).click();
  await grant.click();
  await expect(form.getByText(/no later than .*: your own access ends then/)).toBeVisible();
  await form.getByRole("button", { name: "1 day" }).click();
  await grant.click();
  await expect(form).toBeHidden();
  // The service says the same to those who do not ask the console.
  const batch = await deputy.api.refusal("POST", "/iam/v2/roleBindings:batchCreate", {
    parent: organization.uid,
    roleUid: roles[0]!.uid,
    requests: [{ roleBinding: { identityUid: await identityOf(api, other) } }],
  });
  expect(batch.http).toBe(403);
});
