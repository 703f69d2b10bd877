import { newId } from '@parley/platform/ids';
import type { ChatExport, ExportId } from '@parley/contracts';
import { eventually } from '@parley/testing/eventually';
import { unzipSync } from 'fflate';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { inStore } from '../upgrade/processes.ts';
import { untilAccepted } from './calls.ts';
import type { KilledProduct } from './killed-product.ts';
import type { Point } from './kill-points.ts';

/** The lease of the process that was killed ends first. */
const writtenWithinMs = 180_000;
const writing = 'job:writes what people export';

/**
 * Kills while an export is begun and written: half stored, claimed, and with the ZIP stored and the export not ready (a
 * soak also right after the claim and after it was ready). There is one export with one ZIP, which opens, and its storage
 * is counted once.
 */
export async function killInExport(run: KilledProduct): Promise<void> {
  const id = newId('export');
  const create = () => run.client.call('POST /api/chat/exports', { body: { id } });
  await run.killIn('person|before|1', create);
  const points: readonly Point[] = run.points(
    `${writing}|before|2`,
    `${writing}|before|1`,
    `${writing}|after|1`,
    `${writing}|after|2`,
  );
  for (const [at, point] of points.entries()) {
    run.arm(point);
    if (at === 0) await create().catch(() => null);
    else await run.product.start();
    await run.untilKilled(writtenWithinMs);
  }
  await run.start();
  await untilAccepted(create);
  const made = await eventually(
    async () => {
      const { items } = await run.client.call('GET /api/chat/exports');
      const now = items.find((item) => item.id === id);
      if (now?.status !== 'ready') throw new Error(`It is ${now?.status} ${now?.failure ?? ''}.`);
      return now;
    },
    'the export should be written',
    writtenWithinMs,
  );
  await judge(run, made);
}

/** What is downloaded, and what is left of it in the end. */
async function judge(run: KilledProduct, made: ChatExport): Promise<void> {
  const { chats } = made;
  const response = await run.client.raw('GET', `/api/chat/exports/${made.id}/content`);
  const zip = new Uint8Array(await response.arrayBuffer());
  run.same('the size of the export', zip.length, made.bytes);
  const names = Object.keys(unzipSync(zip));
  run.same('chats in the export', names.filter((name) => /^chats\/cnv_\w+\.json$/.test(name)).length, chats);
  run.same('the export says what is in it', names.includes('parley-export.json'), true);
  await run.client.call('DELETE /api/chat/exports/:exportId', { params: { exportId: made.id } });
  await run.product.stop();
  run.same('what is left of the export', await leftOf(run, made.id), { rows: 0, blobs: [] });
  await run.start();
}

const leftOf = async (run: KilledProduct, id: ExportId) => ({
  rows: await inStore(
    join(run.parts.folder, 'data'),
    ({ connection }) => connection.collection('chat_exports').countDocuments({ _id: id as never }),
    'parley_chat',
  ),
  blobs: readdirSync(join(run.parts.folder, 'data'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(id.toLowerCase()),
  ),
});
