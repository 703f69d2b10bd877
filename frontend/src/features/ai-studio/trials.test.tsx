import { beforeEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { sampleBotId, sampleDraft, sampleTrial, studioHandlers } from '../../testing/chatbot-samples.ts';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { AiStudioPage } from './ai-studio-page.tsx';

beforeEach(() => localStorage.clear());

function show(handlers: Handlers = {}) {
  const api = installFakeApi({ ...studioHandlers(sampleDraft()), ...handlers });
  renderInOrganisation(<AiStudioPage />, {
    path: '/:locale/settings/aiStudio-chatbot-settings',
    at: `/en/settings/aiStudio-chatbot-settings?bot=${sampleBotId}`,
    role: 'owner',
  });
  return (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
}

it('a question goes to the draft and to what is live, with what each took and found', async () => {
  const found = [
    {
      number: 1,
      documentId: 'doc_01M7Z6X0BT7J6QPJC5FQE3HR41' as never,
      chunkId: 'chk_01M7Z6X0BT7J6QPJC5FQE3HR42' as never,
      documentName: 'Relay settings',
      heading: null,
      text: 'Relay 51N-7 trips feeder 7.',
      score: 0.86,
    },
  ];
  const sent = show({
    'POST /api/chat/chatbot-drafts/:chatbotId/trials': ({ body }) =>
      sampleTrial({
        id: body.id,
        version: body.version,
        question: body.question,
        found,
        citations: found.map(({ text: _t, score: _s, ...rest }) => rest),
      }),
  });
  await userEvent.type(await screen.findByLabelText('Ask a question'), 'Which relay?{Enter}');
  expect(await screen.findAllByText('Relay settings')).toHaveLength(2);
  expect(sent('POST /api/chat/chatbot-drafts/:chatbotId/trials')).toMatchObject([{ version: null }, { version: 14 }]);
  expect(screen.getAllByText('2,318')).toHaveLength(2);
  expect(screen.getAllByText('1 passage found, 1 cited')).toHaveLength(2);
  expect(screen.getAllByText('0.86')).toHaveLength(2);
  const [number] = await screen.findAllByRole('button', { name: 'Source 1' });
  const folded = () => screen.getAllByText('Relay 51N-7 trips feeder 7.').map((text) => text.closest('details')?.open);
  expect(folded()).toEqual([false, false]);
  await userEvent.click(number!);
  expect(folded()).toEqual([true, false]);
});
