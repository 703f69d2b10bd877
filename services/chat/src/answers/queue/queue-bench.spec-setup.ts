import { getMembership, permissionsOf, type ConversationId, type MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import { silentLogger, TestJobs } from '@parley/testing';
import { askNext, DraftsService, QueueMarks, type Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { AskNow } from './ask-now.ts';
import { QueueParents } from './queue-parents.ts';
import { QueueRepository } from './queue.repository.ts';
import { QueueRunner } from './queue-runner.ts';
import { QueueService } from './queue.service.ts';
import { QueueStarter } from './queue-starter.ts';

type More = { readonly id?: MessageId; readonly parentId?: MessageId | null; readonly text?: string };

/** Creates chats with queues; their answers end when a spec says so. */
export async function queueBench() {
  const bench = await treeBench();
  const { mongo, access, messages, paths, work, clock, conversations } = bench;
  const rows = new QueueRepository(mongo, bench.uses, bench.references);
  const marks = new QueueMarks(mongo);
  const drafts = new DraftsService(mongo, access, bench.projects, clock, work);
  const parents = new QueueParents(rows, marks, bench.keeping, bench.answering, drafts, messages, paths);
  parents.onModuleInit();
  const asking = new AskNow(bench.sending, bench.answering, bench.uses);
  const aService = (parts: Partial<{ rows: QueueRepository; marks: QueueMarks }> = {}) => {
    const own = { rows, marks, ...parts };
    return new QueueService(own.rows, own.marks, parents, access, messages, asking, work);
  };
  const service = aService();
  /** The permissions and end of access that the org service reports for everyone. */
  const org = { rights: permissionsOf('member'), accessEnd: null as Date | null, isAway: false };
  const platform = {
    logger: silentLogger(),
    peers: {
      call: async (route: unknown) => {
        if (org.isAway || route !== getMembership) throw new Problem('platform.unavailable');
        const accessEnd = org.accessEnd && { at: org.accessEnd.toISOString(), reason: '' };
        return { permissions: org.rights, rightsVersion: 1, role: 'member', groupIds: [], accessEnd };
      },
    },
  } as unknown as Platform;
  /** Creates a starter like that of one of several processes that start waiting questions. */
  const aStarter = (parts: Partial<{ rows: QueueRepository; marks: QueueMarks; asking: AskNow }> = {}) => {
    const own = { rows, marks, asking, ...parts };
    return new QueueStarter(own.rows, own.marks, own.asking, work, platform);
  };
  const aRunner = (starter = aStarter()) => {
    const jobs = new TestJobs(bench).with(askNext, new QueueRunner(conversations, marks, starter, work));
    return {
      start: () => jobs.start(),
      end: () => jobs.end(),
      /** Starts all questions that can start, also those that failed to start before. */
      async startAll(): Promise<void> {
        clock.advance(1_000);
        await jobs.run();
      },
    };
  };
  const call = (viewer: Viewer, conversationId: ConversationId, more: object = {}) =>
    ({ ...viewer, params: { conversationId, ...more } }) as never;
  const read = (viewer: Viewer, id: ConversationId) => service.list(call(viewer, id));
  const add = (viewer: Viewer, conversationId: ConversationId, body: object) =>
    service.add({ ...(call(viewer, conversationId) as object), body } as never);
  const ids = () => ({ answerId: newId('message'), generationId: newId('generation') });
  /** Queues a question, and returns the request's body. */
  async function question(
    viewer: Viewer,
    conversationId: ConversationId,
    { id = newId('message'), parentId = null, text = 'herons' }: More = {},
  ) {
    const sent = { kind: 'question', messageId: id, parentId, text, ...ids() } as const;
    await add(viewer, conversationId, sent);
    return sent;
  }
  /** Returns all messages of a conversation, in order of creation. */
  const said = (viewer: Viewer, id: ConversationId) =>
    messages.page(viewer.scope, id, { before: undefined, limit: 100 });
  /** Creates a chat whose first answer is running; its `texted` returns the questions that were asked in the chat. */
  async function busy(viewer = aViewer()) {
    const { conversation, message, answer } = await bench.ask(viewer, { text: 'first' });
    const { id } = conversation;
    const texted = async () => (await said(viewer, id)).filter(({ role }) => role === 'person').map(({ text }) => text);
    return { viewer, id, message, answer, texted };
  }
  return {
    ...bench,
    rows,
    marks,
    drafts,
    org,
    asking,
    call,
    aService,
    aStarter,
    aRunner,
    read,
    add,
    ids,
    question,
    said,
    busy,
    /** Creates a chat with a running answer and three waiting questions, each below the answer to the one before. */
    async full(viewer?: Viewer) {
      const chat = await busy(viewer);
      let parentId: MessageId = chat.answer.id;
      const sent = [];
      for (const text of ['herons', 'storks', 'cranes']) {
        const one = await question(chat.viewer, chat.id, { parentId, text });
        parentId = one.answerId;
        sent.push(one);
      }
      return { ...chat, sent };
    },
    edit: (viewer: Viewer, id: ConversationId, messageId: MessageId, body: { version: number; text: string }) =>
      service.edit({ ...(call(viewer, id, { messageId }) as object), body } as never),
    withdraw: (viewer: Viewer, id: ConversationId, messageId: MessageId) =>
      service.withdraw(call(viewer, id, { messageId })),
    resume: (viewer: Viewer, id: ConversationId) => service.resume(call(viewer, id)),
    remove: (viewer: Viewer, id: ConversationId, messageId: MessageId) =>
      bench.deleting.delete(call(viewer, id, { messageId })),
    draft: (viewer: Viewer, where: ConversationId) => drafts.read({ ...viewer, params: { where } } as never),
    /** Returns the texts of waiting questions in order. */
    texts: async (viewer: Viewer, id: ConversationId) => (await read(viewer, id)).items.map(({ text }) => text),
    /** Ends the chat's running answer. */
    async endRunning(
      viewer: Viewer,
      id: ConversationId,
      status: 'done' | 'stopped' | 'failed' | 'interrupted' = 'done',
    ) {
      const { running } = (await conversations.find(viewer.scope, id))!;
      if (!running) throw new Error('Nothing is written there.');
      const failure = status === 'failed' ? ('provider-error' as const) : null;
      await bench.end(viewer, { answer: { generation: { id: running.generationId } } as never }, { status, failure });
      return running.answerId;
    },
  };
}
