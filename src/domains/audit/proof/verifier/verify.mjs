// Checks a proof of an audit log: node verify.mjs [folder] [--key=<thumbprint>]. Node 20 or newer, no packages.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { kind, startFold } from "./answer.mjs";

const given = process.argv.slice(2);
const folder = given.find((one) => !one.startsWith("--")) ?? fileURLToPath(new URL(".", import.meta.url));
const trusted = given.find((one) => one.startsWith("--key="))?.slice(6);
const say = (text) => console.log(text.replaceAll(/\p{C}/gu, "?"));
let faults = 0;
function check(isRight, where, what) {
  if (!isRight && (faults += 1) <= 20) say(`WRONG  ${where}: ${what}`);
}
const sha256 = (data, form = "hex") => createHash("sha256").update(data).digest(form);
const bytesOf = (name) => readFileSync(`${folder}/${name}`);
const decode = (part) => JSON.parse(Buffer.from(part, "base64url").toString());
function read(where, work, otherwise = {}) {
  try {
    return work();
  } catch (error) {
    check(false, where, `can't be read: ${error.message}`);
    return otherwise;
  }
}
const jsonIn = (name) => read(name, () => JSON.parse(bytesOf(name)));
const linesIn = (name) => read(name, () => bytesOf(name).toString().split("\n"), [""]);

// 1. Each file is the one that the manifest names.
const [start, ...end] = linesIn("SHA256SUMS").toReversed();
const named = end.map((line) => /^([0-9a-f]{64}) {2}([\w.]+)$/.exec(line) ?? []);
check(start === "" && named.every(([line]) => line), "SHA256SUMS", "has a line that isn't a hash and a file");
const files = "README.txt answer.json answer.mjs entries.jsonl head.jws keys.json question.json verify.mjs";
for (const name of [...files.split(" "), ...(kind === "review" ? ["report.json", "report.jws"] : [])])
  check(
    named.some(([, , one]) => one === name),
    "SHA256SUMS",
    `doesn't name ${name}`,
  );
for (const [, hash, name] of named)
  if (name) check(read(name, () => sha256(bytesOf(name))) === hash, name, "isn't the file of SHA256SUMS");

// 2. Each entry follows from the one before it, and none is missing. On the way the question is answered.
const question = jsonIn("question.json");
check(question.kind === kind, "question.json", `is a question of another kind (${question.kind})`);
const fold = startFold({ record: {}, from: "", ...question });
const [last, ...entries] = linesIn("entries.jsonl").toReversed();
check(last === "", "entries.jsonl", "has no end of the last line");
let first;
let before;
for (const [index, line] of entries.toReversed().entries()) {
  const where = `entries.jsonl line ${index + 1}`;
  read(where, () => {
    const entry = JSON.parse(line);
    const { uid, createTime, sequence, hash, previousHash, ...rest } = entry;
    const text = [previousHash, sequence, uid, Date.parse(createTime), JSON.stringify(rest)].join("\n");
    check(JSON.stringify(entry) === line, where, "isn't written as the service does");
    check(sha256(text) === hash, where, `entry ${sequence} was changed`);
    const next = before ? Number(before.sequence) + 1 : Number(sequence);
    check(Number(sequence) === next, where, `has entry ${sequence} instead of ${next}: missing, or moved`);
    const follows = before ? before.hash : sequence === "1" ? "" : previousHash;
    check(previousHash === follows, where, `entry ${sequence} doesn't follow from the line before it`);
    first ??= entry;
    before = entry;
    fold.add(entry);
  });
}

// 3. The service signed the end of these entries.
const keys = read("keys.json", () => JSON.parse(bytesOf("keys.json")).keys, []);
const signed = (file, type) =>
  read(file, () => {
    const [head, body, end] = bytesOf(file).toString().split(".");
    const { alg, typ, kid } = decode(head);
    const { crv, kty, x, y } = keys.find((one) => one.kid === kid) ?? {};
    const key = {
      key: createPublicKey({ key: { crv, kty, x, y }, format: "jwk" }),
      dsaEncoding: "ieee-p1363",
    };
    const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(end, "base64url"));
    check(isSigned && alg === "ES256" && typ === type, file, "isn't signed with a key in keys.json");
    const thumbprint = sha256(JSON.stringify({ crv, kty, x, y }), "base64url");
    check(thumbprint === kid, "keys.json", `the ID of the key ${kid} isn't its thumbprint`);
    return { ...decode(body), thumbprint };
  });
const head = signed("head.jws", "platform-audit-head+jwt");
const isAsked = head.organization === question.organization?.uid && head.iss === question.service;
check(isAsked, "head.jws", "is of another organization or service than question.json");
const isThen = head.iat === Math.floor(Date.parse(question.time) / 1000);
check(isThen, "head.jws", `was signed at another time than question.json says (${question.time})`);
const isEnd = head.sequence === before?.sequence && head.hash === before?.hash;
check(isEnd, "head.jws", `is about entry ${head.sequence}; the last one in entries.jsonl is another one`);
check(!trusted || trusted === head.thumbprint, "keys.json", `has the key ${head.thumbprint}, not ${trusted}`);

// 4. The answer is what the entries say.
const answer = fold.end();
const told = linesIn("answer.json");
const own = `${JSON.stringify(answer, undefined, 2)}\n`.split("\n");
const other = [...own, ...told].findIndex((_, index) => own[index] !== told[index]);
check(other < 0, `answer.json line ${other + 1}`, "isn't what the entries say");
if (kind === "review") {
  const digest = `sha256:${sha256(read("report.json", () => bytesOf("report.json"), ""))}`;
  check(digest === answer.closed?.digest, "report.json", "isn't the report that the review was closed with");
  const report = signed("report.jws", "platform-snapshot+jwt");
  const isOwn = report.digest === digest && report.review === question.review;
  check(isOwn, "report.jws", "isn't the signature of this report");
}

if (faults === 0) {
  say(`Files: ${named.length}, each as in SHA256SUMS.`);
  say(
    `Entries: ${first.sequence} to ${before.sequence}, none changed, missing or moved, to the end that is signed.`,
  );
  say("Answer: computed from the entries, and equal to answer.json.");
  const compare = `(NOT compared: see whether it is a "kid" in ${head.iss}/audit/v1/jwks.json)`;
  say(`Key: ${head.thumbprint} ${trusted ? "as you said" : compare}`);
}
for (const one of [...answer.unknown, ...(question.notProven ?? [])]) say(`Unknown: ${one}`);
say(faults === 0 ? "VALID. Who asked is only what question.json says." : `NOT VALID: ${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
