import { Ground } from "../../conformance/ground";
import type { Person, Wire, World } from "../../conformance/world";

interface Stored {
  /** Uid of the subscription. */
  readonly to: string;
  /** A CloudEvent in its JSON format. */
  readonly event: Wire;
}

/** `dev.chainguard.api.iam.group.created.v1` as `iam.group.created`. */
export const short = (type: string) => type.replace(/^dev\.chainguard\.api\./, "").replace(/\.v1$/, "");

/** An organization and a folder in it with subscriptions to a dead sink: stored events stay stored. */
export class Listeners {
  readonly world: World;
  readonly owner: Person;
  readonly folder: string;
  readonly organization: string;

  private constructor(
    readonly ground: Ground,
    /** The subscription of the organization. */
    readonly everywhere: string,
    /** The subscription of the folder. */
    readonly below: string,
  ) {
    ({ world: this.world, owner: this.owner, folder: this.folder, organization: this.organization } = ground);
  }

  static async open(): Promise<Listeners> {
    const ground = await Ground.open();
    const subscribe = (parent: string) =>
      ground.create("subscriptions", parent, { sink: `http://127.0.0.1:9/${parent.length}` });
    const everywhere = await subscribe(ground.organization);
    return new Listeners(ground, everywhere, await subscribe(ground.folder));
  }

  /** Removes and returns the pending deliveries. */
  async taken(): Promise<Stored[]> {
    const rows = await this.world.service.database.query<{ to: string; event: string }>(
      `delete from event_deliveries returning subscription_uid as to, event`,
    );
    return rows.map(({ to, event }) => ({ to, event: JSON.parse(event) as Wire }));
  }

  /** Same, but returns only those of one subscription. */
  async takenBy(subscription: string): Promise<Wire[]> {
    return (await this.taken()).filter(({ to }) => to === subscription).map(({ event }) => event);
  }

  /** The organization's events, in short form and sorted: `iam.group.created <uid>`. */
  async told(): Promise<string[]> {
    const events = await this.takenBy(this.everywhere);
    return events.map((event) => `${short(event["type"])} ${event["subject"]}`).toSorted();
  }
}
