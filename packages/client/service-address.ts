import { trimEndOf } from "platform-contract/trim";
import { parseUrl } from "platform-contract/url";

/** The API's address of a `config.json` at `base`, which it can be relative to: absolute, without a trailing slash. */
export const apiAddress = (text: string, base: string): string => trimEndOf(new URL(text, base).href, "/");

/**
 * The issuer of a `config.json` at `base`, which it can be relative to. Issuers are compared as strings (OpenID Connect
 * Discovery 4.3), so an absolute one stays unchanged.
 */
export const issuerAddress = (text: string, base: string): string =>
  parseUrl(text) ? text : new URL(text, base).href;
