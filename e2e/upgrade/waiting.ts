import type { ExportId, FileId, ImportId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient } from '@parley/testing/client';
import assert from 'node:assert/strict';
import { chatty, exportOf, type ExportedChat } from './chatgpt-export.ts';
import { outsideAddress, providerKey, type Outside } from './outside.ts';
import { emailOf, password } from './people.ts';
import { patienceMs, untilEnded } from './talk.ts';

/** Names work in Shipyard, an organisation of Finn and Eva's. Most of it was under way when the process was killed. */
export type Waiting = {
  readonly orgId: string;
  /** Keys imports by their state when the fixture was taken. Only fixture 0.3.0-imports has `failed` and `failing`. */
  readonly imports: Readonly<Record<'done' | 'checked' | 'running', string>> & {
    readonly failed?: string;
    readonly failing?: string;
  };
  /** Finn's is ready, Eva's waits. */
  readonly exports: { readonly ready: string; readonly waiting: string };
  /** Attached to no question, and not read yet. */
  readonly unreadFile: string;
};
type Shipyard = { readonly finn: ParleyClient; readonly eva: ParleyClient };

/** Main at 0.3.0-imports could not store a chat whose first message has no word that can be searched: its import failed. */
const wordless = (title: string): ExportedChat => ({ title, texts: ['👍', `${title} holds.`] });
const exported: Record<'done' | 'failing' | 'checked' | 'running', readonly ExportedChat[]> = {
  done: [chatty('Keel one', 4), chatty('Keel two', 4)],
  failing: [chatty('Rudder one', 4), wordless('Rudder two'), chatty('Rudder three', 4)],
  checked: [chatty('Mast one', 4), chatty('Mast two', 4)],
  running: Array.from({ length: 30 }, (_none, at) => chatty(`Hull ${at + 1}`, 60)),
};
const engines = 'Two steam engines pump the dry dock.';
const sails = 'Sails are sewn in the loft above the rope walk.';
const draftText = 'Rivets are counted twice.';

/** Does what has ended before the process is killed, and uploads what is only checked. */
export async function fillShipyard(url: string, outside: Outside) {
  const finn = await signedIn(url, 'Finn');
  const { id: orgId } = await finn.createOrganisation('Shipyard');
  const eva = await signedIn(url, 'Eva');
  const link = { id: newId('invitation'), label: 'One', role: 'member' as const, groupIds: [], domain: null };
  const { token } = await finn.call('POST /api/org/invitation-links', { body: { ...link, places: 1, days: 1 } });
  await eva.call('POST /api/org/my-invitations/accept', { body: { token } });
  eva.orgId = orgId;
  await finn.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'Shipyard models',
      baseUrl: `http://${outsideAddress}/v1`,
      models: ['mock-1'],
      defaultModel: 'mock-1',
      embeddingModel: 'embed-1',
      isDefault: true,
      apiKey: providerKey,
    },
  });
  const imports = {
    done: await importFrom(finn, exported.done, 'done'),
    checked: await importFrom(finn, exported.checked, 'checked'),
  };
  await searchFile(finn, 'dock.md', `# Dock\n\n${engines}`);
  await eventually(() => outside.embedded.has(engines), 'the file should get its vectors', patienceMs);
  const ready = newId('export');
  await finn.call('POST /api/chat/exports', { body: { id: ready } });
  await untilReady(finn, ready);
  return { orgId, imports, ready };
}

type Filled = Awaited<ReturnType<typeof fillShipyard>>;

/** Holds all embedding requests, then asks a question that searches a new file: its embeddings stay pending. */
export async function leaveSearch(url: string, { orgId }: Filled, outside: Outside): Promise<void> {
  const { eva } = await shipyardAt(url, orgId);
  outside.holdEmbeddings();
  await searchFile(eva, 'sails.md', `# Sails\n\n${sails}`);
}

/** Begins an import, an export and the reading of a file: the process is killed before they end. */
export async function leaveWaiting(url: string, { orgId, imports, ready }: Filled): Promise<Waiting> {
  const { eva } = await shipyardAt(url, orgId);
  const running = await importFrom(eva, exported.running, 'running');
  const waiting = newId('export');
  await eva.call('POST /api/chat/exports', { body: { id: waiting } });
  const unreadFile = newId('file');
  await eva.attach(unreadFile, 'rivets.md', `# Rivets\n\n${draftText}`);
  return { orgId, imports: { ...imports, running }, exports: { ready, waiting }, unreadFile };
}

