import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, testStore } from '@parley/testing';
import { RatesRepository } from './rates.repository.ts';
import { RatesService } from './rates.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const repository = new RatesRepository(mongo);
const rates = new RatesService(repository, work, clock);
const scope = jobScope('tests');
const admin = aPerson({ name: 'Greta Solvain' });
beforeAll(ready);

let models = 0;
const newModel = () => `model-${(models += 1)}`;
const wish = (more: object = {}) => ({
  id: newId('rate'),
  currency: 'EUR',
  host: null,
  model: newModel(),
  inputMicros: 2_500_000,
  outputMicros: 10_000_000,
  cachedMicros: 1_250_000,
  validFrom: null,
  validUntil: null,
  replaces: null,
  ...more,
});
const create = (body: object, principal = admin) => rates.create({ scope, principal, body } as never);
const end = (rateId: string, version: number, validUntil: string | null = null) =>
  rates.end({ scope, principal: admin, params: { rateId }, body: { version, validUntil } } as never);
const list = (query: object = {}) => rates.list({ scope, query: { limit: 50, ...query } } as never);
const load = (csv: string, more: object = {}) =>
  rates.import({
    scope,
    principal: admin,
    body: { currency: 'EUR', csv, replaces: false, isDryRun: false, ...more },
  } as never);
const later = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
const minute = 60_000;
const heldAt = (model: string, at: Date, host = 'api.example.com') => repository.holding({ host, model }, at);

describe('a price', () => {
  test('begins now, is there once however often it is sent, and says who made it', async () => {
    const body = wish();
    const made = await create(body);
    expect(made).toMatchObject({
      model: body.model,
      validFrom: clock.now().toISOString(),
      validUntil: null,
      by: { userId: admin.userId, name: 'Greta Solvain' },
      endedBy: null,
      version: 1,
    });
    expect(await create(body)).toEqual(made);
    expect((await list({ text: body.model })).items).toEqual([made]);
  });

  test('does not overlap another one of its model and host', async () => {
    const model = newModel();
    await create(wish({ model, validUntil: later(minute) }));
    await expect(create(wish({ model }))).rejects.toMatchObject({ code: 'billing.rate-overlaps' });
    await create(wish({ model, validFrom: later(minute) }));
    await create(wish({ model, host: 'api.example.com' }));
    expect((await list({ text: model })).items).toHaveLength(3);
  });

  test('of two admins at once is that of one', async () => {
    const model = newModel();
    const both = await Promise.allSettled([1, 2].map(() => create(wish({ model }), aPerson())));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await list({ text: model })).items).toHaveLength(1);
  });

  test('replaces the one that was seen, which ends where it begins and stays', async () => {
    const model = newModel();
    const old = await create(wish({ model }));
    const from = later(minute);
    await expect(create(wish({ model, validFrom: from, replaces: newId('rate') }))).rejects.toMatchObject({
      code: 'billing.rate-overlaps',
    });
    await create(wish({ model, validFrom: from, inputMicros: 3, replaces: old.id }));
    const { items } = await list({ text: model });
    expect(items.map(({ inputMicros, validUntil }) => [inputMicros, validUntil])).toEqual([
      [3, null],
      [2_500_000, from],
    ]);
  });

  test.each([
    ['begins in the past', { validFrom: '2026-11-21T09:59:59.999Z' }],
    ['ends before it begins', { validFrom: '2030-01-02T00:00:00.000Z', validUntil: '2030-01-01T00:00:00.000Z' }],
    ['has ended', { validUntil: '2026-11-20T00:00:00.000Z' }],
  ])('that %s is refused', async (_name, times) => {
    await expect(create(wish(times))).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });

  test('in another currency is refused: there is one', async () => {
    await create(wish());
    await expect(create(wish({ currency: 'USD' }))).rejects.toMatchObject({ code: 'billing.other-currency' });
    await expect(load('model,input,output\nm,1,1', { currency: 'USD' })).rejects.toMatchObject({
      code: 'billing.other-currency',
    });
    expect((await list()).currency).toBe('EUR');
  });
});

