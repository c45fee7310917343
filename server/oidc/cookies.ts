import { createHash } from "node:crypto";

import type { Config } from "../config";
import type { Site } from "./site";

interface Attributes {
  readonly httpOnly: true;
  readonly sameSite: "lax";
  readonly secure: boolean;
  readonly path: string;
}

export interface Cookies {
  readonly names: Readonly<
    Record<"session" | "interaction" | "resume" | "device" | "upstream" | "providers", string>
  >;
  /** Of what lasts: session and device. */
  readonly lasting: Attributes;
  /** Of what lasts as long as one sign-in; the provider gives each its path. */
  readonly short: Omit<Attributes, "path">;
}

/** How the cookies of the sign-in pages are called, and where browsers send them. */
export function cookiesOf({ issuer }: Config, { protocol, mount }: Site): Cookies {
  // Cookies ignore ports: two services on one host must not take each other's.
  const service = createHash("sha256").update(issuer).digest("hex").slice(0, 8);
  const secure = protocol === "https";
  const short = { httpOnly: true, sameSite: "lax", secure } as const;
  // Browsers then take it from this very host alone: no neighbour under the same domain can plant a session of its own
  // (RFC 6265bis, section 4.1.3). The prefix asks for the path of the whole host, which may be somebody else's too.
  const ownHost = secure && mount === "/oidc";
  const prefix = secure ? "__Secure-" : "";
  const lastingPrefix = ownHost ? "__Host-" : prefix;
  return {
    names: {
      session: `${lastingPrefix}session_${service}`,
      device: `${lastingPrefix}device_${service}`,
      upstream: `${lastingPrefix}upstream_${service}`,
      providers: `${lastingPrefix}providers_${service}`,
      interaction: `${prefix}interaction_${service}`,
      resume: `${prefix}resume_${service}`,
    },
    lasting: { ...short, path: ownHost ? "/" : mount },
    short,
  };
}