/** Imports and exports end with all that they were to have, and files are read and get their vectors. */
export async function compareWaiting(url: string, waiting: Waiting, outside: Outside): Promise<void> {
  const { finn, eva } = await shipyardAt(url, waiting.orgId);
  const { imports, exports } = waiting;
  outside.release();
  const params = { importId: imports.checked as ImportId };
  await finn.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  const { done, checked, failed, failing } = imports;
  await Promise.all([
    ...[done, checked, ...(failing ? [failing] : [])].map((id) => untilImported(finn, id, 'done')),
    ...(failed ? [untilImported(finn, failed, 'failed')] : []),
    untilImported(eva, imports.running, 'done'),
    untilReady(finn, exports.ready as ExportId),
    untilReady(eva, exports.waiting as ExportId),
    untilFile(eva, waiting.unreadFile as FileId),
    eventually(() => outside.embedded.has(sails), 'the file should get its vectors', patienceMs),
  ]);
  await compareChats(finn, [...exported.done, ...exported.checked, ...(failing ? exported.failing : [])]);
  await compareChats(eva, exported.running);
}

async function compareChats(person: ParleyClient, chats: readonly ExportedChat[]): Promise<void> {
  const found = (await person.conversations()).filter(({ imported }) => imported);
  assert.deepEqual(found.map(({ title }) => title).toSorted(), chats.map(({ title }) => title).toSorted());
  for (const { title, texts } of chats) {
    const { id } = found.find((chat) => chat.title === title)!;
    const { items } = await person.messages(id, { limit: 100 });
    assert.deepEqual(
      items.map(({ text }) => text),
      texts,
    );
  }
}

async function signedIn(url: string, name: 'Finn' | 'Eva'): Promise<ParleyClient> {
  const person = new ParleyClient(url);
  await person.signIn(emailOf(name), password);
  return person;
}

async function shipyardAt(url: string, orgId: string): Promise<Shipyard> {
  const people = { finn: await signedIn(url, 'Finn'), eva: await signedIn(url, 'Eva') };
  for (const person of Object.values(people)) person.orgId = orgId as never;
  return people;
}

type Until = 'checked' | 'running' | 'done' | 'failed';

/** Uploads and checks these chats, then imports them until that state. */
async function importFrom(person: ParleyClient, chats: readonly ExportedChat[], until: Until): Promise<ImportId> {
  const [id, content] = [newId('import'), exportOf(chats)];
  const params = { importId: id };
  const files = [{ name: 'conversations.json', bytes: Buffer.byteLength(content) }];
  await person.call('POST /api/chat/imports', { body: { id, files } });
  await person.sendImportPart({ importId: id, number: 1, part: 1 }, content);
  await person.call('POST /api/chat/imports/:importId/check', { params });
  await untilImported(person, id, 'checked');
  if (until === 'checked') return id;
  await person.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await untilImported(person, id, until);
  return id;
}

/** `running`: at least one chat is imported, and not all are. */
const untilImported = (person: ParleyClient, id: string, until: Until): Promise<void> =>
  eventually(
    async () => {
      const params = { importId: id as ImportId };
      const { status, failure, imported } = await person.call('GET /api/chat/imports/:importId', { params });
      const isThere = until === 'running' ? status === 'importing' && imported.chats > 0 : status === until;
      if (!isThere) throw new Error(`It is ${status} ${failure ?? ''} with ${imported.chats} chats.`);
    },
    `the import should be ${until}`,
    patienceMs,
  );

const untilReady = (person: ParleyClient, id: ExportId): Promise<void> =>
  eventually(
    async () => {
      const { items } = await person.call('GET /api/chat/exports');
      const one = items.find((each) => each.id === id);
      if (one?.status !== 'ready') throw new Error(`It is ${one?.status} ${one?.failure ?? ''}.`);
    },
    'the export should be ready',
    patienceMs,
  );

const untilFile = (person: ParleyClient, id: FileId): Promise<void> =>
  eventually(
    async () => {
      const { items } = await person.call('GET /api/chat/files', { query: { ids: id } });
      if (items[0]?.status !== 'ready') throw new Error(`It is ${items[0]?.status} ${items[0]?.failure ?? ''}.`);
    },
    'the file should be read',
    patienceMs,
  );

/** Asks a question that searches this file. */
async function searchFile(person: ParleyClient, name: string, content: string): Promise<void> {
  const [id, conversationId] = [newId('file'), newId('conversation')];
  await person.attach(id, name, content);
  await untilFile(person, id);
  await person.send(conversationId, `What does ${name} say?`, { files: [{ id, use: 'searched' }] });
  await untilEnded(person, conversationId);
}
