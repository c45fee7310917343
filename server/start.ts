import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONWebKeySet } from "jose";

import { privateHostsFor } from "./addresses";
import { createAuthenticator } from "./platform/access/authenticate";
import { checkIssuers } from "./platform/access/issuers";
import { startForwarder } from "./platform/audit/forward/forwarder";
import { startHeadMails } from "./platform/audit/head-mails";
import { ConfigError, readConfig, type Config } from "./config";
import { startRepeated } from "./background";
import { startDispatcher, type Dispatcher, type Stored } from "./platform/delivery/dispatcher";
import { sendEndings } from "./platform/delivery/ending-events";
import { withEvents } from "./platform/delivery/outbox";
import { createSend } from "./platform/delivery/send";
import { createSign } from "./platform/delivery/signature";
import { unknownVariables } from "./environment";
import { createGrpc, isGrpc, refuseGrpcWhileStarting } from "./platform/grpc/service";
import { createHandlers } from "./platform/http/handlers";
import { createCore, createListener } from "./platform/http/app";
import type { Calls } from "./platform/http/calls";
import { withoutWrites } from "./platform/http/read-only";
import { createProbes } from "./platform/http/probes";
import { createHttpServer, forHttp2, type Http2Listener, type Listener } from "./platform/http/server";
import { refuseAll } from "./platform/http/starting";
import type { Log } from "./log";
import { startMail, type MailService } from "./platform/mail/service";
import { createObservers, type Observers } from "./platform/observe/observer";
import { ensureAdmin } from "./platform/oidc/admin-account";
import { packageIngest } from "./commands/ingest/packages";
import { mailEndings } from "./domains/notices/ending-mails";
import { startRanking } from "./domains/vulnerabilities/advisory-ranks";
import { startUseCounter } from "./domains/access/use-counter";
import { startQuarterly } from "./domains/reviews/quarterly";
import { startPullCounter } from "./domains/registry/pull-counter";
import { startRetention, type RetentionRuns } from "./domains/registry/retention/run";
import { startRegistryWatch } from "./domains/registry/registry-watch";
import { createRegistryClient } from "./platform/registry/client";
import type { Pull } from "./platform/registry/events";
import { loadRegistryKeys } from "./platform/registry/keys";
import { createRegistrySigner } from "./platform/registry/tokens";
import { now } from "./platform/store/clock";
import { createProvider, type OidcProvider } from "./platform/oidc/provider";
import { readTypeface } from "./platform/oidc/typeface";
import { outbound } from "./outbound";
import { GRACE_MS } from "./stop-times";
import { AUTOMATION_UID, bindAutomation, demoAdmin, seedDemo, type DemoAccount } from "./commands/seed/demo";
import { replaceDemoPasswords, type NewPassword } from "./commands/seed/demo-passwords";
import type { Database } from "./platform/store/database";
import { sealAnew, sealedTexts } from "./platform/store/keys/sealed-texts";
import { preparePageTokens } from "./platform/store/lists/page-tokens";
import { scheduleSweep } from "./platform/store/maintenance";
import { migrate, oneAfterAnother } from "./platform/store/migrate";
import { ensureQuotas } from "./platform/store/quotas";
import { openDatabase } from "./platform/store/open";
import { ensureBuiltInRoles } from "./domains/access/roles.table";
import { createStatementTurns } from "./turns";
import { portOf } from "./port";

/** How often to look for what ends soon. */
const TELL_MS = 3_600_000;

export interface Service {
  readonly config: Config;
  readonly database: Database;
  readonly provider: OidcProvider;
  /** The password generated for ADMIN_EMAIL; set only at the start that generated it. */
  readonly adminPassword: string | undefined;
  /** Set only at the start that seeded the demo organization. */
  readonly demo: readonly DemoAccount[] | undefined;
  /** Accounts that had the demo password until this start, with their new passwords. */
  readonly replaced: readonly NewPassword[];
  /** Address for Prometheus to scrape. */
  readonly metricsUrl: string | undefined;
  /** What requests hold now. */
  places: Calls["places"];
  /** Writes what is counted in memory so far, without waiting for the minute to end: pulls, and use of capabilities. */
  writeCounts(): Promise<void>;
  /** Stops listening, waits for running requests, closes the database. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly log: Log;
  /** Output directory of the console's `vite build`. */
  readonly consoleDirectory: string;
  /** Additional keys that can sign tokens of the service's own issuer: for tests. */
  readonly moreKeys?: JSONWebKeySet["keys"];
}

/**
 * Starts the service from its environment: configuration, port, database, provider, then serves everything. Binds the
 * port early, so that a busy port is reported before any data is touched; until startup is done, requests are told to
 * retry. Throws a ConfigError or a database error.
 */
