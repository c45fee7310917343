// A neighbor in a process of its own, so that its waits are the service's and not those of the attacker's event loop:
// requests a small list again and again until its input ends, then prints how long each took, in milliseconds.
const [, , address, token] = process.argv;
process.stdin.resume();

const waits = [];
while (!process.stdin.readableEnded || waits.length < 10) {
  const begin = performance.now();
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  if (response.status !== 200) throw new Error(`the neighbor is refused with ${response.status}`);
  waits.push(performance.now() - begin);
}
process.stdout.write(JSON.stringify(waits), () => process.exit());
