import { hookOf } from './mutants.ts';

/** Whose transaction in chat's database, right before or after its commit, and which one, counted from now on. */
export type Point =
  `${'person' | 'job:erases deleted messages' | 'job:reads files of chats' | 'job:writes what people export' | 'job:imports chats' | 'job:imports files of projects' | 'job:moves chats of projects'}|${'before' | 'after'}|${number}`;

/** A process with this hook kills itself at the point that the file `PARLEY_TEST_POINT` names, once there is one. */
export const pointHook = (): string =>
  hookOf([
    {
      file: 'packages/platform/dist/events/work/recording-transaction.js',
      of: 'export async function commitWork(',
      by: `import { existsSync, readFileSync } from 'node:fs';
let transactions = 0;
const reach = (mongo, actor, when) => {
  const file = process.env.PARLEY_TEST_POINT;
  if (mongo.connection.name !== 'parley_chat' || !existsSync(file)) return;
  const [whose, wanted, nth] = readFileSync(file, 'utf8').split('|');
  if (when !== wanted || !actor.startsWith(whose)) return;
  transactions += 1;
  if (transactions === Number(nth)) process.kill(process.pid, 'SIGKILL');
};
export async function commitWork(`,
    },
    {
      file: 'packages/platform/dist/events/work/recording-transaction.js',
      of: 'written = await tx.writeTo(outbox, actorName);',
      by: `written = await tx.writeTo(outbox, actorName);
        reach(outbox.mongo, origin.actor, 'before');`,
    },
    {
      file: 'packages/platform/dist/events/work/recording-transaction.js',
      of: 'if (written.hasEvents) outbox.wake();',
      by: `reach(outbox.mongo, origin.actor, 'after');
    if (written.hasEvents) outbox.wake();`,
    },
  ]);

export const bothHooks = (one: string, other: string): string =>
  `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(one)};\nimport ${JSON.stringify(other)};`)}`;
