import type { ChatFile } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { pageOf, pdfOf } from '@parley/testing/files';
import { join } from 'node:path';
import { inStore } from '../upgrade/processes.ts';
import { untilAccepted } from './calls.ts';
import { conversationPath, type KilledProduct } from './killed-product.ts';
import type { Point } from './kill-points.ts';
import { newQuestion, readAnswer } from './world.ts';

/** More passages than are stored in one batch. */
const pages = 300;
/** The lease of the process that was killed ends first. */
const readWithinMs = 180_000;
const reading = 'job:reads files of chats';
const report = pdfOf(
  Array.from({ length: pages }, (_unused, at) =>
    pageOf(`Berth ${at + 1}`, [[`Berth ${at + 1} takes ${at + 7} boats.`]]),
  ),
);

/**
 * Kills while a file is uploaded, read and asked about: with the bytes stored and nothing else, with all passages stored
 * and the file not ready (a soak also when its reading was told, and with the file ready and nobody told), with the question
 * about it half stored, and in mid-answer. The file is there once, with each passage once, counts once for the storage, and
 * its answer is whole.
 */
export async function killWithFiles(run: KilledProduct): Promise<void> {
  const id = newId('file');
  const upload = () => run.client.attach(id, 'Berths.pdf', new Uint8Array(report));
  const stored = async (): Promise<ChatFile | undefined> =>
    (await run.client.call('GET /api/chat/files', { query: { ids: id } })).items[0];
  const storedBefore = await usedBy(run);
  await run.killIn('person|before|1', upload);
  const readings: readonly Point[] = run.points(`${reading}|before|2`, `${reading}|after|1`, `${reading}|after|2`);
  for (const [at, point] of readings.entries()) {
    run.arm(point);
    if (at === 0) await upload().catch(() => null);
    else await run.product.start();
    await run.untilKilled(readWithinMs);
  }
  await run.start();
  await untilAccepted(upload);
  const file = await eventually(
    async () => {
      const now = await stored();
      if (now?.status !== 'ready') throw new Error(`It is ${now?.status} ${now?.failure ?? ''}.`);
      return now;
    },
    'the file should be read again',
    readWithinMs,
  );
  run.same('passages', file.passageCount, pages);
  await askAbout(run, file);
  await judge(run, file, storedBefore);
}

async function askAbout(run: KilledProduct, { id }: ChatFile): Promise<void> {
  const conversationId = newId('conversation');
  const { text, serial, messageId, answerId, generationId } = newQuestion(conversationId, 'long');
  const ask = () =>
    run.client.send(conversationId, text, { messageId, answerId, generationId, files: [{ id, use: 'searched' }] });
  await run.killIn('person|before|1', ask);
  await untilAccepted(ask);
  await eventually(async () => {
    const answer = (await run.client.messages(conversationId)).items.at(-1);
    if (!answer?.text) throw new Error(`It is ${answer?.generation?.status}.`);
  }, 'some of the answer should be stored');
  await run.product.kill();
  run.kills += 1;
  await run.start();
  await run.untilEnded(conversationId);
  const { items } = await run.client.call(conversationPath, { params: { conversationId }, query: { limit: 100 } });
  run.same(
    'the question with its file',
    items.map(({ files = [] }) => files.map((one) => [one.id, one.use])),
    [[[id, 'searched']], []],
  );
  const read = readAnswer(items.at(-1)?.text ?? '');
  run.same('the answer about it', [read?.serial, read?.isWhole], [serial, true]);
}

const usedBy = async ({ client }: KilledProduct): Promise<number> =>
  (await client.call('GET /api/chat/connections')).storage!.usedBytes;

/** Compares the download, the stored rows and the storage quota with the upload. */
async function judge(run: KilledProduct, file: ChatFile, storedBefore: number): Promise<void> {
  const response = await run.client.raw('GET', `/api/chat/files/${file.id}/content`);
  run.same('the file', Buffer.from(await response.arrayBuffer()).equals(report), true);
  const used = (await usedBy(run)) - storedBefore;
  await run.product.stop();
  const { bytes, ...rows } = await rowsOf(run, file);
  // The upload that was killed has a file of its own, which is deleted after a day and counts until then.
  run.same('what is stored', rows, { files: 1, passages: pages, questions: 1, killedUploads: 1 });
  run.same('the storage that it takes', used, bytes + report.byteLength);
  await run.start();
}

const rowsOf = (run: KilledProduct, { id }: ChatFile) =>
  inStore(
    join(run.parts.folder, 'data'),
    async ({ connection }) => ({
      files: await connection.collection('chat_files').countDocuments({ _id: id as never }),
      passages: await connection.collection('chat_file_passages').countDocuments({ fileId: id }),
      questions: await connection.collection('messages').countDocuments({ 'files.id': id }),
      killedUploads: await connection.collection('pending_files').countDocuments({ bytes: report.byteLength }),
      bytes: bytesOf(await connection.collection('chat_files').findOne({ _id: id as never })),
    }),
    'parley_chat',
  );

/** As they count for the storage. */
const bytesOf = (row: Readonly<Record<string, unknown>> | null): number =>
  ['bytes', 'textBytes', 'vectorBytes'].reduce((sum, field) => sum + Number(row?.[field] ?? 0), 0);
