import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { chooseDelete, deleteLeaf } from "../deletions";
import { expect, gate, test } from "../fixtures";
import { bind } from "../bindings";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

test(
  "a subscription is made, is told of what happens, and is deleted; a viewer is told what it takes",
  gate,
  async ({ person, signUp, problems }) => {
    test.slow();
    const { page, api, organization, open } = person;
    problems.allow(/status of 4\d\d/);
    const arrived: string[] = [];
    const sink = createServer((request, response) => {
      arrived.push(`${String(request.headers["ce-type"])} ${String(request.headers["ce-subject"])}`);
      void text(request).then(() => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/hook`;
    const team = await folder(api, organization, "team");

    await open(`subscriptions?group=${param(team.uid)}`);
    await expect(
      page.getByRole("heading", { name: "No event subscriptions in this folder or below" }),
    ).toBeVisible();
    await page.getByRole("button", { name: "Create event subscription" }).first().click();
    const form = page.getByRole("dialog");
    const field = form.getByRole("textbox", { name: "URL" });
    const submit = form.getByRole("button", { name: "Create event subscription" });
    await field.fill("https://user@hooks.example/");
    await field.blur();
    await expect(form.getByText(/^Must be an https:\/\/ address/)).toBeVisible();
    await field.fill(address);
    await expect(form.getByText(`Events are sent to ${new URL(address).host}`)).toBeVisible();
    await form.getByText("Event types", { exact: true }).click();
    await expect(form.getByText("A group was created.")).toBeVisible();
    await submit.click();
    await page.getByRole("link", { name: "Open event subscription" }).click();
    await expect(page.getByRole("heading", { level: 1, name: address })).toBeVisible();
    await expect(page.getByText(`webhook:${team.uid}`)).toBeVisible();
    await expect(
      page.getByText("Up to 10,000 events can wait; beyond that, new events are dropped."),
    ).toBeVisible();
    await expect(page.getByText("Organization only, not this folder").first()).toBeVisible();
    await hasNoFinding(page, "main");

    const inside = await folder(api, team, "inside");
    const created = "dev.chainguard.api.events.subscription.created.v1";
    await expect.poll(() => arrived.join("\n")).toContain(created);
    await expect.poll(() => arrived).toContain(`dev.chainguard.api.iam.group.created.v1 ${inside.uid}`);

    // A second subscription of the group to the same address is rejected, with the error on the field.
    await open(`subscriptions?drawer=create&group=${param(team.uid)}`);
    await field.fill(address);
    await submit.click();
    await expect(form.getByText(/this group already sends its events to this sink/i)).toBeVisible();

    const viewer = await signUp();
    await bind(api, organization, viewer, "viewer");
    await viewer.open(`subscriptions?group=${organization.uid}`);
    await expect(viewer.page.getByRole("link", { name: address, exact: true })).toBeVisible();
    await viewer.page.getByRole("button", { name: "Create event subscription" }).first().focus();
    await expect(viewer.page.getByText(/subscriptions\.create/).first()).toBeVisible();

    await open(`subscriptions?group=${organization.uid}`);
    await chooseDelete(page, address);
    await page.getByRole("button", { name: `Undo deleting ${address}` }).click();
    await expect(page.getByRole("link", { name: address, exact: true })).toBeVisible();
    await deleteLeaf(page, "event subscription", address);
    const left = await api.get(`/events/v2/subscriptions?uidp.descendants_of=${organization.uid}`);
    expect(left).toMatchObject({ totalCount: "0" });
    sink.close();
    sink.closeAllConnections();
  },
);