export async function start(
  variables: Readonly<Record<string, string | undefined>>,
  options: StartOptions,
): Promise<Service> {
  const { log } = options;
  const wanted = readConfig(variables);
  for (const sentence of unknownVariables(variables)) options.log.warn(sentence);
  let listener: Listener = refuseAll(wanted, "The service is starting");
  let grpc: Http2Listener = refuseGrpcWhileStarting;
  const probes = createProbes(wanted, options.log);
  const answer = probes.before((request, response) => listener(request, response));
  const answerHttp2 = forHttp2(answer);
  const server = createHttpServer(wanted, answer, undefined, (request, response) => {
    if (isGrpc(request)) grpc(request, response);
    else answerHttp2(request, response);
  });
  const port = await listen(server, wanted);
  // With PORT=0 the system picks the port, and the public address follows it unless it is set.
  const config = wanted.port === 0 ? readConfig({ ...variables, PORT: String(port) }) : wanted;
  let database: Database | undefined;
  let observers: Observers | undefined;
  let mail: MailService | undefined;
  try {
    observers = await createObservers(config, variables);
    // In parallel with the database: an issuer that stalls can take five seconds.
    const [opened, checked] = await Promise.allSettled([
      openDatabase(config, log),
      checkIssuers(config.trustedIssuers),
    ]);
    if (opened.status === "rejected") throw opened.reason;
    let dispatcher: Dispatcher | undefined;
    const eventful = withEvents(opened.value, config, (stored) => dispatcher?.wake(stored));
    const statements = createStatementTurns(eventful);
    database = observers.watched(
      config.readOnly
        ? eventful
        : scheduleSweep(eventful, { turns: statements, auditDays: config.auditRetentionDays, log }),
    );
    if (checked.status === "rejected") throw checked.reason;
    // Before anything is logged: the log is one of the tables that a migration makes.
    await migrate(opened.value);
    opened.value.limitStatements?.();
    mail = config.readOnly ? undefined : await startMail({ config, database, log: options.log });
    let retention: RetentionRuns | undefined;
    const assembled = await assemble(config, database, observers, {
      ...options,
      mail,
      wakeRetention: () => retention?.wake(),
      wake: (subscription) => dispatcher?.wakeOne(subscription),
    });
    ({ listener, grpc } = assembled);
    probes.serve(database);
    const { provider, told, places, writeCounts, endCalls, registry } = assembled;
    const sign = createSign(config, database);
    const request = outbound({
      anywhere: config.fetchAnywhere,
      hosts: config.sinkHosts,
      privateHosts: privateHostsFor(config.privateHosts, "sink"),
    });
    const send = createSend(request, sign);
    if (!config.readOnly) dispatcher = startDispatcher({ database, send, log: options.log, statements });
    const delivery = dispatcher;
    const ranking = config.readOnly ? undefined : startRanking({ database, log, turns: statements });
    const forwarder = startForwarder({
      database,
      log: options.log,
      targets: config.readOnly ? [] : config.auditForward,
      token: config.auditForwardToken,
      publicUrl: config.publicUrl,
    });
    const headMails =
      config.auditHeadMails &&
      mail &&
      startHeadMails({ config, database, post: mail.post, log: options.log });
    const post = config.endingMails ? mail?.post : undefined;
    const events = { config, database, wake: (stored: readonly Stored[]) => dispatcher?.wake(stored) };
    const telling = config.readOnly
      ? undefined
      : startRepeated(TELL_MS, options.log, {
          "ending-events": () => sendEndings(events),
          "access-reviews": () => startQuarterly({ ...events, log }),
          ...(post && { "ending-mails": () => mailEndings({ ...events, post }) }),
        });
    retention =
      config.retentionRuns && !config.readOnly
        ? startRetention({ database, config, registry, log: options.log, turns: statements })
        : undefined;
    const runs = retention;
    observers.watchService({ database, places, targets: config.auditForward });
    const stopAll = async () => {
      probes.leave();
      if (config.shutdownDelay > 0) await sleep(config.shutdownDelay * 1_000);
      // The port closes at once: while the deliveries end, nobody new is let in.
      await Promise.all([delivery?.stop(), close(server)]);
      await endCalls();
      await Promise.all([
        forwarder.stop(),
        headMails && headMails.stop(),
        telling?.stop(),
        ranking?.stop(),
        runs?.stop(),
      ]);
      await mail?.stop();
      await end(database, observers);
    };
    const { metricsUrl } = observers;
    return { config, database, provider, metricsUrl, ...told, places, writeCounts, stop: stopAll };
  } catch (error) {
    await close(server);
    await mail?.stop();
    await end(database, observers);
    throw error;
  }
}

