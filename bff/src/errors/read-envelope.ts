import {
  errorLimits,
  errorReport,
  pages,
  type ErrorDrop,
  type ErrorDrops,
  type ErrorFrame,
  type ErrorReport,
} from '@parley/contracts';

export type ReadEnvelope = { readonly reports: readonly ErrorReport[]; readonly drops: ErrorDrops };

const pagePaths: ReadonlySet<string> = new Set(pages.map(({ path }) => path));
/** `ab`, or `Aa.bc`. */
const callName = /^[A-Za-z_$][\w$]{0,39}(?:\.[A-Za-z_$][\w$]{0,39}){0,2}$/;
const kept = (pattern: RegExp, value: unknown): string | null =>
  typeof value === 'string' && pattern.test(value) ? value : null;
const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000_000 ? value : null;
const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * The errors in a Sentry envelope, each made anew from the few fields that a report has and only as far as they have the
 * shape of a program's names: whatever else a browser sends, or whoever pretends to be one, goes no further. Null where
 * it is no envelope.
 */
export function readEnvelope(text: string, now: Date): ReadEnvelope | null {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  if (!isObject(head)) return null;
  const drops: Partial<Record<ErrorDrop, number>> = {};
  const drop = (reason: ErrorDrop, count = 1) => (drops[reason] = (drops[reason] ?? 0) + count);
  const count = Math.ceil(lines.length / 2);
  const reports: ErrorReport[] = [];
  if (count > errorLimits.items) drop('items', count - errorLimits.items);
  for (let item = 0; item < Math.min(count, errorLimits.items); item += 1) {
    const read = readItem(lines[2 * item] ?? '', lines[2 * item + 1] ?? '', now);
    if (typeof read === 'string') drop(read);
    else reports.push(read);
  }
  return { reports, drops };
}

function readItem(header: string, payload: string, now: Date): ErrorReport | ErrorDrop {
  const { type } = asObject(parsed(header));
  if (typeof type === 'string' && type !== 'event') return 'items';
  if (type !== 'event') return 'malformed';
  if (depthOf(payload) > errorLimits.depth) return 'depth';
  const report = errorReport.safeParse(reportOf(asObject(parsed(payload)), now));
  return report.success ? report.data : 'malformed';
}

const isObject = (text: string): boolean =>
  depthOf(text) <= errorLimits.depth && text.startsWith('{') && parsed(text) !== undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How deep it nests, at least: brackets within texts count too, which the texts that we want do not have. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const sign of text) {
    if (sign === '{' || sign === '[') deepest = Math.max(deepest, (depth += 1));
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return deepest;
}

function reportOf(event: Record<string, unknown>, now: Date): Record<keyof ErrorReport, unknown> {
  const tags = asObject(event['tags']);
  const route = kept(/^/, tags['route']);
  return {
    eventId: event['event_id'],
    // A browser's clock may be anything.
    at: now.toISOString(),
    deployable: 'browser',
    during: 'page',
    release: kept(/^parley@\d{1,4}\.\d{1,4}\.\d{1,4}$/, event['release']),
    route: route !== null && pagePaths.has(route) ? `/${route}` : null,
    traceId: kept(/^[0-9a-f]{32}$/, tags['trace_id']),
    digest: kept(/^[0-9a-f]{10}$/, tags['digest']),
    consumer: null,
    process: null,
    userId: null,
    errorTestId: kept(/^ert_[0-9A-HJKMNP-TV-Z]{26}$/, tags['test']),
    // The outermost comes last.
    errors: asList(asObject(event['exception'])['values'])
      .slice(-errorLimits.causes)
      .toReversed()
      .map((value) => errorOf(asObject(value))),
  };
}

function errorOf({ type, value, stacktrace }: Record<string, unknown>): ErrorReport['errors'][number] {
  return {
    type: kept(/^[A-Z][A-Za-z]{1,50}$/, type) ?? 'Error',
    code: kept(/^(?:[a-z]{2,20}\.[a-z-]{2,40}|[A-Z][A-Z_]{1,40})$/, value),
    frames: asList(asObject(stacktrace)['frames'])
      .slice(-errorLimits.frames)
      .toReversed()
      .map((frame) => frameOf(asObject(frame))),
  };
}

function frameOf({ filename, function: name, lineno, colno }: Record<string, unknown>): ErrorFrame {
  const file = kept(/^assets\/[\w.-]{1,100}\.js$/, filename);
  return {
    function: kept(callName, name) ?? '?',
    file: file ?? '?',
    line: numberIn(lineno),
    column: numberIn(colno),
    isOwn: file !== null,
  };
}
