import { expect, it } from '@jest/globals';
import type { Model, ModelKey } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { installFakeApi } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleModel } from '../../../../testing/samples.ts';
import { EmptyChat } from './index.tsx';

const connected: Model = {
  ...sampleModel,
  key: `prv_${'0'.repeat(26)}/m` as ModelKey,
  label: 'm',
  providerName: 'Own',
};

it.each([
  ['no other model and documents', { items: [sampleModel], documentCount: 3 }, /No language model is connected/],
  [
    'another model and documents',
    { items: [sampleModel, connected], documentCount: 3 },
    /3 documents\. Choose a language model/,
  ],
  [
    'no other model and no documents',
    { items: [sampleModel], documentCount: 0 },
    /No language model and no documents are connected/,
  ],
  [
    'another model and no documents',
    { items: [sampleModel, connected], documentCount: 0 },
    /Choose a language model, or connect documents/,
  ],
])('describes the built-in assistant correctly with %s', async (_what, { items, documentCount }, words) => {
  installFakeApi({});
  const offered = { items, documentCount, indexedAt: null };
  const answerer = { chatbot: null, model: sampleModel };
  renderInOrganisation(<EmptyChat answerer={answerer} offered={offered} composer={null} onStart={() => undefined} />, {
    path: '/:locale/chat',
    at: '/en/chat',
    role: 'member',
  });
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.queryAllByText(/No language model/)).toHaveLength(items.length === 1 ? 1 : 0);
});

it('reserves room for offers until they are known, and shows none that may be wrong', () => {
  installFakeApi({});
  const nobody = { chatbot: null, model: null };
  renderInOrganisation(
    <EmptyChat answerer={nobody} offered={null} composer={<textarea />} onStart={() => undefined} />,
    { path: '/:locale/chat', at: '/en/chat' },
  );
  expect(screen.getByRole('heading', { name: 'Ask Parley' })).toBeInTheDocument();
  expect(screen.getByRole('textbox')).toBeInTheDocument();
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.queryByText(/Answers come from/)).toBeNull();
});

it('shows the next steps immediately, and the invitation last, once it is known that the person is alone', async () => {
  installFakeApi({
    'GET /api/org/seats': () => ({ used: 1, held: 0, limit: 5 }),
    'GET /api/org/invitations': () => ({ items: [], nextCursor: null }),
  });
  const answer = globalThis.fetch;
  const seats = Promise.withResolvers<undefined>();
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    if (url.includes('/seats')) await seats.promise;
    return answer(url, init);
  }) as typeof fetch;
  const offered = { items: [sampleModel], documentCount: 0, indexedAt: null };
  const answerer = { chatbot: null, model: sampleModel };
  renderInOrganisation(<EmptyChat answerer={answerer} offered={offered} composer={null} onStart={() => undefined} />, {
    path: '/:locale/chat',
    at: '/en/chat',
  });
  const steps = () => screen.getAllByRole('link').map((link) => link.querySelector('b')?.textContent);
  await screen.findByRole('link', { name: /Upload documents/ });
  expect(steps()).toEqual(['Upload documents', 'Connect a language model']);
  seats.resolve(undefined);
  await screen.findByRole('link', { name: /Invite people/ });
  expect(steps()).toEqual(['Upload documents', 'Connect a language model', 'Invite people']);
  expect(screen.getByRole('heading', { name: 'Ask the built-in assistant' })).toBeInTheDocument();
});