describe('the end of a price', () => {
  test('is now or later, by the version that was seen, and never in the past', async () => {
    const made = await create(wish());
    await expect(end(made.id, 2)).rejects.toMatchObject({ code: 'platform.conflict' });
    await expect(end(made.id, 1, later(-minute))).rejects.toMatchObject({ code: 'platform.invalid-request' });
    const ended = await end(made.id, 1, later(minute));
    expect(ended).toMatchObject({ validUntil: later(minute), version: 2, endedBy: { name: 'Greta Solvain' } });
    // It may be sooner than was said, not later: another one may begin there.
    await expect(end(made.id, 2, later(2 * minute))).rejects.toMatchObject({ code: 'platform.invalid-request' });
    expect(await end(made.id, 2)).toMatchObject({ validUntil: clock.now().toISOString() });
    await expect(end(made.id, 3)).rejects.toMatchObject({ code: 'platform.conflict' });
    await expect(end(newId('rate'), 1)).rejects.toMatchObject({ code: 'billing.rate-not-found' });
  });

  test('of one that has not begun takes it out of the way', async () => {
    const model = newModel();
    const planned = await create(wish({ model, validFrom: later(minute) }));
    await end(planned.id, 1);
    const made = await create(wish({ model }));
    expect((await heldAt(model, new Date(later(2 * minute))))?.rate._id).toBe(made.id);
  });
});

test('what holds is the price at that time; that of the host goes before that of every provider', async () => {
  const model = newModel();
  const everywhere = await create(wish({ model, validUntil: later(minute) }));
  const next = await create(wish({ model, validFrom: later(minute) }));
  const here = await create(wish({ model, host: 'here.example:8080' }));
  const idAt = async (ms: number, host?: string) => (await heldAt(model, new Date(later(ms)), host))?.rate._id ?? null;
  expect(await Promise.all([idAt(-1), idAt(0), idAt(minute - 1), idAt(minute)])).toEqual([
    null,
    everywhere.id,
    everywhere.id,
    next.id,
  ]);
  expect(await idAt(0, 'here.example:8080')).toBe(here.id);
});

test('other services are told the current prices of models, in their order', async () => {
  const [priced, ofHost, unpriced, over] = [newModel(), newModel(), newModel(), newModel()];
  await create(wish({ model: priced }));
  await create(wish({ model: ofHost }));
  await create(wish({ model: ofHost, host: 'api.example.com', inputMicros: 7 }));
  await create(wish({ model: over, validUntil: later(minute) }));
  clock.advance(minute);
  const upstreams = [unpriced, ofHost, priced, over].map((model) => ({ host: 'api.example.com', model }));
  expect(await rates.findPriced({ scope, body: { upstreams } } as never)).toEqual({
    isPriced: [false, true, true, false],
    prices: [
      null,
      { inputMicros: 7, outputMicros: 10_000_000 },
      { inputMicros: 2_500_000, outputMicros: 10_000_000 },
      null,
    ],
    currency: 'EUR',
    changesInSeconds: null,
  });
});

test('other services are told when the next of these prices begins or ends', async () => {
  const [begins, ends, lasts, farOff] = [newModel(), newModel(), newModel(), newModel()];
  await create(wish({ model: farOff, validFrom: later(4_320 * minute) }));
  await create(wish({ model: begins, validFrom: later(2 * minute) }));
  await create(wish({ model: ends, validUntil: later(minute) }));
  await create(wish({ model: lasts }));
  const untilChange = async (...models: readonly string[]) => {
    const upstreams = models.map((model) => ({ host: 'api.example.com', model }));
    return (await rates.findPriced({ scope, body: { upstreams } } as never)).changesInSeconds;
  };
  const soon = [await untilChange(begins, ends, lasts), await untilChange(begins, lasts), await untilChange(farOff)];
  expect(soon).toEqual([60, 120, 86_400]);
  clock.advance(minute);
  expect(await untilChange(begins, ends)).toBe(60);
  clock.advance(minute);
  expect(await untilChange(begins, ends)).toBeNull();
});

test('the list is by model, the newest price first, page by page, and found by words of model and host', async () => {
  const host = 'pages.example';
  const [one, other] = [`a${newModel()}`, `b${newModel()}`];
  await create(wish({ model: one, host, validUntil: later(minute) }));
  await create(wish({ model: other, host }));
  await create(wish({ model: one, host, validFrom: later(minute) }));
  const first = await list({ text: 'pages', limit: 1 });
  const rest = await list({ text: 'pages', limit: 5, cursor: first.nextCursor });
  const shown = [...first.items, ...rest.items].map(({ model, validUntil }) => [model, validUntil]);
  expect(shown).toEqual([
    [one, null],
    [one, later(minute)],
    [other, null],
  ]);
  expect((await list({ text: '?' })).items).toEqual([]);
});

