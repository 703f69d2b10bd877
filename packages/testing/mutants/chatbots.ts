import type { Mutant } from './mutant.ts';

export const chatbotMutants: readonly Mutant[] = [
  {
    breaks: 'another model goes on in mid-answer',
    file: 'services/chat/src/generations/fall-back.ts',
    find: ' && end.firstTokenAt === null',
    put: '',
    spec: 'chat/src/generations/fall-back.spec',
  },
  {
    breaks: 'a chatbot answers whoever knows its id',
    file: 'services/chat/src/chatbots/chatbots.service.ts',
    find: 'if (!row?.published || !isFor(row.published.content.audience, principal))',
    put: 'if (!row?.published)',
    spec: 'chat/src/chatbots/chatbots.spec',
  },
  {
    breaks: 'a draft is published whatever its tests say',
    file: 'services/chat/src/chatbot-tests/tests.service.ts',
    find: 'if (passed < row.gate.least)',
    put: 'if (passed < 0)',
    spec: 'chat/src/chatbot-tests/tests.spec',
  },
  {
    breaks: 'what passed on an earlier draft counts for this one',
    file: 'services/chat/src/chatbot-tests/tests.repository.ts',
    find: "findOne({ chatbotId, contentHash, status: 'done' }",
    put: "findOne({ chatbotId, status: 'done' }",
    spec: 'chat/src/chatbot-tests/tests.spec',
  },
  {
    breaks: 'a test that was changed since has passed',
    file: 'services/chat/src/chatbot-tests/test.ts',
    find: "state === 'passed' && revisions.get(testId) === revision",
    put: "state === 'passed' && revisions.has(testId)",
    spec: 'chat/src/chatbot-tests/tests.spec',
  },
  {
    breaks: 'a run goes on for who may not ask any more',
    file: 'services/chat/src/chatbot-tests/test-runner.ts',
    find: 'run.isStopWanted || !(await this.mayGoOn(run))',
    put: 'run.isStopWanted',
    spec: 'chat/src/chatbot-tests/tests.spec',
  },
  {
    breaks: 'a trial is answered by the draft of later',
    file: 'services/chat/src/generations/apart-questions.ts',
    find: 'trialId ? this.trials.content(scope, trialId) : ',
    put: '',
    spec: 'chat/src/trials/trials.spec',
  },
  {
    breaks: 'a colleague reads a trial with passages that only its asker may read',
    file: 'services/chat/src/trials/trials.service.ts',
    find: 'if (row?.askerId !== principal.userId) throw',
    put: 'if (!row) throw',
    spec: 'chat/src/trials/trials.spec',
  },
  {
    breaks: 'trials stand among the chats of who asked them',
    file: 'services/chat/src/generations/ask-apart.ts',
    find: 'newConversation(scope, ids, now)',
    put: 'newConversation(scope, { ...ids, ownerId: asker.userId }, now)',
    spec: 'chat/src/trials/trials.spec',
  },
];
