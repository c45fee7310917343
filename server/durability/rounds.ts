import { startBuilt, type BuiltService } from "../testing/built-service";
import type { Findings } from "./ledger";
import { random } from "./random";
import { Api, Writer } from "./writers";

const SECRET = "kill-rounds-0123456789";
const WRITERS = 6;

/** Figures of a series of rounds, for printing. */
export interface Figures {
  rounds: number;
  acknowledged: number;
  /** Writes without a response that turned out to have happened. */
  arrived: number;
  unavailable: number;
  readonly lost: string[];
  readonly odd: string[];
}

/** A service that is killed repeatedly, and writers that know what it acknowledged. */
export class Rounds {
  readonly figures: Figures = { rounds: 0, acknowledged: 0, arrived: 0, unavailable: 0, lost: [], odd: [] };
  readonly random: () => number;
  readonly #writers: Writer[];
  #service: BuiltService | undefined;
  #port = "0";

  constructor(
    readonly variables: Readonly<Record<string, string>>,
    seed: number,
  ) {
    this.random = random(seed);
    this.#writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`w${index}`, this.random));
  }

  get service(): BuiltService {
    if (!this.#service) throw new Error("not started");
    return this.#service;
  }

  async start(): Promise<void> {
    // The same port each time: the URL is part of everybody's identity.
    this.#service = await startBuilt({
      SEED: "demo",
      AUTOMATION_CLIENT_SECRET: SECRET,
      TRUSTED_ISSUERS: "https://issuer.example",
      ...this.variables,
      PORT: this.#port,
    });
    this.#port = new URL(this.#service.url).port;
  }

  /**
   * All writers run in parallel until a random number of acknowledged writes plus some random milliseconds; then
   * `strike` runs. Returns when every writer has noticed.
   */
  async write(strike: () => Promise<unknown>): Promise<void> {
    const api = await this.#api();
    const enough = 20 + Math.floor(this.random() * 150);
    const moment = this.random() * 40;
    let written = 0;
    let reached: () => void = () => {};
    const soon = new Promise<void>((resolve) => (reached = resolve));
    const count = () => {
      this.figures.acknowledged++;
      if (++written === enough) setTimeout(reached, moment);
    };
    const writing = Promise.all(this.#writers.map((writer) => writer.run(api, count)));
    await Promise.race([soon, writing]);
    await strike();
    await writing;
    if (written < enough) throw new Error(`the writers stopped by themselves: ${this.#complaints()}`);
    this.figures.rounds++;
  }

  /** Reads everything and compares it with what was acknowledged. */
  async compare(): Promise<Findings[]> {
    const api = await this.#api();
    const actual = await api.everything();
    const findings = this.#writers.map((writer) => writer.ledger.settle(actual, writer.mine));
    const { figures } = this;
    for (const { lost, arrived } of findings) {
      figures.lost.push(...lost);
      figures.arrived += arrived;
    }
    figures.unavailable = this.#writers.reduce((sum, { unavailable }) => sum + unavailable, 0);
    figures.odd.splice(0, figures.odd.length, ...this.#writers.flatMap(({ odd }) => odd));
    return findings;
  }

  async #api(): Promise<Api> {
    const api = new Api(this.service.url, SECRET);
    await api.signIn();
    return api;
  }

  #complaints = (): string => this.#writers.flatMap(({ odd }) => odd).join("\n");
}
