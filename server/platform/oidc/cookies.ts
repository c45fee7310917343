import { createHash } from "node:crypto";

import type { Config } from "../../config";
import type { Site } from "./site";

interface Attributes {
  readonly httpOnly: true;
  readonly sameSite: "lax";
  readonly secure: boolean;
  readonly path: string;
}

export interface Cookies {
  readonly names: Readonly<
    Record<"session" | "interaction" | "resume" | "device" | "mark" | "upstream" | "providers", string>
  >;
  /** For long-lived cookies, such as session and device. */
  readonly lasting: Attributes;
  /** For cookies of a single sign-in; the provider sets their paths. */
  readonly short: Omit<Attributes, "path">;
}

/** Names and attributes of the cookies of the sign-in pages. */
export function cookiesOf({ issuer }: Config, { protocol, mount }: Site): Cookies {
  // Cookies ignore ports: two services on one host must not share them.
  const service = createHash("sha256").update(issuer).digest("hex").slice(0, 8);
  const secure = protocol === "https";
  const short = { httpOnly: true, sameSite: "lax", secure } as const;
  // Browsers only accept `__Host-` cookies from this exact host: no sibling domain can plant a session (RFC 6265bis,
  // section 4.1.3). The prefix requires the path "/", which can be shared unless the service is at the root.
  const ownHost = secure && mount === "/oidc";
  const prefix = secure ? "__Secure-" : "";
  const lastingPrefix = ownHost ? "__Host-" : prefix;
  return {
    names: {
      session: `${lastingPrefix}session_${service}`,
      device: `${lastingPrefix}device_${service}`,
      mark: `${lastingPrefix}mark_${service}`,
      upstream: `${lastingPrefix}upstream_${service}`,
      providers: `${lastingPrefix}providers_${service}`,
      interaction: `${prefix}interaction_${service}`,
      resume: `${prefix}resume_${service}`,
    },
    lasting: { ...short, path: ownHost ? "/" : mount },
    short,
  };
}
