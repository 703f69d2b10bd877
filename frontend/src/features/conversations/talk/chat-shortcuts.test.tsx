import { beforeEach, expect, it } from '@jest/globals';
import type { Message, MessageId } from '@parley/contracts';
import { userEvent } from '@testing-library/user-event';
import type { Path, Versions } from '../../../domain/conversation/conversation-path.ts';
import { useShortcutKeys } from '../../../lib/shortcuts.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleQuestion } from '../../../testing/samples.ts';
import { useChatShortcuts } from './chat-shortcuts.ts';

const answer = sampleAnswer();
const [earlier, later] = ['8', '9'].map((digit) => `msg_${digit.repeat(26)}` as MessageId) as [MessageId, MessageId];
const actions = {
  edit: (question: Message | null) => void done.push(`edit ${question?.id}`),
  showVersion: async (id: MessageId, shown: MessageId) => void done.push(`${shown} to ${id}`),
};
let done: string[];

function Page({ path, versions }: { path: Path; versions: Versions }) {
  useShortcutKeys();
  useChatShortcuts({ path, versions, actions });
  return null;
}
const show = (path: Path, versions: Versions = new Map(), role: 'owner' | 'guest' = 'owner') =>
  renderInOrganisation(<Page path={path} versions={versions} />, { path: '/:locale', at: '/en', role });

beforeEach(() => {
  done = [];
});

it('moves between the versions of the last message that has several', async () => {
  const versions = new Map([
    [null, [sampleQuestion.id, earlier]],
    [answer.parentId, [earlier, answer.id, later]],
  ]);
  show([sampleQuestion, answer], versions);
  await userEvent.keyboard('kj');
  expect(done).toEqual([`${answer.id} to ${earlier}`, `${answer.id} to ${later}`]);
});

it('edits the last question', async () => {
  show([{ ...sampleQuestion, id: earlier }, answer, sampleQuestion]);
  await userEvent.keyboard('e');
  expect(done).toEqual([`edit ${sampleQuestion.id}`]);
});

it('does nothing without a message to act on, or without the permission to ask', async () => {
  show([]);
  await userEvent.keyboard('ekj');
  show([sampleQuestion, answer], new Map(), 'guest');
  await userEvent.keyboard('ekj');
  expect(done).toEqual([]);
});
