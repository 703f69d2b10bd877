import type { Mutant } from './mutant.ts';

const chat = 'services/chat/src';

export const otherModelMutants: readonly Mutant[] = [
  {
    breaks: 'a server without a key is sent the one of the environment',
    file: `${chat}/models/sdk-client.ts`,
    find: "apiKey: apiKey ?? ''",
    put: 'apiKey: apiKey ?? undefined',
    spec: 'chat/src/models/sdk-client.spec',
  },
  {
    breaks: 'a model thinks beyond what was held for its answer',
    file: `${chat}/models/sdk-client.ts`,
    find: 'isHeld ? {} : thinksFirst',
    put: 'thinksFirst',
    spec: 'chat/src/models/sdk-client.spec',
  },
  {
    breaks: 'a stream of an SDK that is cut counts as whole',
    file: `${chat}/models/sdk-client.ts`,
    find: "reason === null || reason === 'interrupted'",
    put: 'reason === null',
    spec: 'chat/src/models/sdk-client.spec',
  },
  {
    breaks: 'a line that an SDK reads may have any length',
    file: `${chat}/models/guarded-fetch.ts`,
    find: 'if (length <= longestLine) return done(null, chunk);',
    put: 'return done(null, chunk);',
    spec: 'chat/src/models/sdk-client.spec',
  },
  {
    breaks: 'thoughts are kept without a bound',
    file: `${chat}/generations/thinking.ts`,
    find: 'said.slice(0, longestThoughts - this.text.length)',
    put: 'said',
    spec: 'chat/src/generations/answer-attempt.spec',
  },
  {
    breaks: 'thoughts count as the first word, and no other model is asked',
    file: `${chat}/generations/answer-attempt.ts`,
    find: 'this.writer.think(this.thinking.take(part.text));',
    put: 'this.writer.think(this.thinking.take(part.text)), (this.firstTokenAt ??= new Date());',
    spec: 'chat/src/generations/answer-attempt.spec',
  },
];
