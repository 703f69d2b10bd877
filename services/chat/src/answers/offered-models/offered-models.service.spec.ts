import { expect, test } from '@jest/globals';
import type { Model, ModelPrice } from '@parley/contracts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { OfferedModelsService } from './offered-models.service.ts';

const price: ModelPrice = { inputMicros: 1, outputMicros: 2, currency: 'EUR' };
const known: Record<string, ModelPrice | null> = { dear: price, unpriced: null };
const models = ['dear', 'unpriced', 'unknown'].map((key) => ({ key }) as unknown as Model);
const service = new OfferedModelsService(
  {
    offered: async () => models,
    upstreams: async () => models.map(({ key }) => ({ key, host: 'models.example', model: key, isLocal: false })),
  } as never,
  { state: async () => ({ documentCount: 0, indexedAt: null }) } as never,
  { of: async () => [] } as never,
  { of: async () => ({ priceOf: ({ model }: { model: string }) => known[model], changesInSeconds: 90 }) } as never,
);

test('shows the prices of models, if known, to people who see the cost of their answers', async () => {
  const { items, pricesChangeInSeconds } = await service.list(aViewer() as never);
  expect(items).toEqual([{ key: 'dear', price }, { key: 'unpriced', price: null }, { key: 'unknown' }]);
  expect(pricesChangeInSeconds).toBe(90);
});

test('shows no prices to everyone else', async () => {
  const { scope, principal } = aViewer();
  const permissions = principal.organisation.permissions.filter((permission) => permission !== 'usage:read_own');
  const blind = { scope, principal: { ...principal, organisation: { ...principal.organisation, permissions } } };
  const shown = await service.list(blind as never);
  expect(shown.items).toEqual(models);
  expect(shown).not.toHaveProperty('pricesChangeInSeconds');
});
