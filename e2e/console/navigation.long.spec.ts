import { expect, test } from "../fixtures";
import { param } from "../records";

test("domains of the navigation are closed and opened, stay so, and open where one arrives in them", async ({
  person: { page, organization, open },
}) => {
  const navigation = page.getByRole("navigation", { name: "Main" });
  const domain = (name: string) => navigation.getByRole("button", { name, exact: true });
  const place = (name: string) => navigation.getByRole("link", { name, exact: true });
  await open(`groups?group=${param(organization)}`);
  await expect(domain("Organization")).toHaveAttribute("aria-expanded", "false");
  await expect(place("Terms")).toBeHidden();

  await domain("Access").click();
  await expect(place("Identities")).toBeHidden();
  await domain("Organization").focus();
  await page.keyboard.press("Enter");
  await place("Terms").click();
  await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeFocused();
  await page.reload();
  await expect(place("Terms")).toHaveAttribute("aria-current", "page");
  await expect(domain("Access")).toHaveAttribute("aria-expanded", "false");

  // A collapsed section opens when the user gets to one of its screens another way.
  await domain("Organization").click();
  await expect(place("Terms")).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(place("Identities")).toHaveAttribute("aria-current", "page");
});
