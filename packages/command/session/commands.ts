import { READ_ONLY } from "platform-contract/sts/read-only";

import { print, tell, type Command } from "../cli/command";
import { UnexpectedError, UsageError } from "../cli/errors";
import { words, type Options } from "../cli/options";
import { formatted } from "../output/format";
import { printable } from "../output/printable";
import { OUTPUT, outputOf } from "../records/options";
import { changeSessions, readSessions, type Kept } from "./files";
import { CLIENT_ID, revoke } from "./issuer";
import { login as signIn } from "./login";
import { readServer } from "./server";
import {
  chosenServer,
  knownServer,
  claimsOf,
  givenToken,
  onlyReads,
  readOnlyKey,
  signedOut,
} from "./session";

const nameOf = ({ who }: Kept): string => who.email ?? who.name ?? who.subject;

const LOGIN: Options = {
  issuer: { type: "string", value: "URL", what: "the OpenID issuer, if not the console's" },
  "client-id": {
    type: "string",
    value: "ID",
    what: `the client at the issuer: public, with PKCE, and http://127.0.0.1/callback on any port; ${CLIENT_ID} by default`,
  },
  "read-only": {
    type: "boolean",
    what: "to read only, for platform mcp: the service refuses every write; kept beside the other sign-in",
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
    const url = await knownServer(given.text("server"));
    if (url === undefined) throw new UsageError("Where? Use --server https://console.example.com");
    const server = await readServer(url);
    const how = {
      issuer: given.text("issuer") ?? server.issuer,
      clientId: given.text("client-id") ?? CLIENT_ID,
      browser: !given.has("no-browser"),
    };
    const readOnly = given.has("read-only");
    if (readOnly && !server.readOnlyTokens)
      throw new UsageError(
        "This service has no tokens that only read: its config.json has no readOnlyTokens.",
      );
    // Nobody signs in for a file that can't be written.
    await changeSessions((sessions) => sessions);
    const kept = await signIn(
      readOnly ? { ...server, scope: `${server.scope} ${READ_ONLY}` } : server,
      how,
      (address) => tell(`Sign in at this address, in a browser on this machine:\n${address}`),
      signal,
    );
    if (readOnly && !onlyReads(kept.accessToken))
      throw new UnexpectedError(`${how.issuer} gave a token that doesn't only read. It is not kept.`);
    const key = readOnly ? readOnlyKey(url) : url;
    await changeSessions(({ servers }) => ({ current: url, servers: { ...servers, [key]: kept } }));
    tell(printable(`You are signed in to ${url} as ${nameOf(kept)}${readOnly ? ", to read only" : ""}.`));
  },
};

export const logout: Command = {
  words: "",
  what: "ends the sign-in, here and at the issuer",
  options: () => ({}),
  async run(given) {
    words(given, []);
    const url = await knownServer(given.text("server"));
    if (url === undefined) return tell("You are not signed in.");
    let ended: Kept[] = [];
    await changeSessions((sessions) => {
      const { [url]: own, [readOnlyKey(url)]: reading, ...servers } = sessions.servers;
      ended = [own, reading].filter((one) => one !== undefined);
      if (ended.length === 0) return sessions;
      return { servers, current: sessions.current === url ? Object.keys(servers)[0] : sessions.current };
    });
    if (ended.length === 0) return tell(`You are not signed in to ${url}.`);
    // They are gone from this machine, whatever the issuer says.
    for (const one of ended)
      // oxlint-disable-next-line no-await-in-loop -- one or two
      if (!(await revoke(one))) tell("The issuer can't revoke tokens: the last one works until it ends.");
    tell(`You are signed out of ${url}.`);
  },
};

export const whoami: Command = {
  words: "",
  what: "prints who is signed in, and where",
  more: "It is what is kept here of the sign-in, or what PLATFORM_TOKEN says: nobody is asked whether it still counts.",
  options: () => OUTPUT,
  async run(given) {
    words(given, []);
    const url = await chosenServer(given.text("server"));
    const token = givenToken();
    const kept = (await readSessions()).servers[url];
    if (token === undefined && !kept) throw signedOut(url);
    const { iss, sub, email, name } = token === undefined ? {} : claimsOf(token);
    const who =
      token === undefined
        ? { server: url, issuer: kept?.issuer, ...kept?.who }
        : { server: url, issuer: iss, subject: sub, email, name, token: "PLATFORM_TOKEN" };
    print(formatted(who, outputOf(given), ["email", "name", "subject", "issuer", "server"]));
  },
};
