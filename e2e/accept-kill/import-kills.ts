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

/**
 * Kills while an export is uploaded, checked and imported: with an upload begun and not answered, with a part stored and
 * not noted, and in the middle of a chat (a soak also at its first and its last transaction, before and after the
 * commit). Each chat is there once with each message once, no chat is seen in part, and its end is told once.
 */
export async function killWithImport(run: KilledProduct): Promise<void> {
  const importId = newId('import');
  const params = { importId };
  const files = [{ name: 'conversations.json', bytes: Buffer.byteLength(text) }];
  const begin = () => run.client.call('POST /api/chat/imports', { body: { id: importId, files } });
  const send = () => run.client.sendImportPart({ ...params, number: 1, part: 1 }, text);
  const read = () => run.client.call('GET /api/chat/imports/:importId', { params });
  const until = (wanted: string) =>
    eventually(
      async () => {
        const { status, failure } = await read();
        if (status !== wanted) throw new Error(`It is ${status} ${failure ?? ''}.`);
      },
      `the import should be ${wanted}`,
      importedWithinMs,
    );
  await run.killIn('person|before|1', begin);
  await untilAccepted(begin);
  await run.killIn('person|before|1', send);
  await untilAccepted(send);
  await untilAccepted(() => run.client.call('POST /api/chat/imports/:importId/check', { params }));
  await until('checked');
  const start = () => run.client.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  const points: readonly Point[] = run.points(`${job}|before|6`, `${job}|before|1`, `${job}|after|1`, `${job}|after|4`);
  for (const [at, point] of points.entries()) {
    run.arm(point);
    if (at === 0) await start().catch(() => null);
    else await run.product.start();
    await run.untilKilled(importedWithinMs);
  }
  await run.start();
  await untilAccepted(start);
  await until('done');
  await judge(run);
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
