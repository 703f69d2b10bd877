import { beforeAll, expect, test } from '@jest/globals';
import { findPriced, titlesConfigured } from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import { testStore } from '@parley/testing';
import type { ModelsService } from '../../assistants/models/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { TitleSettingsService } from './title-settings.service.ts';

const { mongo, work, recorded, ready } = await testStore();
beforeAll(ready);

type Model = { readonly host: string; readonly model: string; readonly isLocal: boolean };
const remote: Model = { host: 'models.example', model: 'm', isLocal: false };

/**
 * Settings of an organisation with these models, and these prices from billing; undefined if billing is unavailable.
 */
function settingsWith(models: readonly Model[], priced: readonly string[] | undefined = []) {
  const call = async (route: unknown, { body }: { body: { upstreams: Model[] } }, options: { failMode: unknown }) => {
    expect(route).toBe(findPriced);
    if (!priced) return (options.failMode as { otherwise: unknown }).otherwise;
    return { isPriced: body.upstreams.map(({ model }) => priced.includes(model)) };
  };
  const asked = { upstreams: async () => models } as unknown as ModelsService;
  return new TitleSettingsService(mongo, asked, work, { peers: { call } } as unknown as Platform);
}

test.each<[string, TitleSettingsService, boolean]>([
  ['off without a model', settingsWith([]), false],
  ['on with a model of the own network', settingsWith([remote, { ...remote, isLocal: true }]), true],
  ['off where no model has a price', settingsWith([remote]), false],
  ['on where one has a price', settingsWith([remote, { ...remote, model: 'dear' }], ['dear']), true],
  ['off while billing is away', settingsWith([remote], undefined), false],
])('until someone chooses it is %s', async (_what, settings, isOn) => {
  expect(await settings.read(aViewer() as never)).toEqual({ isOn, isChosen: false, version: 0 });
});

test('applies a choice to all models, and notifies the organisation’s people', async () => {
  const viewer = aViewer();
  const settings = settingsWith([{ ...remote, isLocal: true }]);
  const set = (isOn: boolean, version: number) => settings.set({ ...viewer, body: { isOn, version } } as never);
  expect(await set(false, 0)).toEqual({ isOn: false, isChosen: true, version: 1 });
  expect(await set(true, 1)).toEqual({ isOn: true, isChosen: true, version: 2 });
  expect(await settingsWith([]).of(viewer.scope)).toMatchObject({ isOn: true });
  // Another organisation isn't affected.
  expect(await settings.of(aViewer().scope)).toMatchObject({ isChosen: false });
  const told = (await recorded()).filter(({ type }) => type === titlesConfigured.type);
  expect(told.map(({ data }) => data)).toEqual([
    { orgId: viewer.scope.orgId, isOn: false },
    { orgId: viewer.scope.orgId, isOn: true },
  ]);
});

test('returns the choice that someone else made meanwhile', async () => {
  const viewer = aViewer();
  const settings = settingsWith([]);
  const set = (isOn: boolean, version: number) => settings.set({ ...viewer, body: { isOn, version } } as never);
  await set(false, 0);
  const current = { isOn: false, isChosen: true, version: 1 };
  await expect(set(true, 0)).rejects.toMatchObject({ code: 'platform.conflict', extras: { current } });
  await expect(set(true, 7)).rejects.toMatchObject({ code: 'platform.conflict', extras: { current } });
});
