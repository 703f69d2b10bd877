// Tabs of people whose organisation has a flow of its own.
import { ParleyClient, RefusedCall } from '@parley/testing/client';
import type { EmbeddedProduct } from './embedded.ts';
import type { Floors } from './floors.ts';
import { BenchTab } from './streams.ts';

/** Gives an organisation a flow of its own, as all had before there were approvals. */
async function approve(product: EmbeddedProduct, { client: { orgId } }: BenchTab): Promise<void> {
  const client = admins.get(product) ?? new ParleyClient(product.url);
  if (!admins.has(product)) {
    admins.set(product, client);
    const setupToken = /[?&]setup=([^\s&]+)/.exec(product.line)![1]!;
    await client.register({ name: 'Admin', email: 'admin@example.com', password: 'three quiet herons', setupToken });
  }
  const given = { params: { orgId: orgId! }, body: { isApproved: true } };
  await client.call('PUT /api/org/all-organisations/:orgId/approval', given).catch((error: unknown) => {
    if (!(error instanceof RefusedCall && error.status === 404)) throw error;
  });
}
const admins = new Map<EmbeddedProduct, ParleyClient>();

export async function anApprovedTab(product: EmbeddedProduct, { modelUrl }: Floors): Promise<BenchTab> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  await approve(product, tab);
  return tab;
}
