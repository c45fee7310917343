import { check as findings, exitCodeOf, type Finding } from "./check";
import type { Command } from "./command-line";
import { ConfigError, readConfig } from "./config";
import { createLog, levelOf } from "./log";
import { DEMO_OWNER, DEMO_PASSWORD } from "./demo";
import { reasonOf } from "./reason";
import { start as startService, type Service } from "./start";
import { STOP_MS } from "./stop-times";
import { migrate as migrateDatabase } from "./platform/store/migrate";
import { openDatabase } from "./platform/store/open";

const log = createLog(levelOf(process.env["LOG_LEVEL"]));
// Text for humans goes to standard error: standard output has JSON lines only.
const say = (text: string) => void process.stderr.write(`${text}\n`);
/** Milliseconds within which a repeated signal counts as one. */
const TWICE_IS_ONCE = 1_000;

/** A command without options of its own. */
const bare = (usage: string, work: () => unknown): Command => ({
  usage,
  run: (args) => {
    if (args.length === 0) return work();
    say(usage);
    process.exitCode = 2;
    return undefined;
  },
});

/** @param consoleDirectory output of the console's build */
export const start = (consoleDirectory: string): Command =>
  bare(
    `platform-console start
Starts the service: API, sign-in and console on HOST and PORT, until SIGTERM or SIGINT. It migrates the database first.
Standard output has the log, a line of JSON each; standard error what people read, such as a password that it made.`,
    () => orSay("The service did not start.", () => serve(consoleDirectory)),
  );

export const check: Command = bare(
  `platform-console check
Checks what a start needs, without starting, and changes nothing: the settings, the database, the room on the disk, the trusted
issuers, the mail server. Each line begins with ok, warning or failed.
Exit code: 0, the service can start; 3, it can, but a line is a warning; 1, it cannot.`,
  async () => void (process.exitCode = await tellCheck()),
);

export const migrate: Command = bare(
  `platform-console migrate
Brings the database of DATA_DIR or DATABASE_URL to the schema of this version, as a start does, and ends. It makes an empty
database if there is none.`,
  () => orSay("The database was not migrated.", migrateOnly),
);

async function orSay(failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Print one sentence for the operator. Errors that are not about the configuration also go to the log.
    if (!(error instanceof ConfigError)) log.fatal({ err: error }, "could not start");
    say(`${failed}\n${reasonOf(error)}`);
    process.exit(1);
  }
}

async function migrateOnly(): Promise<void> {
  const database = await openDatabase(readConfig(process.env));
  try {
    await migrateDatabase(database);
  } finally {
    await database.close();
  }
  say("The database has the schema of this version.");
}

/** Returns the exit code. */
async function tellCheck(): Promise<number> {
  const results: Finding["result"][] = [];
  for await (const { result, what, sentence } of findings(process.env)) {
    process.stdout.write(`${result.padEnd(8)} ${what.padEnd(14)} ${sentence}\n`);
    results.push(result);
  }
  return exitCodeOf(results);
}

async function serve(consoleDirectory: string): Promise<void> {
  const service = await startService(process.env, { log, consoleDirectory });
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    // npm forwards a signal that the terminal has already sent. A later one means that the user does not want to wait.
    if (since !== undefined && performance.now() - since > TWICE_IS_ONCE) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    log.info({ signal }, "stopping");
    setTimeout(
      () => {
        log.fatal("could not stop in time");
        process.exit(1);
      },
      STOP_MS + service.config.shutdownDelay * 1_000,
    ).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, "could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  // Log this last: a reader of the log can stop the service immediately.
  const { config } = service;
  log.info({ address: config.publicUrl, database: service.database.kind }, "started");
  say(
    `\nPlatform Console is running at ${config.publicUrl}/\n${howToSignIn(service)}${newPasswords(service)}`,
  );
}

/** Generated passwords are shown only by the start that created them. */
function howToSignIn({ config, adminPassword, demo }: Service): string {
  const lines = demo?.map(({ email, password, why }) => `  ${email}  ${password}  ${why}`) ?? [];
  if (adminPassword !== undefined)
    return [
      `Sign in as ${config.adminEmail} with the password ${adminPassword} (shown only once).`,
      ...lines,
    ].join("\n");
  if (demo && config.adminPassword === undefined)
    lines.unshift(`  ${config.adminEmail}  ${DEMO_PASSWORD}  ${DEMO_OWNER.why}`);
  if (demo) return ["Sign in as one of:", ...lines].join("\n");
  if (config.seed === "demo")
    return `Sign in as ${config.adminEmail}, or as one of the people on the sign-in page.`;
  return config.signUp === "open"
    ? 'Sign in there, or choose "Create an account".'
    : `Sign in as ${config.adminEmail}.`;
}

/** The new passwords are shown here only; they cannot be recovered later. */
function newPasswords({ replaced }: Service): string {
  if (replaced.length === 0) return "";
  const lines = replaced.map(({ email, password }) => `  ${email}  ${password}`);
  const why = "These accounts had the demo password published in the README. Their sessions have ended;";
  return [`\n${why}`, "their new passwords, shown only once:", ...lines].join("\n");
}
