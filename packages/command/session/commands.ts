import { print, tell, type Command } from "../cli/command";
import { SignedOutError } from "../cli/errors";
import { words, type Options } from "../cli/options";
import { formatted } from "../output/format";
import { printable } from "../output/printable";
import { OUTPUT, outputOf } from "../records/options";
import { changeSessions, readSessions, type Kept } from "./files";
import { CLIENT_ID, revoke } from "./issuer";
import { login as signIn } from "./login";
import { readServer } from "./server";
import { chosenServer, claimsOf, givenToken } from "./session";

const nameOf = ({ who }: Kept): string => who.email ?? who.name ?? who.subject;

const LOGIN: Options = {
  issuer: { type: "string", value: "URL", what: "the OpenID issuer, if not the console's" },
  "client-id": {
    type: "string",
    value: "ID",
    what: `the client at the issuer: public, with PKCE, and http://127.0.0.1/callback on any port; ${CLIENT_ID} by default`,
  },
  "no-browser": { type: "boolean", what: "only prints the address to open" },
};

export const login: Command = {
  words: "",
  what: "signs in, in your browser",
  more: "The browser has to be on this machine. Programs without a person use PLATFORM_TOKEN.",
  options: () => LOGIN,
  async run(given, signal) {
    words(given, []);
    const url = await chosenServer(given.text("server"));
    const server = await readServer(url);
    const how = {
      issuer: given.text("issuer") ?? server.issuer,
      clientId: given.text("client-id") ?? CLIENT_ID,
      browser: !given.has("no-browser"),
    };
    const kept = await signIn(
      server,
      how,
      (address) => tell(`Sign in at this address, in a browser on this machine:\n${address}`),
      signal,
    );
    await changeSessions(({ servers }) => ({ current: url, servers: { ...servers, [url]: kept } }));
    tell(printable(`You are signed in to ${url} as ${nameOf(kept)}.`));
  },
};

export const logout: Command = {
  words: "",
  what: "ends the sign-in, here and at the issuer",
  options: () => ({}),
  async run(given) {
    words(given, []);
    const url = await chosenServer(given.text("server"));
    let ended: Kept | undefined;
    await changeSessions((sessions) => {
      const { [url]: own, ...servers } = sessions.servers;
      ended = own;
      if (!own) return sessions;
      return { servers, current: sessions.current === url ? Object.keys(servers)[0] : sessions.current };
    });
    if (!ended) return tell(`You are not signed in to ${url}.`);
    // It is gone from this machine, whatever the issuer says.
    if (!(await revoke(ended))) tell("The issuer can't revoke tokens: the last one works until it ends.");
    tell(`You are signed out of ${url}.`);
  },
};

export const whoami: Command = {
  words: "",
  what: "prints who is signed in, and where",
  options: () => OUTPUT,
  async run(given) {
    words(given, []);
    const url = await chosenServer(given.text("server"));
    const token = givenToken();
    const kept = (await readSessions()).servers[url];
    if (token === undefined && !kept)
      throw new SignedOutError("You are not signed in. Sign in first: platform login");
    const { iss, sub, email, name } = token === undefined ? {} : claimsOf(token);
    const who =
      token === undefined
        ? { server: url, issuer: kept?.issuer, ...kept?.who }
        : { server: url, issuer: iss, subject: sub, email, name, token: "PLATFORM_TOKEN" };
    print(formatted(who, outputOf(given), ["email", "name", "subject", "issuer", "server"]));
  },
};
