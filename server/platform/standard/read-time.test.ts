import { afterAll, beforeAll, expect, test } from "vitest";

import { World } from "../../conformance/world";
import { Changing } from "../../durability/moments";

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.service.stop());

test("as of a moment the API answers what it answered then, byte for byte", async () => {
  const changing = await Changing.open(world, 1);
  await changing.run(60);
  expect(await changing.compare(20)).toBeGreaterThan(200);
});
