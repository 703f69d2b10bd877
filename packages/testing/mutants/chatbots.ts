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
];
