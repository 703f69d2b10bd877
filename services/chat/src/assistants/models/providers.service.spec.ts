import { beforeAll, expect, test } from '@jest/globals';
import { providerConfigured } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { testStore } from '@parley/testing';
import type { Reloads } from '../../reloads.ts';
import { chatConfig, chatSettings } from '../../chat.config.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { Outbound } from './outbound.ts';
import type { ProviderOffers } from './provider-offers.ts';
import type { ProviderRow } from './provider.collection.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();

/** Between what a change reads and what it writes. */
let meanwhile: () => Promise<unknown> = () => Promise.resolve();
class Interrupted extends ProvidersRepository {
  override async find(...asked: Parameters<ProvidersRepository['find']>): Promise<ProviderRow | null> {
    const row = await super.find(...asked);
    const interrupt = meanwhile;
    meanwhile = () => Promise.resolve();
    await interrupt();
    return row;
  }
}

const settings = chatSettings(chatConfig.parse({ PARLEY_OUTBOUND_ALLOW: '127.0.0.1:9,127.0.0.1:10' }), {});
const providers = new Interrupted(mongo);
const sealer = new Sealer(Buffer.alloc(32, 1));
const service = new ProvidersService(
  providers,
  {} as ProviderOffers,
  new Outbound(providers, settings, clock, {} as Reloads),
  sealer,
  work,
  clock,
);
const { scope, principal } = aViewer();
const [here, elsewhere] = ['http://127.0.0.1:9/v1', 'http://127.0.0.1:10/v1'];
beforeAll(ready);

const given = (baseUrl: string) => ({
  kind: 'openai-compatible' as const,
  name: 'P',
  baseUrl,
  models: ['m'],
  defaultModel: 'm',
  isDefault: false,
  thinks: false,
  embeddingModel: null,
  contexts: [],
  images: [],
});
const create = (baseUrl: string) =>
  service.create({ scope, principal, body: { id: newId('provider'), ...given(baseUrl) } } as unknown as Parameters<
    ProvidersService['create']
  >[0]);
const update = (providerId: string, body: object) =>
  service.update({ scope, principal, params: { providerId }, body } as Parameters<ProvidersService['update']>[0]);

test('a key that one admin sets never goes to the address that another sets in the same moment', async () => {
  const { id } = await create(here);
  meanwhile = () => update(id, { version: 1, apiKey: 'sk-of-here-123456789' });
  // The version is the one that the key's change is about to make, so that only what was read can stop it.
  await expect(update(id, { version: 2, baseUrl: elsewhere })).rejects.toMatchObject({ code: 'platform.conflict' });
  expect(await providers.find(scope, id)).toMatchObject({ baseUrl: here, keyHint: '6789', version: 2 });
  await expect(update(id, { version: 2, baseUrl: elsewhere })).rejects.toMatchObject({
    extras: { errors: [{ path: 'body.apiKey' }] },
  });
});

test.each(['http://10.0.0.1/v1', 'http://[fec0::1]/v1', 'http://localhost:9/v1', 'http://user:pass@1.1.1.1/v1'])(
  '%s, which may not be called, is refused when it is saved',
  async (address) => {
    const refused = { code: 'platform.address-not-allowed' };
    await expect(create(address)).rejects.toMatchObject(refused);
    const { id, version } = await create(here);
    await expect(update(id, { version, baseUrl: address })).rejects.toMatchObject(refused);
    expect(await providers.find(scope, id)).toMatchObject({ baseUrl: here, version });
  },
);

test('a name that does not resolve now may be saved: its server may come later', async () => {
  expect(await create('http://no-such-host.invalid/v1')).toMatchObject({ version: 1 });
});

test('whether models accept images is stored, changed and told', async () => {
  const { id, images } = await create(here);
  expect(images).toEqual([]);
  const set = [{ model: 'm', accepts: 'no' }];
  expect((await update(id, { version: 1, images: set })).images).toEqual(set);
  const told = (await recorded())
    .filter(({ type }) => type === providerConfigured.type)
    .map(({ data }) => providerConfigured.data.parse(data))
    .filter(({ providerId }) => providerId === id);
  expect(told.map(({ before, after }) => [before?.images, after?.images])).toEqual([
    [undefined, []],
    [[], set],
  ]);
});
