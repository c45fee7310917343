import type { Provider } from "oidc-provider";

import type { Config } from "../config";
import type { Log } from "../log";
import type { Database } from "../store/database";
import type { DemoAccounts } from "./demo-accounts";
import type { Devices } from "./devices";
import type { Site } from "./site";
import type { Throttle } from "./throttle";

/** What the handlers of the provider's own pages work with. */
export interface Desk {
  readonly config: Config;
  readonly site: Site;
  readonly database: Database;
  readonly provider: Provider;
  readonly throttle: Throttle;
  readonly devices: Devices;
  readonly demoAccounts: DemoAccounts;
  readonly log: Log;
}
