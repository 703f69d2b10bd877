// Writes the fixture of the release that is checked out: `npm run upgrade:generate`, from a commit whose product code is
// the release's. See README.md.
import { generationStopRequested, topics } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { dumpDatabases } from '@parley/testing/databases';
import { ParleyClient } from '@parley/testing/client';
import { freePort, startSecantus } from '@parley/testing/servers';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bothHooks } from '../accept-kill/kill-points.ts';
import { buildProduct, Product, root } from '../accept-kill/product.ts';
import { readFacts } from './facts.ts';
import { compress, mostBytes, pack, type Expected } from './fixture.ts';
import { hornQuestion, nextQuestion, queuedLine, readShown, runningLine, type Line, type Spoken } from './line.ts';
import { outsideAddress, startOutside, stalling } from './outside.ts';
import { anonymousHook, inStore, runParley } from './processes.ts';
import { emailOf, password, type Name, type People } from './people.ts';
import { buildScene } from './scene.ts';
import { ask, untilEnded, untilText } from './talk.ts';
import { growTree, queueIn } from './tree.ts';
import { fillShipyard, leaveSearch, leaveWaiting } from './waiting.ts';

const release = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
/** `name` names the state between two releases; `lines` is for a release whose chats have no branches. */
const { name: version = release.version, lines: hasLines } = parseArgs({
  options: { name: { type: 'string' }, lines: { type: 'boolean', default: false } },
}).values;
const isBetween = version !== release.version;
const work = mkdtempSync(join(tmpdir(), 'parley-fixture-'));
const data = join(work, 'data');
const out = join(import.meta.dirname, 'fixtures', version);
const unreadWord = 'Quarantine';
/** What the process had for itself, or says where it ran. */
const leftOut = ['./logs/*', './store.sqlite-shm', './store.sqlite.lock', './store.sqlite.reserve'];

buildProduct();
const outside = await startOutside();
const product = new Product({
  folder: data,
  port: await freePort(),
  // One slot for each organisation: the second question of one waits.
  variables: { PARLEY_OUTBOUND_ALLOW: outsideAddress, PARLEY_WORKER_SLOTS: '2' },
  hook: bothHooks(anonymousHook, outside.hook),
});
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const expected = await writeFolder();
  await assertUnread(expected.unread.id);
  await writeDatabases();
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
  console.log(`${version}: ${measure()} bytes in ${out}`);
} finally {
  await product.kill();
  outside.close();
  rmSync(work, { recursive: true, force: true });
}
process.exit(0);

/** The data folder of a process that was killed at work, and a backup from shortly before. */
async function writeFolder(): Promise<Expected> {
  await startOrFail();
  const { people, secrets, lines } = await buildScene(product.url, product.setupToken ?? '', outside);
  const shipyard = hasLines ? null : await fillShipyard(product.url, outside);
  await untilAllIsHandled(people);
  await product.stop();
  const orgIds = { Harbour: people.Ada.orgId!, Lighthouse: people.Eva.orgId! };
  const deadLetterId = await plantDeadLetter(orgIds.Harbour, people.Ada.me!.id);
  await startOrFail();
  const compared = hasLines ? lines : lines.filter(({ what }) => what === runningLine || what === queuedLine);
  const facts = await readFacts(people, {
    conversationIds: compared.map(({ conversationId }) => conversationId),
    documentIds: [],
  });
  const lineOf = (what: string) => lines.find((line) => line.what === what)!.conversationId;
  const running = {
    name: 'Cleo',
    conversationId: lineOf(runningLine),
    question: `${stalling}: how is the tide?`,
  } as const;
  const tree = hasLines ? null : await growTree(people.Cleo);
  if (shipyard) await leaveSearch(product.url, shipyard, outside);
  await people.Cleo.send(running.conversationId, running.question);
  await untilText(people.Cleo, running.conversationId);
  const queued = { name: 'Ada', conversationId: lineOf(queuedLine), question: hornQuestion } as const;
  const [{ question: horn }] = (await readShown(people.Ada, queued.conversationId)) as [Line['shown'][number]];
  const { answer } = await people.Ada.call('POST /api/chat/conversations/:conversationId/answers', {
    params: { conversationId: queued.conversationId },
    body: {
      parentId: horn.id,
      answerId: newId('message'),
      generationId: newId('generation'),
      model: 'builtin' as never,
    },
  });
  if (answer.generation?.status !== 'queued')
    throw new Error(`The question is ${answer.generation?.status}, not queued.`);
  if (tree) await queueIn(people.Cleo, tree);
  if (!isBetween) runParley(['backup', join(work, 'backup.tar'), '--data', data]);
  const takenAt = new Date().toISOString();
  const waiting = shipyard && (await leaveWaiting(product.url, shipyard));
  const unread = await people.Ada.upload('quarantine.md', `# ${unreadWord}\n\nA yellow flag asks for leave to land.`);
  await product.kill();
  pack(data, join(out, 'data.tar.gz'), leftOut);
  if (!isBetween) writeFileSync(join(out, 'backup.tar.gz'), compress(readFileSync(join(work, 'backup.tar'))));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root }).toString().trim();
  return {
    version,
    ...(isBetween && { isBetween }),
    commit,
    takenAt,
    orgIds,
    facts,
    secrets,
    deadLetterId,
    ...(hasLines && { lines: await readLines(lines, orgIds.Harbour) }),
    ...(tree && { tree }),
    ...(waiting && { waiting }),
    running,
    queued,
    unread: { id: unread.id, word: unreadWord },
  };
}

/**
 * What this release shows of these chats once nothing is being written, and what it tells a model next. On a copy: a
 * question more changes a chat.
 */
