import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../testing/fake-api.ts';
import { projectOf } from '../../testing/project-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleConversation, sampleIds } from '../../testing/samples.ts';
import { SearchPalette } from './search-palette.tsx';

const hit = {
  conversationId: sampleIds.conversation,
  conversationTitle: 'Leave',
  messageId: sampleIds.answer,
  role: 'assistant' as const,
  snippet: 'by the desk',
  ranges: [],
  createdAt: sampleConversation.createdAt,
};
const places = { chat: () => '', project: () => '', message: () => '/en/chat', document: null, member: null };
const field = () => screen.getByRole('combobox');

function show(answer: (q: string) => object) {
  const done: string[] = [];
  installFakeApi({
    'GET /api/chat/conversations': () => ({ items: [], nextCursor: null }),
    'GET /api/chat/search': ({ query }) => ({ items: [], nextCursor: null, ...answer(query.q) }),
  });
  const projects = [projectOf('Needle'), projectOf('Work'), { ...projectOf('Old meters'), archived: true }];
  renderInOrganisation(
    <SearchPalette entries={[]} places={places} projects={projects} onClose={() => done.push('closed')} />,
    { path: '/:locale/*', at: '/en/start' },
  );
  return done;
}

it('says how dates that leave no day go together', async () => {
  show(() => ({ ignored: [{ operator: 'after:2024-02-01', reason: 'no-days' }] }));
  await userEvent.type(field(), 'vpn before:2024-01-01 after:2024-02-01');
  const note = await screen.findByText(/must be later than/);
  expect(note).toHaveTextContent('after:2024-02-01 was ignored. The date after before: must be later');
});

it('completes nothing to what is typed already: Enter takes what is found, and that nothing is, is said', async () => {
  const done = show((q) => ({ items: q === 'in:work' ? [hit] : [] }));
  await userEvent.type(field(), 'in:needle');
  expect(await screen.findByText(/^No results/)).toBeInTheDocument();
  expect(screen.queryByRole('option')).toBeNull();
  await userEvent.clear(field());
  await userEvent.type(field(), 'in:work');
  await screen.findByText('Leave');
  await userEvent.keyboard('{Enter}');
  expect(done).toEqual(['closed']);
});

it('finds an archived project, and says that it is archived', async () => {
  show(() => ({}));
  await userEvent.type(field(), 'meters');
  expect(await screen.findByRole('option', { name: /Old meters/ })).toHaveTextContent('Archived');
});
