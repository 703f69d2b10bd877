import type { Mutant } from './mutant.ts';

const folder = 'services/chat/src/completions';
const spec = 'chat/src/completions/completions.spec';

export const completionMutants: readonly Mutant[] = [
  {
    breaks: "a program's question that is stored after its refusal is written to nobody",
    file: 'services/chat/src/completions/completions.service.ts',
    find: 'asking.then((late) => this.follower.stop(input.scope, late)).catch(() => undefined);',
    put: 'asking.catch(() => undefined);',
    spec: 'chat/src/completions/completions.spec',
  },
  {
    breaks: 'a model goes on for a program that is gone',
    file: `${folder}/answer-follower.ts`,
    find: 'if (!hasEnded) await this.stop(scope, generation);',
    put: '',
    spec,
  },
  {
    breaks: 'a revoked key goes on reading its answer',
    file: `${folder}/answer-follower.ts`,
    find: 'if (this.platform.revocations.isRevoked(principal))',
    put: 'if (gone.aborted)',
    spec,
  },
  {
    breaks: 'a program asks as much at the same time as it likes',
    file: `${folder}/completions.service.ts`,
    find: "await this.counts.hold('completions', {",
    put: 'await Promise.resolve(() => undefined);\n    void ({',
    spec,
  },
  {
    breaks: 'words are handed on twice',
    file: `${folder}/told-text.ts`,
    find: 'this.handedOn += piece.length;',
    put: '',
    spec,
  },
  {
    breaks: 'what a program asks stands among the chats of its owner',
    file: 'services/chat/src/generations/ask-apart.ts',
    find: 'newConversation(scope, ids, now)',
    put: 'newConversation(scope, { ...ids, ownerId: asker.userId }, now)',
    spec,
  },
  {
    breaks: 'a program is answered as if it had sent its last message only',
    file: 'services/chat/src/generations/prepare-answer.ts',
    find: 'wishes?.turns ?? this.turns(scope, question)',
    put: 'this.turns(scope, question)',
    spec,
  },
  {
    breaks: 'what programs asked is kept for ever',
    file: 'services/chat/src/generations/apart-purge.ts',
    find: 'await this.messages.deleteAll(scope, conversationId, tx);',
    put: '',
    spec,
  },
  {
    breaks: 'the answer of a program that nobody reads any more is written and paid again',
    file: 'services/chat/src/generations/generation.ts',
    find: "if (generation.completionId) return 'give-up';",
    put: '',
    spec: 'chat/src/generations/generation.spec',
  },
  {
    breaks: 'clients ask again where the budget is spent',
    file: 'packages/contracts/src/http/openai-errors.ts',
    find: "{ 'x-should-retry': 'false' }",
    put: '{}',
    spec: 'contracts/src/http/openai-errors.spec',
  },
  {
    breaks: 'words behind a stop word are said',
    file: 'services/chat/src/generations/stop-words.ts',
    find: 'all.slice(0, Math.min(...places))',
    put: 'all',
    spec: 'chat/src/generations/stop-words.spec',
  },
];
