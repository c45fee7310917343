import type { Provider } from "oidc-provider";

import type { Config } from "../../config";
import type { Log } from "../../log";
import type { Post } from "../mail/post";
import type { Database } from "../store/database";
import type { DemoAccounts } from "./demo-accounts";
import type { Cookies } from "./cookies";
import type { Devices } from "./devices";
import type { Marks } from "./marks";
import type { RememberedProviders } from "./remembered-providers";
import type { Site } from "./site";
import type { SealedTexts } from "../store/keys/sealed-texts";
import type { Throttle } from "./throttle";
import type { Upstream } from "./upstream-client";

/** Dependencies of the handlers of the provider's own pages. */
export interface PageContext {
  readonly config: Config;
  readonly site: Site;
  readonly database: Database;
  readonly provider: Provider;
  readonly throttle: Throttle;
  readonly devices: Devices;
  readonly marks: Marks;
  readonly demoAccounts: DemoAccounts;
  readonly cookies: Cookies;
  readonly remembered: RememberedProviders;
  readonly upstream: Upstream;
  /** Encrypts what is not for the database alone. */
  readonly texts: SealedTexts;
  readonly log: Log;
  /** Undefined if the service sends no mail. */
  readonly mail: Post | undefined;
  readonly now: () => Date;
}
