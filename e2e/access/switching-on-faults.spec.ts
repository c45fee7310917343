import { identityOf } from "../bindings";
import { expect, fault, ownService, test } from "../faulty";
import { folder } from "../records";

const ACTIVATE = { method: "POST", path: /:activate$/ };

test(
  "switching on happens once when its answer is lost, when the service is busy, and when it is killed",
  ownService,
  async ({ faulty, proxied }) => {
    const { page, api, organization, open, proxy } = faulty;
    const place = await folder(api, organization, "production");
    const identityUid = await identityOf(api, faulty);
    const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
    const body = { identityUid, roleUid: roles[0]?.uid, maxDuration: "3600s" };
    await api.post(`/access/v1/eligibleGrants/${place.uid}`, body);
    const bindings = async () =>
      (await api.get<{ roleBindings?: object[] }>(`/iam/v2/roleBindings?uidp.children_of=${place.uid}`))
        .roleBindings ?? [];

    const own = page.getByRole("listitem", { name: "viewer in production" });
    const drawer = page.getByRole("dialog", { name: /^Switch on/ });
    const switchOn = async () => {
      await open("eligible");
      await own.getByRole("button", { name: "Switch on viewer" }).click();
      await drawer.getByLabel(/^Reason/).fill("On call");
      await drawer.getByRole("button", { name: "Switch on" }).click();
    };
    const over = async () => {
      await expect(drawer).toBeHidden({ timeout: 30_000 });
      await expect(own.getByText("Switched on", { exact: true })).toBeVisible();
      expect(await bindings()).toHaveLength(1);
      await own.getByRole("button", { name: "Switch off viewer now" }).click();
      await expect(own.getByText("Off", { exact: true })).toBeVisible();
      expect(await bindings()).toHaveLength(0);
    };

    const lost = proxy.rule(ACTIVATE, fault.cutAfter, { times: 1 });
    await switchOn();
    await lost.met();
    await over();

    proxy.rule(ACTIVATE, fault.status(429, { retryAfter: 1 }), { times: 1 });
    await switchOn();
    await expect(drawer.getByText(/Rate limited/).first()).toBeVisible();
    await expect(async () => {
      await drawer.getByRole("button", { name: "Switch on" }).click({ timeout: 1_000 });
      await expect(drawer).toBeHidden({ timeout: 3_000 });
    }).toPass({ timeout: 30_000 });
    await over();

    // Written, and the service is gone before it can say so.
    const killed = proxy.rule(ACTIVATE, fault.cutAfter, { times: 1 });
    await switchOn();
    await killed.met();
    await expect.poll(bindings).toHaveLength(1);
    await proxied.kill();
    await open("eligible");
    await over();
  },
);
