// A neighbor in a process of its own, so that its waits are the service's and not those of the attacker's event loop:
// requests a small list again and again until its input ends, then prints when each began and how long it took, in ms.
const [, , address, token] = process.argv;
process.stdin.resume();

const waits = [];
while (!process.stdin.readableEnded) {
  const at = Date.now();
  const begin = performance.now();
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  if (response.status !== 200) throw new Error(`the neighbor is refused with ${response.status}`);
  waits.push([at, performance.now() - begin]);
}
process.stdout.write(JSON.stringify(waits), () => process.exit());
