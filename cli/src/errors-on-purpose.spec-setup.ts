import { expect } from '@jest/globals';
import { errorTestKind } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';

/** Makes each service fail by a request and by an event, and resolves when the reports of all have arrived from there. */
export async function failEverywhere(admin: ParleyClient): Promise<void> {
  const kinds = errorTestKind.options.filter((kind) => /\.(request|event)$/.test(kind));
  for (const kind of kinds)
    await admin.call('POST /api/monitoring/error-tests', { body: { id: newId('errorTest'), kind } });
  await eventually(async () => {
    const { items } = await admin.call('GET /api/monitoring/error-tests');
    const arrived = items.flatMap(({ kind, arrived: there }) => (there ? [`${kind} of ${there.deployable}`] : []));
    expect(arrived.toSorted()).toEqual(kinds.map((kind) => `${kind} of ${kind.split('.')[0]}`).toSorted());
  }, 'all reports should arrive');
}
