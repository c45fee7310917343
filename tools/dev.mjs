import { createServer } from "vite";

const service = process.env.SERVICE_URL ?? "http://127.0.0.1:8080";
const server = await createServer();
await server.listen();
const address = server.resolvedUrls?.local[0] ?? "";

const how = `CONSOLE_URLS=${address} npm start`;
try {
  // Sign-in can return here only if the service knows this address; its preflight response shows whether it does.
  const origin = new URL(address).origin;
  const headers = { origin, "access-control-request-method": "GET" };
  const answer = await fetch(`${service}/ping/v2/ping`, { method: "OPTIONS", headers });
  if (answer.headers.get("access-control-allow-origin") !== origin)
    console.log(`The service at ${service} does not know this console. Start it with:\n\n  ${how}\n`);
} catch {
  console.log(`No service is running at ${service}. Start it first, in another terminal:\n\n  ${how}\n`);
}
server.printUrls();
