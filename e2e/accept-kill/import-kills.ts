import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { join } from 'node:path';
import { inStore } from '../upgrade/processes.ts';
import { untilAccepted } from './calls.ts';
import type { KilledProduct } from './killed-product.ts';
import type { Point } from './kill-points.ts';

/** More messages of a chat than are stored in one batch. */
const pairs = 30;
const chats = 3;
/** The lease of the process that was killed ends first. */
const importedWithinMs = 180_000;
const job = 'job:imports chats';

const idOf = (chat: number, at: number): string => `m${chat}-${at}`;
const text = JSON.stringify(
  Array.from({ length: chats }, (_unused, chat) => ({
    title: `Berths ${chat}`,
    conversation_id: `berths-${chat}`,
    create_time: 1_700_000_000,
    update_time: 1_700_000_000,
    current_node: idOf(chat, 2 * pairs - 1),
    mapping: Object.fromEntries(
      Array.from({ length: 2 * pairs }, (_none, at) => [
        idOf(chat, at),
        {
          id: idOf(chat, at),
          parent: at === 0 ? null : idOf(chat, at - 1),
          children: at === 2 * pairs - 1 ? [] : [idOf(chat, at + 1)],
          message: {
            id: idOf(chat, at),
            author: { role: at % 2 === 0 ? 'user' : 'assistant' },
            create_time: 1_700_000_000 + at,
            content: { content_type: 'text', parts: [`Berth ${chat} takes ${at} boats.`] },
          },
        },
      ]),
    ),
  })),
);

/** A project from an export of Claude with three files, and a chat outside the project. */
const harbourProject = {
  uuid: 'harbour',
  name: 'Harbour office',
  prompt_template: 'Name the berth.',
  docs: ['berths.md', 'boats.md', 'tides.md'].map((filename) => ({
    uuid: filename,
    filename,
    content: `What the office knows of ${filename}.`,
  })),
};
const harbourChat = {
  uuid: 'harbour-chat',
  name: 'Tides',
  created_at: '2026-01-01T10:00:00Z',
  updated_at: '2026-01-01T10:00:00Z',
  chat_messages: [
    { uuid: 'q', sender: 'human', text: 'When is high tide?', created_at: '2026-01-01T10:00:00Z' },
    { uuid: 'a', sender: 'assistant', text: 'At noon.', created_at: '2026-01-01T10:00:01Z' },
  ],
};

/**
 * Kills while an export is uploaded, checked and imported: with an upload begun and not answered, with a part stored and
 * not noted, and in the middle of a chat (a soak also at its first and its last transaction, before and after the
 * commit). Each chat is there once with each message once, no chat is seen in part, and its end is told once.
 */
export async function killWithImport(run: KilledProduct): Promise<void> {
  const { begin, send, check, start, until } = anImport(run, [{ name: 'conversations.json', text }]);
  await run.killIn('person|before|1', begin);
  await untilAccepted(begin);
  await run.killIn('person|before|1', send);
  await untilAccepted(send);
  await untilAccepted(check);
  await until('checked');
  await killEach(run, start, run.points(`${job}|before|6`, `${job}|before|1`, `${job}|after|1`, `${job}|after|4`));
  await untilAccepted(start);
  await until('done');
  await judge(run);
}

/**
 * Kills the process while it imports the files of a project: after a file was stored but not yet added to the project,
 * and right after one was added. In the end the project must have each file once, and no other file may be stored.
 */
export async function killWithProjectFiles(run: KilledProduct): Promise<void> {
  const { begin, send, check, start, until, read } = anImport(run, [
    { name: 'conversations.json', text: JSON.stringify([harbourChat]) },
    { name: 'projects.json', text: JSON.stringify([harbourProject]) },
  ]);
  await untilAccepted(begin);
  await untilAccepted(send);
  await untilAccepted(check);
  await until('checked');
  await killEach(run, start, ['job:imports files of projects|before|2', 'job:imports files of projects|after|1']);
  await untilAccepted(start);
  await until('done');
  const { items: projects } = await run.client.call('GET /api/chat/projects');
  const projectId = projects.find(({ name }) => name === harbourProject.name)!.id;
  const files = await run.client.call('GET /api/chat/projects/:projectId/files', { params: { projectId } });
  const names = harbourProject.docs.map(({ filename }) => filename);
  run.same('files of the project', files.items.map(({ name }) => name).toSorted(), names);
  run.same('imported files', (await read()).imported.files, names.length);
  await run.product.stop();
  const stored = await inStore(
    join(run.parts.folder, 'data'),
    ({ connection }) => connection.collection('chat_files').countDocuments({ name: { $in: names } }),
    'parley_chat',
  );
  run.same('stored files of the project', stored, names.length);
  await run.start();
}

/**
 * Starts the import, ends the process at each of the points, and starts it again each time. The first point is set
 * before the import starts.
 */
async function killEach(run: KilledProduct, start: () => Promise<unknown>, points: readonly Point[]): Promise<void> {
  for (const [at, point] of points.entries()) {
    run.arm(point);
    if (at === 0) await start().catch(() => null);
    else await run.product.start();
    await run.untilKilled(importedWithinMs);
  }
  await run.start();
}

/** Returns the calls of one import of these files, each of them uploaded in one part. */
function anImport(run: KilledProduct, given: readonly { readonly name: string; readonly text: string }[]) {
  const importId = newId('import');
  const params = { importId };
  const files = given.map(({ name, text: content }) => ({ name, bytes: Buffer.byteLength(content) }));
  const read = () => run.client.call('GET /api/chat/imports/:importId', { params });
  return {
    read,
    begin: () => run.client.call('POST /api/chat/imports', { body: { id: importId, files } }),
    send: async () => {
      for (const [at, { text: content }] of given.entries())
        await run.client.sendImportPart({ ...params, number: at + 1, part: 1 }, content);
    },
    check: () => run.client.call('POST /api/chat/imports/:importId/check', { params }),
    start: () => run.client.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } }),
    until: (wanted: string) =>
      eventually(
        async () => {
          const { status, failure } = await read();
          if (status !== wanted) throw new Error(`It is ${status} ${failure ?? ''}.`);
        },
        `the import should be ${wanted}`,
        importedWithinMs,
      ),
  };
}

async function judge(run: KilledProduct): Promise<void> {
  const found = (await run.client.conversations()).filter(({ imported }) => imported);
  run.same('imported chats', found.map(({ title }) => title).toSorted(), ['Berths 0', 'Berths 1', 'Berths 2']);
  for (const { id } of found) run.same('messages of a chat', (await run.path(id)).length, 2 * pairs);
  await run.product.stop();
  const stored = await inStore(
    join(run.parts.folder, 'data'),
    async ({ connection }) => ({
      messages: await connection.collection('messages').countDocuments({ imported: true }),
      generations: await connection.collection('generations').countDocuments({ imported: true }),
      chats: await connection.collection('imported_chats').countDocuments({}),
      uploads: await connection.collection('chat_imports').countDocuments({ storedBytes: { $gt: 0 } }),
    }),
    'parley_chat',
  );
  run.same('what is stored of them', stored, {
    messages: chats * 2 * pairs,
    generations: chats * pairs,
    chats,
    uploads: 0,
  });
  await run.start();
}