describe('a file', () => {
  test('is tried first, taken whole, and taken again without effect', async () => {
    const [one, other] = [newModel(), newModel()];
    const csv = `\uFEFFModel;Host;Input;Output;Cached\n${one};api.example.com;2.5;10;\n"${other}";;0.000001;0;0\n`;
    expect(await load(csv, { isDryRun: true })).toEqual({
      isDone: false,
      added: 2,
      ended: 0,
      unchanged: 0,
      faults: [],
    });
    expect((await list({ text: one })).items).toEqual([]);
    expect(await load(csv)).toMatchObject({ isDone: true, added: 2 });
    expect((await list({ text: one })).items).toMatchObject([
      { host: 'api.example.com', inputMicros: 2_500_000, outputMicros: 10_000_000, cachedMicros: 2_500_000 },
    ]);
    clock.advance(1);
    expect(await load(csv)).toEqual({ isDone: true, added: 0, ended: 0, unchanged: 2, faults: [] });
  });

  test('says of each line what is wrong, and then adds none', async () => {
    const [good, known] = [newModel(), newModel()];
    await create(wish({ model: known }));
    const lines = [
      'model,host,input,output,valid_from,valid_until',
      `${good},,1,1,,`,
      `${good},,1,2,,`,
      'short,,1',
      ',,1,1,,',
      'm,https://api.example.com,1,1,,',
      'm,,-1,1,,',
      'm,,1.0000001,1,,',
      'm,,1e3,1,,',
      'm,,100000.01,1,,',
      'm,,1,1,tomorrow,',
      'm,,1,1,2020-01-01,',
      'm,,1,1,2030-01-02,2030-01-01',
      `${known},,7,7,,`,
    ];
    const { isDone, faults } = await load(lines.join('\n'));
    expect(isDone).toBe(false);
    expect(faults.map(({ line, fault }) => `${line} ${fault}`)).toEqual([
      '3 twice',
      '4 columns',
      '5 model',
      '6 host',
      '7 price',
      '8 price',
      '9 price',
      '10 price',
      '11 date',
      '12 past',
      '13 ends-before',
      '14 overlaps',
    ]);
    expect((await list({ text: good })).items).toEqual([]);
  });

  test('replaces prices without end where that is wanted', async () => {
    const model = newModel();
    await create(wish({ model }));
    clock.advance(minute);
    const csv = `model,input,output\n${model},7,7`;
    expect(await load(csv)).toMatchObject({ faults: [{ line: 2, fault: 'overlaps' }] });
    expect(await load(csv, { replaces: true })).toMatchObject({ isDone: true, added: 1, ended: 1 });
    expect((await list({ text: model })).items.map(({ validUntil }) => validUntil)).toEqual([
      null,
      clock.now().toISOString(),
    ]);
  });

  test.each([
    ['model,input\nm,1', 1],
    ['model,input,output,colour\nm,1,1,red', 1],
    ['model,model,input,output\nm,m,1,1', 1],
    ['model,input,output\n"m,1,1', 2],
  ])('that is no such table is one fault: %j', async (csv, line) => {
    expect((await load(csv)).faults).toEqual([{ line, fault: 'columns' }]);
  });

  test('has 1,000 lines at most', async () => {
    const file = (count: number) => `model,input,output\n${'m,1,1\n'.repeat(count)}`;
    expect((await load(file(1_000), { isDryRun: true })).unchanged).toBe(999);
    await expect(load(file(1_001))).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });
});

test('creating, ending or importing prices records one rates.changed event; a dry run records none', async () => {
  const told = async () => (await recorded()).filter(({ type }) => type === 'rates.changed.v1').length;
  const before = await told();
  const { id, model } = await create(wish());
  await create(wish({ id, model }));
  await end(id, 1);
  await load(`model,input,output\n${newModel()},2.50,10\n${newModel()},1,2`);
  await load('model,input,output\nx,2.50,10', { isDryRun: true });
  expect((await told()) - before).toBe(3);
});
