import { errorLimits, type ErrorFrame, type ErrorReport } from '@parley/contracts';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ErrorTest } from './error-test.ts';
import type { ReportContext } from './reporter.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
/** The version of the installation: all packages have that of the root package. */
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
export const release = `parley@${version}`;

const word = /^[\w.$/-]{1,60}$/;
const shown = (text: unknown): string | null => (word.test(String(text)) ? String(text) : null);
const machine = shown(hostname());

/**
 * Builds the report of an error: for the error and each of its causes the class, the code and the place in the program,
 * with Parley's own names and ids. It has no message, because a message can quote what people wrote, an address or a
 * key. The log has the complete error under the same trace id.
 */
export function reportOf(error: unknown, context: ReportContext): ErrorReport {
  const { deployable, during, route, traceId, digest, consumer, userId } = context;
  const isTraced = traceId !== undefined && /[1-9a-f]/.test(traceId);
  return {
    eventId: randomBytes(16).toString('hex'),
    at: new Date().toISOString(),
    deployable,
    during,
    release,
    route: route ?? null,
    traceId: isTraced ? traceId : null,
    digest: digest ?? null,
    consumer: consumer ?? null,
    process: machine,
    userId: userId ?? null,
    errorTestId: error instanceof ErrorTest ? error.errorTestId : null,
    errors: causesOf(error).map(failedErrorOf),
  };
}

function causesOf(error: unknown): unknown[] {
  const chain = [error];
  for (let cause = causeOf(error); cause !== undefined && chain.length < errorLimits.causes; cause = causeOf(cause))
    chain.push(cause);
  return chain;
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? undefined) : undefined);

function failedErrorOf(error: unknown): ErrorReport['errors'][number] {
  if (!(error instanceof Error)) return { type: 'NoError', code: typeof error, frames: [] };
  const { name, code } = error as Error & { code?: unknown };
  const isCode = typeof code === 'number' || typeof code === 'string';
  return { type: shown(name) ?? 'Error', code: isCode ? shown(code) : null, frames: framesOf(error) };
}

/** Returns the calls of a stack, latest first, without the message at its start, which can have several lines. */
function framesOf({ stack = '', message }: Error): ErrorFrame[] {
  const start = Math.max(stack.indexOf(message), 0) + message.length;
  return stack
    .slice(start)
    .split('\n')
    .slice(1)
    .flatMap((line) => frameOf(line) ?? [])
    .slice(0, errorLimits.frames);
}

/**
 * Reads a line of a stack as V8 writes it: `at async Peers.call (file:///…/peers.ts:83:12)`, or `at
 * node:internal/timers:594:17`.
 */
function frameOf(line: string): ErrorFrame | null {
  const call = /^ *at (?:async )?(?:new )?(?:(.*?) (?:\[as [^\]]*\] )?\()?(?:file:\/\/)?([^()]+?):(\d+):(\d+)\)?$/.exec(
    line,
  );
  if (!call) return null;
  const [, name = '', path = '', lineNumber, column] = call;
  const file = path.replace(root, '');
  return {
    function: /^[\w$.<>#]{1,80}$/.test(name) ? name : '?',
    file: /^(node:)?[\w@+./-]{1,200}$/.test(file) ? file : '?',
    line: Number(lineNumber),
    column: Number(column),
    isOwn: path.startsWith(root) && !path.includes('/node_modules/'),
  };
}
