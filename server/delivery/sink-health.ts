/** The experience of this process with one sink. */
interface Health {
  /** Requests in flight. */
  running: number;
  /** Failures since the last success. */
  failures: number;
  /** True if it has ever succeeded and has not failed too often since. */
  proven: boolean;
  /** Time before which nothing is sent to it, in milliseconds. */
  restsUntil: number;
}

/** Parallel requests to a sink that works, and to one that has yet to prove it. */
const AT_ONCE = { proven: 8, other: 1 };
/** Parallel requests to all sinks: working ones have reserved capacity that the others cannot take. */
const IN_ALL = { proven: 48, other: 16 };
/** Consecutive failures after which a sink no longer counts as working. */
const TOO_MANY = 5;
/** Milliseconds: the first backoff of a failing sink, which doubles with each failure, and the longest. */
const REST = { first: 250, longest: 60_000 };

/** Limits how much each sink is sent, so that a slow or dead one does not delay the others. */
export class SinkHealth {
  private readonly sinks = new Map<string, Health>();
  private readonly running = { proven: 0, other: 0 };

  private of(uid: string): Health {
    const known = this.sinks.get(uid) ?? { running: 0, failures: 0, proven: false, restsUntil: 0 };
    this.sinks.set(uid, known);
    return known;
  }

  /**
   * How many more deliveries each of these sinks can be sent now; omits those without room. The order is random, so
   * that no sink always comes first.
   */
  rooms(uids: readonly string[], time: number): Map<string, number> {
    const left = { proven: IN_ALL.proven - this.running.proven, other: IN_ALL.other - this.running.other };
    const rooms = new Map<string, number>();
    const mixed = uids.map((uid) => ({ uid, place: Math.random() })).toSorted((a, b) => a.place - b.place);
    for (const { uid } of mixed) {
      const { running, proven, restsUntil } = this.of(uid);
      const lane = proven ? "proven" : "other";
      const room = Math.min(AT_ONCE[lane] - running, left[lane]);
      if (room <= 0 || time < restsUntil) continue;
      left[lane] -= room;
      rooms.set(uid, room);
    }
    return rooms;
  }

  restsUntil = (uid: string): number => this.of(uid).restsUntil;

  /**
   * Takes room for one delivery.
   * @returns a function that releases it, given the outcome; it reports whether the sink has just started or stopped
   * working
   */
  take(uid: string): (succeeded: boolean, time: number) => "works" | "fails" | undefined {
    const health = this.of(uid);
    const lane = health.proven ? "proven" : "other";
    health.running += 1;
    this.running[lane] += 1;
    return (succeeded, time) => {
      health.running -= 1;
      this.running[lane] -= 1;
      const before = health.failures >= TOO_MANY;
      health.failures = succeeded ? 0 : health.failures + 1;
      const after = health.failures >= TOO_MANY;
      health.proven = succeeded || (health.proven && !after);
      const rest = Math.min(REST.first * 2 ** Math.min(health.failures, 20), REST.longest);
      health.restsUntil = health.proven ? 0 : time + rest * (0.5 + Math.random() / 2);
      return before === after ? undefined : after ? "fails" : "works";
    };
  }

  /** Forgets every sink without pending deliveries. */
  keep(uids: ReadonlySet<string>): void {
    for (const [uid, { running }] of this.sinks) if (running === 0 && !uids.has(uid)) this.sinks.delete(uid);
  }
}
