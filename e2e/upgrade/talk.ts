import type { ConversationId, GenerationStatus, Message, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import type { ParleyClient } from '@parley/testing/client';
import { stalling } from './outside.ts';
import type { People } from './people.ts';

/** Long: what is late on a busy machine is no fault. */
export const patienceMs = 180_000;
const ended: readonly GenerationStatus[] = ['done', 'stopped', 'failed', 'interrupted'];

/** Chats as people have them: versions, a continuation, a deleted one, sources. */
export async function talk({ Ada, Ben, Cleo, Eva, Finn }: People): Promise<void> {
  const versions = await ask(Cleo, 'When is high water at the north pier?');
  await answerAgain(Cleo, versions);
  await ask(Cleo, 'And at the south pier?', { conversationId: versions.conversationId });

  const stopped = newId('conversation');
  const { answer } = await Cleo.send(stopped, `${stalling}: when does the tide turn?`);
  await untilText(Cleo, stopped);
  await Cleo.call('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
    params: { conversationId: stopped, generationId: answer.generation!.id },
  });
  await answerAgain(Cleo, await untilEnded(Cleo, stopped), { continues: answer.id, model: 'builtin' as never });

  await ask(Ben, 'How often does the horn sound in fog?', { model: 'builtin' });
  const deleted = await ask(Ben, 'Forget this one.', { model: 'builtin' });
  await Ben.call('DELETE /api/chat/conversations/:conversationId', {
    params: { conversationId: deleted.conversationId },
  });
  const [master] = (await Ada.call('GET /api/chat/chatbots')).items.filter(({ name }) => name === 'Harbour master');
  await ask(Ada, 'When are ropes checked?', { chatbotId: master!.id });
  for (const question of ['Who lights the lamp?', 'When?']) await ask(Finn, question, { model: 'builtin' });
  await ask(Eva, 'Is the lamp bright enough?');
}

/** A rating that was sent along, and what is said from then on. */
export async function judge({ Ada, Cleo }: People): Promise<void> {
  const { id } = (await Cleo.conversations())[0]!;
  const answer = (await Cleo.messages(id)).items.at(-1)!;
  const { id: feedbackId } = await Cleo.call(
    'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback',
    {
      params: { conversationId: id, messageId: answer.id },
      body: { rating: 'down', reasons: ['wrong-facts'], comment: 'The basin was dredged.', messages: 2 },
    },
  );
  await Ada.call('POST /api/chat/curated-answers', {
    body: {
      id: newId('curatedAnswer'),
      questions: ['How deep is the basin now?'],
      text: 'Since the dredging the basin is seven metres deep.',
      chatbotId: null,
      feedbackId,
    },
  });
}

/** Asks, and resolves with the answer once it has ended. */
export async function ask(
  person: ParleyClient,
  text: string,
  {
    conversationId = newId('conversation'),
    ...asked
  }: { conversationId?: ConversationId; model?: string; chatbotId?: string; parentId?: MessageId } = {},
): Promise<Message> {
  await person.send(conversationId, text, asked as never);
  return untilEnded(person, conversationId);
}

export async function answerAgain(
  person: ParleyClient,
  { conversationId, parentId }: Pick<Message, 'conversationId' | 'parentId'>,
  more: object = {},
): Promise<Message> {
  await person.call('POST /api/chat/conversations/:conversationId/answers', {
    params: { conversationId },
    body: { parentId: parentId as MessageId, answerId: newId('message'), generationId: newId('generation'), ...more },
  });
  return untilEnded(person, conversationId);
}

/** The newest answer, once it has ended and with it all that belongs to it. */
export const untilEnded = (person: ParleyClient, id: ConversationId): Promise<Message> =>
  eventually(
    async () => {
      const answer = (await person.messages(id)).items.at(-1);
      if (!answer?.generation || !ended.includes(answer.generation.status)) throw new Error(answer?.generation?.status);
      return answer;
    },
    'the answer should end',
    patienceMs,
  );

/** An answer that is being written, once words of it are stored. */
export const untilText = (person: ParleyClient, id: ConversationId): Promise<Message> =>
  eventually(
    async () => {
      const answer = (await person.messages(id)).items.at(-1);
      if (!answer?.text) throw new Error(answer?.generation?.status);
      return answer;
    },
    'some of the text should be stored',
    patienceMs,
  );