async function assemble(
  config: Config,
  database: Database,
  observer: Observers,
  {
    log,
    consoleDirectory,
    moreKeys,
    mail,
    wake,
    wakeRetention,
  }: StartOptions & {
    readonly mail: MailService | undefined;
    readonly wakeRetention: () => void;
    readonly wake: (subscription: string) => void;
  },
) {
  const lost = await sealAnew(database, sealedTexts(config));
  if (lost > 0)
    log.warn(
      { lost },
      "client secrets and secrets of authenticator apps are encrypted with a key other than SECRET_KEY or DATA_DIR/secret.key",
    );
  const told = await oneAfterAnother(database, async () => {
    await ensureBuiltInRoles(database);
    await preparePageTokens(database);
    await ensureQuotas(database);
    const found = await people(config, database);
    await bindAutomation(config, database);
    return { ...found, replaced: await replaceDemoPasswords(config, database) };
  });
  const typeface = readTypeface(consoleDirectory);
  const provider = await createProvider({ config, database, log, typeface, mail: mail?.post });
  const ownKeys = async (kid?: string) => ({
    keys: [...(await provider.jwks(kid)).keys, ...(moreKeys ?? [])],
  });
  const authenticator = createAuthenticator({ config, database, ownKeys, automation: AUTOMATION_UID });
  const registry = await connectRegistry(config, database, log);
  const all = createHandlers({
    config,
    database,
    mail: mail?.post,
    registry: registry?.client,
    wake,
    wakeRetention,
  });
  const handlers = config.readOnly ? withoutWrites(all) : all;
  const onLooks = () => registry?.watch?.wake();
  const onPulls = (pulls: readonly Pull[]) => registry?.counter?.add(pulls);
  const { capabilityUseDays: days } = config;
  const use = config.readOnly || days === 0 ? undefined : startUseCounter({ database, log, days });
  const app = {
    config,
    database,
    provider,
    authenticator,
    handlers,
    log,
    consoleDirectory,
    observer,
    onLooks,
    onPulls,
    use,
  };
  const core = createCore(app);
  const grpc = createGrpc({ config, log, operations: core.router.operations, calls: core.calls });
  const { places } = core.calls;
  const endCalls = async () => {
    await registry?.counter?.stop();
    await registry?.watch?.stop();
    await use?.stop();
    await core.end();
  };
  const writeCounts = async () => {
    await registry?.counter?.flush();
    await use?.flush();
  };
  const listener = createListener(app, core);
  return { provider, told, listener, grpc, places, writeCounts, endCalls, registry: registry?.client };
}

/** The registry behind the service, and what looks into it; undefined if none is configured. */
async function connectRegistry(config: Config, database: Database, log: Log) {
  if (!config.registry) return undefined;
  await loadRegistryKeys(database, config.keyMaxAge, now());
  const client = createRegistryClient(config.registry, createRegistrySigner(config.registry, database));
  if (config.readOnly) return { client };
  const watch = startRegistryWatch({ database, client, log, ingest: packageIngest(database) });
  const counter = startPullCounter({ database, log, days: config.registry.usageDays });
  return { client, watch, counter };
}

/** Ensures that someone can sign in. With open sign-up, the first user can create an account instead. */
async function people(
  config: Config,
  database: Database,
): Promise<{ adminPassword: string | undefined; demo: readonly DemoAccount[] | undefined }> {
  const { adminEmail: email, seed, signUp } = config;
  if (seed === "none" && signUp === "open" && config.adminPassword === undefined)
    return { adminPassword: undefined, demo: undefined };
  const first = await demoAdmin(config, database);
  const admin = await ensureAdmin(
    { config, database },
    {
      email,
      name: first.name,
      password: config.adminPassword ?? first.password,
    },
  );
  const demo = seed === "demo" ? await seedDemo(config, database, admin.subject) : undefined;
  return { adminPassword: admin.password, demo };
}

const listen = (server: Server, { host, port }: Config): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, () => resolve(portOf(server)));
  });

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new ConfigError(
      `PORT: port ${port} of ${host} is already in use; stop the other process or set another PORT`,
    );
  if (error.code === "EACCES")
    return new ConfigError(`PORT: this user cannot listen on port ${port} of ${host}`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new ConfigError(`HOST: ${host} is not an address of this machine`);
  return error;
}

/** Stops taking connections, and resolves when those that are busy have their answer, or were cut after GRACE_MS. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy at stop becomes idle later and stays open (keep-alive) unless we close it.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

async function end(database: Database | undefined, observers: Observers | undefined): Promise<void> {
  await database?.close();
  await observers?.stop();
}
