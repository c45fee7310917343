import { fileURLToPath } from "node:url";

import { ConfigError } from "./config";
import { createLog } from "./log";
import { DEMO_OWNER, DEMO_PASSWORD } from "./demo";
import { start, type Service } from "./start";

const log = createLog();
// For people, beside the log: standard output holds JSON lines only.
const say = (text: string) => void process.stderr.write(`${text}\n`);
/** Milliseconds within which two signals are one. */
const TWICE_IS_ONCE = 1_000;

try {
  const consoleDirectory = fileURLToPath(new URL("../../dist", import.meta.url));
  const service = await start(process.env, { log, consoleDirectory });
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    // npm passes on what the terminal has sent already; whoever asks again after that does not want to wait.
    if (since !== undefined && performance.now() - since > TWICE_IS_ONCE) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    log.info({ signal }, "stopping");
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, "could not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  // Last: whoever reads it may stop the service at once.
  const { config } = service;
  log.info({ address: config.publicUrl, database: service.database.kind }, "started");
  say(`\nPlatform Console runs at ${config.publicUrl}/\n${howToSignIn(service)}${newPasswords(service)}`);
} catch (error) {
  // A sentence for whoever started it; what is not about the configuration goes to the log as well.
  if (!(error instanceof ConfigError)) log.fatal({ err: error }, "could not start");
  say(`The service did not start.\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** Passwords that were made up are said at the one start that made them. */
function howToSignIn({ config, adminPassword, demo }: Service): string {
  const lines = demo?.map(({ email, password, why }) => `  ${email}  ${password}  ${why}`) ?? [];
  if (adminPassword !== undefined)
    return [
      `Sign in as ${config.adminEmail} with the password ${adminPassword}, shown this once.`,
      ...lines,
    ].join("\n");
  if (demo && config.adminPassword === undefined)
    lines.unshift(`  ${config.adminEmail}  ${DEMO_PASSWORD}  ${DEMO_OWNER.why}`);
  if (demo) return ["Sign in as one of:", ...lines].join("\n");
  if (config.seed === "demo") return `Sign in as ${config.adminEmail}, or as one of the people in README.md.`;
  return config.signUp === "open"
    ? 'Sign in there, or choose "Create an account".'
    : `Sign in as ${config.adminEmail}.`;
}

/** Nobody else knows them from here on. */
function newPasswords({ replaced }: Service): string {
  if (replaced.length === 0) return "";
  const lines = replaced.map(({ email, password }) => `  ${email}  ${password}`);
  const why =
    "These accounts had the demo's password, which the README tells everybody. Their sessions are over;";
  return [`\n${why}`, "the new passwords, shown this once:", ...lines].join("\n");
}