async function readLines(lines: readonly Spoken[], orgId: OrgId): Promise<Line[]> {
  const folder = join(work, 'asked');
  cpSync(data, folder, { recursive: true });
  const copy = new Product({ ...product.options, folder, port: await freePort() });
  if (!(await copy.start())) throw new Error(`The copy has not started: ${copy.said}`);
  const people = new Map<Name, ParleyClient>();
  const read: Line[] = [];
  try {
    outside.release();
    for (const line of lines) {
      const { name, conversationId } = line;
      const person = people.get(name) ?? (await signIn(copy.url, name));
      people.set(name, person);
      person.orgId = orgId;
      const params = { conversationId };
      if (line.isDeleted) await person.call('POST /api/chat/conversations/:conversationId/restore', { params });
      await untilEnded(person, conversationId);
      const shown = await readShown(person, conversationId);
      await ask(person, nextQuestion(line), { conversationId });
      const prompt = outside.prompts.get(nextQuestion(line));
      if (!prompt) throw new Error(`No model was asked in "${line.what}".`);
      read.push({ ...line, shown, prompt });
    }
    return read;
  } finally {
    await copy.kill();
    rmSync(folder, { recursive: true });
  }
}

async function signIn(url: string, name: Name): Promise<ParleyClient> {
  const person = new ParleyClient(url);
  await person.signIn(emailOf(name), password);
  return person;
}

async function startOrFail(): Promise<void> {
  if (!(await product.start())) throw new Error(`The product has not started: ${product.said}`);
}

/** No event is left, webhooks have told all, and no figure changes any more. */
async function untilAllIsHandled({ Ada }: People): Promise<void> {
  await eventually(
    async () => {
      const health = await Ada.call('GET /api/monitoring/all-organisations/:orgId/service-health', {
        params: { orgId: Ada.orgId! },
      });
      const waiting = health.services
        .map(({ events }) => events?.outbox.waiting ?? 1)
        .reduce((all, one) => all + one, 0);
      const { items } = await Ada.call('GET /api/billing/budgets');
      const held = items.reduce((sum, budget) => sum + (budget.held ?? 0), 0);
      if (health.letters.length > 0 || waiting + held > 0 || outside.events.size === 0)
        throw new Error(JSON.stringify({ letters: health.letters, waiting, held, told: [...outside.events] }));
    },
    'all events should be handled',
    60_000,
  );
}

/** As if org had not been able to write down that an answer was stopped. */
async function plantDeadLetter(orgId: string, userId: string): Promise<string> {
  const [consumer, eventId, generationId] = ['audit-answer-stopped', newId('event'), newId('generation')];
  const { type } = generationStopRequested;
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: 'chat',
    type,
    time: new Date().toISOString(),
    subject: generationId,
    tenantid: orgId,
    sequence: 1,
    correlationid: eventId,
    causationid: null,
    traceparent: null,
    data: { orgId, generationId, by: userId, userId, model: 'builtin' },
  };
  const letter = {
    _id: `${consumer}|${eventId}` as never,
    consumer,
    eventId,
    type,
    tenant: orgId,
    subject: generationId,
    topic: topics.chat,
    partition: 0,
    offset: '1',
    envelope: JSON.stringify(envelope),
    key: null,
    reason: 'rejected',
    attempts: 1,
    at: new Date(),
    replayedAt: null,
    cause: { name: 'TypeError', code: null, message: 'planted', stack: null },
  };
  await inStore(data, (org) => org.connection.collection('dead_letters').insertOne(letter));
  return letter._id;
}

/** The process was killed in time. Looks at a copy: opening the store changes it. */
async function assertUnread(id: string): Promise<void> {
  const copy = join(work, 'copy');
  cpSync(data, copy, { recursive: true });
  const row = await inStore(
    copy,
    (chat) => chat.connection.collection('documents').findOne({ _id: id as never }),
    'parley_chat',
  );
  rmSync(copy, { recursive: true });
  const status = row?.['status'] as string | undefined;
  if (status !== 'stored' && status !== 'reading') throw new Error(`The document is ${status}: run it again.`);
}

/** The same folder, moved to MongoDB by this release, with the keys and uploads that came along. */
async function writeDatabases(): Promise<void> {
  const server = await startSecantus();
  if ('skipped' in server) throw new Error(server.skipped);
  const files = join(work, 'files');
  const settings = { PARLEY_MONGO_URL: server.url, PARLEY_BLOBS_FOLDER: join(files, 'blobs') };
  try {
    runParley(['migrate', '--data', data, '--keys-out', join(files, 'keys')], settings);
    const dump = await dumpDatabases(server.url);
    assertAnonymous(dump);
    writeFileSync(join(out, 'databases.ejson.gz'), compress(Buffer.from(dump)));
    pack(files, join(out, 'files.tar.gz'));
  } finally {
    await server.close();
  }
}

/** The folder holds the same documents, packed: what is not in the dump is not in it either. */
function assertAnonymous(dump: string): void {
  const mails = readdirSync(join(data, 'mail')).map((name) => readFileSync(join(data, 'mail', name), 'utf8'));
  for (const word of [root, work, hostname(), tmpdir()])
    for (const text of [dump, ...mails]) {
      // As a whole word: a short host name also occurs in random keys.
      const at = text.search(new RegExp(String.raw`(?<![\w-])${word.replaceAll('.', String.raw`\.`)}(?![\w-])`));
      if (at >= 0) throw new Error(`The fixture tells where it was made: ${text.slice(at - 200, at + 100)}`);
    }
}

function measure(): number {
  const bytes = readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
  if (bytes > mostBytes) throw new Error(`The fixture has ${bytes} bytes, and may have ${mostBytes}.`);
  return bytes;
}
