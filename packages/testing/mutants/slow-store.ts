import type { Mutant } from './mutant.ts';

const chat = 'services/chat/src';

export const slowStoreMutants: readonly Mutant[] = [
  {
    breaks: 'the answer of a living worker is taken over as soon as its lease ends',
    file: `${chat}/generations/generation.ts`,
    find: 'lateForMs >= respectedMs[sign]',
    put: 'lateForMs >= 0',
    spec: 'chat/src/generations/generation.spec',
  },
  {
    breaks: 'what nobody could say while Redis was away is taken for silence',
    file: `${chat}/generations/signs-of-life.ts`,
    find: 'this.seen.clear(); // Nobody knows who could write meanwhile.',
    put: '',
    spec: 'chat/src/generations/signs-of-life.spec',
  },
  {
    breaks: 'a takeover forgets what was streamed after the last checkpoint',
    file: `${chat}/generations/remains.ts`,
    find: 'streamed.text.length > kept.text.length ? streamed : kept',
    put: 'kept',
    spec: 'chat/src/generations/remains.spec',
  },
  {
    breaks: 'an end that a slow store refuses loses its text',
    file: 'packages/platform/src/mongo/store-away.ts',
    find: '(reason instanceof MongoError && tooSlow.includes(reason.code)) ||',
    put: '',
    spec: 'chat/src/generations/store-end.spec',
  },
];
