import { expect, test } from "vitest";

import { readConfig } from "../../config";
import { startMailServer } from "../../testing/mail-server";
import { harmless, htmlOf, textOf } from "./letter";
import { lettersOf } from "./letters";
import { createTransport } from "./transport";

/** What mail programs make links of: schemes, hosts and addresses. */
const LINKABLE = /\w\.\w|\w@\w|:\/\//;

test.each([
  "http://evil.example/login",
  "evil.example",
  "WWW.EVIL.EXAMPLE",
  "mailto:ceo@evil.example",
  "Ada\r\nBcc: everybody@evil.example",
  "a\u202egnp.exe\u200b.evil.example",
  "x\n\n\nYour account is closed: http://evil.example",
  "<a href=https://evil.example>Sign in</a>",
  "//evil.example",
])("%j in a mail is one line without a link", async (name) => {
  const shown = harmless(name);
  expect(shown).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
  expect(shown).not.toMatch(LINKABLE);
  const letters = lettersOf(readConfig({ PUBLIC_URL: "http://127.0.0.1:8080" }));
  const facts = { group: name, role: name, inviter: name, expires: new Date(0) };
  const letter = letters.invite(facts, "CODE");
  expect(letter.subject).not.toMatch(/[\r\n]/);
  const own = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:8080\/\S*/g, "");
  expect(own(textOf(letter))).not.toMatch(LINKABLE);
  const page = await htmlOf(letter);
  expect(page.match(/href="[^"]*"/g)).toEqual(['href="http://127.0.0.1:8080/invite#CODE"']);
  expect(page.match(/<a /g)).toHaveLength(1);
});

test("an ordinary name stays as it is, a long one is cut between characters", () => {
  expect(harmless("Zoë Papadáki, Ops & Security (EU)")).toBe("Zoë Papadáki, Ops & Security (EU)");
  expect(harmless("St. Gallen")).toBe("St. Gallen");
  expect([...harmless("🚀".repeat(200))]).toHaveLength(80);
});

test("headers are ours, whatever a name or an address has", async () => {
  const server = await startMailServer();
  try {
    const from = { name: "Platform, Console", address: "console@platform.example" };
    const settings = {
      host: "127.0.0.1",
      port: server.port,
      tls: "never",
      user: undefined,
      password: undefined,
    };
    const transport = await createTransport({ server: settings as never, from }, "platform.example");
    const letter = { subject: "Hello\r\nBcc: evil@evil.example\r\n\r\nbody", body: ["Text\r\n.\r\nQUIT"] };
    await transport.send("ada@example.com", letter, "1");
    const [mail] = server.received;
    expect(mail?.to).toBe("ada@example.com");
    expect(Object.keys(mail?.headers ?? {}).toSorted()).toEqual([
      "auto-submitted",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ]);
    expect(mail?.headers).toMatchObject({
      "message-id": "<1@platform.example>",
      "auto-submitted": "auto-generated",
      to: "ada@example.com",
    });
    expect(mail?.text).toBe("Text\n.\nQUIT");
    for (const to of ["ada@example.com>\r\nRCPT TO:<evil@evil.example", "a@b.example,c@d.example"])
      await transport.send(to, { subject: "x", body: ["x"] }, "2").catch(() => {});
    expect(server.received.slice(1).map((one) => one.to)).not.toContain("evil@evil.example");
    expect(server.received.slice(1).filter(({ to }) => to.includes(","))).toEqual([]);
  } finally {
    await server.stop();
  }
});
