import type { defaultStackParser, ErrorEvent, Exception, StackFrame } from '@sentry/node';
import { fileURLToPath } from 'node:url';
import type { ReportContext } from '../reporter.ts';

type StackParser = typeof defaultStackParser;
const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const mostCauses = 5;
/** A word of a program: the name of a class, a code. Sentences and addresses are none. */
const word = /^[\w.$/-]{1,60}$/;

/**
 * What leaves this process: for the error and each of its causes the class, the code and where in the program it
 * happened, and our own names and ids. Never a message: it may quote what people wrote, an address or a key. The log has
 * all of it under the same trace id.
 */
export function eventOf(error: unknown, context: ReportContext, parse: StackParser): ErrorEvent {
  const { during, deployable, route, traceId, digest, consumer } = context;
  const isTraced = traceId !== undefined && /[1-9a-f]/.test(traceId);
  const tags = { deployable, during, route, digest, consumer, trace_id: isTraced ? traceId : undefined };
  return {
    type: undefined,
    platform: 'node',
    level: during === 'process' ? 'fatal' : 'error',
    tags,
    exception: {
      values: causesOf(error)
        .map((cause) => exceptionOf(cause, parse))
        .toReversed(),
    },
    ...(isTraced && { contexts: { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } } }),
  };
}

function causesOf(error: unknown): unknown[] {
  const chain = [error];
  for (let cause = causeOf(error); cause !== undefined && chain.length < mostCauses; cause = causeOf(cause))
    chain.push(cause);
  return chain;
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? undefined) : undefined);

function exceptionOf(error: unknown, parse: StackParser): Exception {
  if (!(error instanceof Error)) return { type: 'NoError', value: `a thrown ${typeof error}` };
  const { name, code } = error as Error & { code?: unknown };
  const type = word.test(name) ? name : 'Error';
  const shownCode = typeof code === 'number' || (typeof code === 'string' && word.test(code)) ? String(code) : '';
  return { type, value: shownCode, stacktrace: { frames: framesOf(error, parse) } };
}

/** The latest call last. The message comes first in a stack, over any number of lines: it is cut away. */
function framesOf({ stack = '', message }: Error, parse: StackParser): StackFrame[] {
  const start = Math.max(stack.indexOf(message), 0) + message.length;
  return parse(stack.slice(stack.indexOf('\n', start))).map(({ filename = '', function: name, lineno, colno }) => ({
    filename: filename.replace(root, ''),
    function: name ?? '?',
    lineno,
    colno,
    in_app: filename.startsWith(root) && !filename.includes('/node_modules/'),
  }));
}
