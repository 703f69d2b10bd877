import { describe, expect, test } from '@jest/globals';
import type { ModelKey } from '@parley/contracts';
import { configurationOf, isSameHost, keyHintOf, modelsOf, splitModelKey, toProvider } from './provider.ts';
import type { ProviderRow } from './provider.collection.ts';

const row = (id: string, models: string[], isDefault = false) =>
  ({ _id: id, name: id, models, defaultModel: models.at(-1), isDefault }) as ProviderRow;

describe('modelsOf', () => {
  test('without a provider the built-in assistant is the default', () => {
    expect(modelsOf([]).map(({ key, isDefault }) => [key, isDefault])).toEqual([['builtin', true]]);
  });
  test("the default provider's default model is the default, the built-in assistant stays as a choice", () => {
    const models = modelsOf([row('prv_1', ['a']), row('prv_2', ['b', 'c/d'], true)]);
    expect(models.filter((model) => model.isDefault).map((model) => model.key)).toEqual(['prv_2/c/d']);
    expect(models.at(-1)?.key).toBe('builtin');
  });
});

test('one from before there were kinds is OpenAI-compatible and does not think', () => {
  const old = { ...row('prv_1', ['a']), baseUrl: 'https://a.example/v1', createdAt: new Date(0) };
  expect([toProvider(old), configurationOf(old)]).toMatchObject(
    Array(2).fill({ kind: 'openai-compatible', thinks: false }),
  );
});

test('how much a model reads is what was said of it, else assumed, and said so', () => {
  const known = { ...row('prv_1', ['a', 'b']), contexts: ['a', 'gone'].map((model) => ({ model, tokens: 32_000 })) };
  expect(modelsOf([known]).map(({ context }) => context)).toEqual([
    { tokens: 32_000, isAssumed: false },
    { tokens: 8_000, isAssumed: true },
    null,
  ]);
  const whole = { ...known, baseUrl: 'https://a.example/v1', createdAt: new Date(0) };
  expect(toProvider(whole).contexts).toEqual([{ model: 'a', tokens: 32_000 }]);
});

test('whether a model accepts images is what was said of it, else unknown, also of what 0.2.0 has written', () => {
  const images = [
    { model: 'a', accepts: 'no' },
    { model: 'gone', accepts: 'yes' },
  ] as const;
  const known = { ...row('prv_1', ['a', 'b']), images: [...images] };
  expect(modelsOf([known]).map((model) => model.images)).toEqual([{ accepts: 'no' }, { accepts: 'unknown' }, null]);
  const whole = { baseUrl: 'https://a.example/v1', createdAt: new Date(0) };
  expect(toProvider({ ...known, ...whole }).images).toEqual([{ model: 'a', accepts: 'no' }]);
  const old = { ...row('prv_1', ['a']), ...whole };
  expect([toProvider(old).images, configurationOf(old).images]).toEqual([[], []]);
  expect(modelsOf([old])[0]!.images).toEqual({ accepts: 'unknown' });
});

test('a model name may hold slashes', () => {
  expect(splitModelKey('prv_1/meta/llama' as ModelKey)).toEqual({ providerId: 'prv_1', model: 'meta/llama' });
  expect(splitModelKey('builtin' as ModelKey)).toBeNull();
});

test('a key is bound to scheme, host and port', () => {
  expect(isSameHost('https://a.example/v1', 'https://a.example/v2')).toBe(true);
  expect(isSameHost('https://a.example/v1', 'http://a.example/v1')).toBe(false);
  expect(isSameHost('https://a.example/v1', 'https://a.example:8443/v1')).toBe(false);
});

test('a short key gives no hint', () => expect([keyHintOf('short'), keyHintOf('sk-1234567890')]).toEqual(['', '7890']));
