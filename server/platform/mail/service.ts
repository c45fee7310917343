import { isIP } from "node:net";

import type { Config } from "../../config";
import type { Log } from "../../log";
import type { Database } from "../store/database";
import { sealedTexts } from "../store/keys/sealed-texts";
import type { MailSettings } from "../../smtp";
import { createCompose } from "./compose";
import { createPost, type Post } from "./post";
import { startSender, type TIMES } from "./sender";
import { createTransport, factsOf, type Transport } from "./transport";

/** How the service calls itself to the mail server. */
function ownName({ publicUrl }: Config): string {
  const host = new URL(publicUrl).hostname;
  return isIP(host) ? `[${host}]` : host;
}

export const transportOf = (config: Config, mail: MailSettings): Promise<Transport> =>
  createTransport(mail, ownName(config));

export interface MailService {
  readonly post: Post;
  stop(): Promise<void>;
}

/** Starts to send mail; undefined without SMTP_URL. A server that does not answer is only told: it can recover. */
export async function startMail({
  config,
  database,
  log,
  times,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly times?: typeof TIMES;
}): Promise<MailService | undefined> {
  if (!config.mail) return undefined;
  const transport = await transportOf(config, config.mail);
  const compose = createCompose(config, database, sealedTexts(config));
  const sender = startSender({ database, transport, compose, log, ...(times && { times }) });
  void transport
    .check()
    .catch((error: unknown) =>
      log.warn(factsOf(error), "SMTP_URL: the mail server cannot be used; mails wait until it can"),
    );
  return { post: createPost(sender.wake), stop: sender.stop };
}
