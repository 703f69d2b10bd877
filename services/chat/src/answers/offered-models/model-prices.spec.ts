import { describe, expect, test } from '@jest/globals';
import { findPriced } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { FakeClock } from '@parley/testing';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { ModelPrices } from './model-prices.ts';

type Upstream = { readonly host: string; readonly model: string };
const dear = { host: 'models.example', model: 'dear' };
const unknown = { host: 'models.example', model: 'unpriced' };
const price = { inputMicros: 2_500_000, outputMicros: 10_000_000 };

/** Prices from a billing service that answers like this; `calls` counts its requests. */
function pricesFrom(answer: (upstreams: readonly Upstream[]) => unknown) {
  const clock = new FakeClock();
  const asked: (readonly Upstream[])[] = [];
  const call = async (route: unknown, input: { body: { upstreams: Upstream[] } }, options: { failMode: unknown }) => {
    expect(route).toBe(findPriced);
    asked.push(input.body.upstreams);
    return (await answer(input.body.upstreams)) ?? (options.failMode as { otherwise: unknown }).otherwise;
  };
  const platform = { peers: { call }, logger: { warn: () => undefined } } as unknown as Platform;
  return { prices: new ModelPrices(platform, clock), clock, asked };
}
const told = (upstreams: readonly Upstream[]) => ({
  isPriced: upstreams.map(({ model }) => model === 'dear'),
  prices: upstreams.map(({ model }) => (model === 'dear' ? price : null)),
  currency: 'EUR',
});

describe('the prices of models', () => {
  test('asks for current prices each time models are listed', async () => {
    let now: typeof price | null = null;
    const { prices } = pricesFrom((upstreams) => ({ ...told(upstreams), prices: [now, null] }));
    const { scope } = aViewer();
    expect((await prices.of(scope, [dear, unknown])).priceOf(dear)).toBeNull();
    now = price;
    const { priceOf } = await prices.of(scope, [dear, unknown]);
    expect([priceOf(dear), priceOf(unknown)]).toEqual([{ ...price, currency: 'EUR' }, null]);
  });

  test('returns the time until one of the prices begins or ends', async () => {
    const { scope } = aViewer();
    const due = pricesFrom((upstreams) => ({ ...told(upstreams), changesInSeconds: 90 }));
    expect((await due.prices.of(scope, [dear])).changesInSeconds).toBe(90);
    const none = pricesFrom((upstreams) => ({ ...told(upstreams), changesInSeconds: null }));
    expect(await none.prices.of(scope, [dear])).not.toHaveProperty('changesInSeconds');
  });

  test('requests no prices without models', async () => {
    const { prices, asked } = pricesFrom(told);
    expect((await prices.of(aViewer().scope, [])).priceOf(dear)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test.each([
    ['is away', () => undefined],
    ['refuses', () => Promise.reject(new Problem('platform.invalid-request'))],
    ['is of 0.2.0', () => ({ isPriced: [true] })],
  ])('is unknown while billing %s, which is asked every 5 s', async (_what, answer) => {
    const { prices, clock, asked } = pricesFrom(answer);
    const { scope } = aViewer();
    for (const _each of [1, 2, 3]) expect((await prices.of(scope, [dear])).priceOf(dear)).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.advance(5_001);
    await prices.of(scope, [dear]);
    expect(asked).toHaveLength(2);
  });

  test('returns the last known prices if billing is slow', async () => {
    const slow = Promise.withResolvers<void>();
    let isSlow = false;
    const { prices } = pricesFrom(async (upstreams) => {
      if (isSlow) await slow.promise;
      return told(upstreams);
    });
    const { scope } = aViewer();
    await prices.of(scope, [dear]);
    isSlow = true;
    expect((await prices.of(scope, [dear])).priceOf(dear)).toMatchObject(price);
    expect((await prices.of(aViewer().scope, [dear])).priceOf(dear)).toBeUndefined();
    slow.resolve();
  });
});
