import { describe, expect, it } from '@jest/globals';
import type { Provider, ProviderId } from '@parley/contracts';
import { createProvider, testProvider, updateProvider } from '@parley/contracts';
import {
  createBody,
  draftOf,
  isContext,
  testBody,
  toggleModel,
  updateBody,
  withChosen,
  withKind,
  withModels,
} from './provider-draft.ts';

const id = `prv_${'1'.repeat(26)}` as ProviderId;
const provider: Provider = {
  id,
  kind: 'openai-compatible',
  name: 'Atlas',
  baseUrl: 'https://atlas.example/v1',
  keyHint: 'x91q',
  models: ['a', 'b'],
  defaultModel: 'a',
  isDefault: false,
  thinks: false,
  embeddingModel: null,
  contexts: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  version: 3,
};
const filled = {
  ...draftOf(null, false),
  name: ' Atlas ',
  baseUrl: ' https://atlas.example/v1 ',
  apiKey: ' secret ',
  known: ['a'],
  models: ['a'],
  defaultModel: 'a',
};

describe('a provider being edited', () => {
  it('makes bodies that the contracts accept', () => {
    expect(createProvider.body?.parse(createBody(filled, id))).toMatchObject({ id, name: 'Atlas', apiKey: 'secret' });
    expect(updateProvider.body?.parse(updateBody(draftOf(provider, true), 3))).not.toHaveProperty('apiKey');
    expect(updateProvider.body?.parse(updateBody({ ...draftOf(provider, true), isKeyRemoved: true }, 3))).toMatchObject(
      { apiKey: null },
    );
    expect(testProvider.body?.parse(testBody(draftOf(provider, true), provider))).toMatchObject({
      providerId: id,
      model: 'a',
    });
  });

  it('begins with the models that chat, of all that its server lists', () => {
    const listed = ['text-embedding-3-small', 'gpt-5', 'gpt-5-mini', 'tts-1', 'gpt-4o-realtime-preview', 'dall-e-3'];
    const fetched = withModels(draftOf(null, false), { models: listed });
    expect(fetched.known).toEqual(listed);
    expect([fetched.models, fetched.defaultModel]).toEqual([['gpt-5', 'gpt-5-mini'], 'gpt-5']);
    expect(withChosen(fetched, fetched.known)).toMatchObject({ models: listed, defaultModel: 'gpt-5' });
    expect(withChosen(fetched, [])).toMatchObject({ models: [], defaultModel: '' });
    // A choice stays.
    expect(withModels(withChosen(fetched, ['tts-1']), { models: listed }).models).toEqual(['tts-1']);
  });

  it('goes to the address of another kind, unless somebody has typed one, and forgets the models of the first', () => {
    const fresh = withKind(draftOf(null, false), 'anthropic');
    expect(fresh).toMatchObject({ kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' });
    const listed = { ...withModels(fresh, { models: ['claude'] }), thinks: true };
    const google = withKind(listed, 'google');
    expect(google).toMatchObject({ baseUrl: 'https://generativelanguage.googleapis.com/v1beta', thinks: true });
    expect([google.models, google.defaultModel]).toEqual([[], '']);
    expect(withKind(google, 'openai-compatible')).toMatchObject({ baseUrl: '', thinks: false });
    expect(withKind({ ...fresh, baseUrl: 'https://proxy.example/v1' }, 'google').baseUrl).toBe(
      'https://proxy.example/v1',
    );
  });

  it('takes what the list says of contexts, keeps what was typed for the others, and sends what is chosen', () => {
    const known = { ...provider, contexts: [{ model: 'a', tokens: 8_192 }] };
    const typed = { ...draftOf(known, true), contexts: { a: '9000', b: ' 16000 ', gone: '4000' } };
    const fetched = withModels(typed, { models: ['a', 'b'], contexts: [{ model: 'a', tokens: 32_768 }] });
    expect(fetched.contexts).toEqual({ a: '32768', b: ' 16000 ', gone: '4000' });
    const { contexts } = updateProvider.body!.parse(updateBody(fetched, 3));
    expect(contexts).toEqual([
      { model: 'a', tokens: 32_768 },
      { model: 'b', tokens: 16_000 },
    ]);
    expect(draftOf(known, true).contexts).toEqual({ a: '8192' });
    expect(['', '1000', '20000000'].every(isContext)).toBe(true);
    expect(['999', '20000001', '0', '8.000', '128k', '1e6'].some(isContext)).toBe(false);
  });

  it('takes what the list and the test say of images, and sends what is known of the chosen models', () => {
    const known: Provider = { ...provider, images: [{ model: 'a', accepts: 'no' }] };
    const chosen = { ...draftOf(known, true), images: { a: 'no', b: 'yes', gone: 'yes' } as const };
    const fetched = withModels(chosen, { models: ['a', 'b'], images: [{ model: 'a', accepts: 'yes' }] });
    expect(fetched.images).toEqual({ a: 'yes', b: 'yes', gone: 'yes' });
    const sent = updateProvider.body!.parse(updateBody({ ...fetched, images: { ...fetched.images, b: '' } }, 3));
    expect(sent.images).toEqual([{ model: 'a', accepts: 'yes' }]);
    expect(draftOf(known, true).images).toEqual({ a: 'no' });
    expect(withKind(fetched, 'google').images).toEqual({});
  });

  it('keeps what was chosen when the list is fetched, and a default among the chosen', () => {
    const fetched = withModels(draftOf(provider, true), { models: ['b', 'c'] });
    expect(fetched).toMatchObject({ known: ['b', 'c', 'a'], models: ['a', 'b'], defaultModel: 'a' });
    expect(toggleModel(fetched, 'a')).toMatchObject({ models: ['b'], defaultModel: 'b' });
    expect(withModels(draftOf(null, false), { models: ['x', 'y'] })).toMatchObject({
      models: ['x', 'y'],
      defaultModel: 'x',
    });
  });
});
