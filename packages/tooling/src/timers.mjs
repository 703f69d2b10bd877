// Finds timers that look again outside of `every`: `setInterval`, and a `setTimeout` that leads back to the
// function which set it. Also finds what `every` returned and nobody starts.
import { parse } from '@babel/parser';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const lease = 'renews what one piece of work holds, for as long as that runs';
const own = 'bounds what this process holds in memory, and asks nobody';

/** Files that can look again by a timer of their own, and why. */
export const keptTimers = [
  { file: 'bff/src/proxy/slow-clients.ts', why: own },
  { file: 'bff/src/realtime/live-gate.ts', why: 'counts looks, not time, while nobody knows who lost access' },
  { file: 'bff/src/realtime/unread.ts', why: own },
  { file: 'packages/platform/src/base/every/every.ts', why: 'is `every`' },
  { file: 'packages/platform/src/base/telemetry/health.ts', why: 'measures whether the event loop turns' },
  {
    file: 'packages/platform/src/edge/service/start-nest-service.ts',
    why: 'hurries connections while a server closes',
  },
  { file: 'packages/platform/src/events/event-bus/kafka/batch-delivery.ts', why: lease },
  { file: 'packages/platform/src/jobs/counts/counts.ts', why: lease },
  { file: 'packages/platform/src/ports/live-stream/memory/memory-live-stream.ts', why: own },
  {
    file: 'packages/platform/src/ports/doorbell/redis/redis-doorbell.ts',
    why: 'sends a ring again that Redis did not take',
  },
  { file: 'packages/platform/src/ports/live-stream/redis/stream-writer.ts', why: own },
  { file: 'packages/platform/src/rows/mongo/mongo.ts', why: 'counts looks, not time, without a word of the store' },
  { file: 'packages/platform/src/rows/schema/schema-migration.ts', why: lease },
  { file: 'services/chat/src/answers/generations/workers/attempts-in-hand.ts', why: lease },
  { file: 'services/chat/src/answers/generations/workers/generation-worker.ts', why: 'finds work that waits' },
  { file: 'services/chat/src/answers/generations/workers/signs-of-life.ts', why: 'beats, so that others see a death' },
  { file: 'services/chat/src/answers/generations/workers/workers.ts', why: lease },
  {
    file: 'services/chat/src/answers/generations/writing/frame-writer.ts',
    why: 'gathers words of an answer while they come',
  },
  { file: 'services/chat/src/answers/titles/title-budget.ts', why: lease },
];

const options = { sourceType: 'module', plugins: ['typescript', 'decorators-legacy'] };

const isFunction = (node) => /Function|Method$/.test(node?.type ?? '');
const named = ['VariableDeclarator', 'ClassProperty', 'ObjectProperty'];

/** The name of a function: of its declaration, its method, or of what it is assigned to; null for other nodes. */
function functionName(node) {
  const isNamed = isFunction(node) || (named.includes(node.type) && isFunction(node.init ?? node.value));
  return isNamed ? ((node.id ?? node.key)?.name ?? null) : null;
}

/** The name of what is called: `run` of `run()` and of `this.run()`. */
function calledName({ type, callee }) {
  if (type !== 'CallExpression') return null;
  if (callee.type === 'Identifier') return callee.name;
  return callee.object?.type === 'ThisExpression' ? (callee.property.name ?? null) : null;
}

/** Which functions of a file each of them calls, and which its timers call. */
function callsOf(text) {
  const calls = new Map();
  const timers = [];
  const visit = (node, owner, called) => {
    const callee = calledName(node);
    if (callee === 'setTimeout') {
      const [run] = node.arguments;
      const inTimer = new Set(run.type === 'Identifier' ? [run.name] : []);
      timers.push({ owner, inTimer });
      return visit(run, owner, inTimer);
    }
    if (callee !== null) called.add(callee);
    const name = functionName(node);
    if (name !== null && !calls.has(name)) calls.set(name, new Set());
    for (const part of Object.values(node).flat())
      if (typeof part?.type === 'string') visit(part, name ?? owner, name === null ? called : calls.get(name));
  };
  visit(parse(text, options).program, null, new Set());
  return { calls, timers };
}

/** Returns whether a timer leads back to the function that set it, through other functions of the file too. */
function restartsItself(text) {
  const { calls, timers } = callsOf(text);
  return timers.some(({ owner, inTimer }) => {
    const reached = new Set(inTimer);
    for (const name of reached) for (const next of calls.get(name) ?? []) reached.add(next);
    return reached.has(owner);
  });
}

/** Returns what looks again in a source text, in words. */
export function timersIn(text) {
  return [
    ...(/\bsetInterval\b/.test(text) ? ['setInterval'] : []),
    ...(text.includes('setTimeout(') && restartsItself(text) ? ['a setTimeout that starts itself again'] : []),
  ];
}

/** Returns the names of what `every` returned that is neither `readonly upkeep`, which the platform starts, nor started. */
export function unstarted(text) {
  const made = [...text.matchAll(/(readonly )?\b(\w+)\s*(?::[^=\n]+)?= every\(/g)];
  return made
    .filter(([, field, name]) => !(field && name === 'upkeep') && !new RegExp(`\\b${name}\\.start\\(`).test(text))
    .map(([, , name]) => name);
}

/** Returns one line for each finding, and one for each exception without a use. `files` are pairs of path and text. */
export function findTimers(files, kept = keptTimers) {
  const found = files.map(([file, text]) => ({ file, timers: timersIn(text), idle: unstarted(text) }));
  const isKept = (file) => kept.some((entry) => entry.file === file);
  const looking = new Set(found.filter(({ timers }) => timers.length > 0).map(({ file }) => file));
  return [
    ...found.flatMap(({ file, timers }) =>
      isKept(file) ? [] : timers.map((what) => `${file}: ${what}: what looks again is upkeep, by every()`),
    ),
    ...found.flatMap(({ file, idle }) =>
      idle.map((name) => `${file}: ${name} is never started: call it upkeep in a provider, or start it`),
    ),
    ...kept.filter(({ file }) => !looking.has(file)).map(({ file }) => `${file}: an exception without a use`),
  ];
}

/** Returns what is wrong in the services, the BFF and the platform below a folder. */
export function checkTimers(home) {
  const files = globSync('{services/*,bff,packages/platform}/src/**/*.ts', { cwd: home })
    .filter((file) => !/\.spec(-setup)?\.ts$/.test(file))
    .toSorted();
  return findTimers(files.map((file) => [file, readFileSync(join(home, file), 'utf8')]));
}
