import type { Budget, Told } from './budget.ts';
import type { filesBudgets } from './files-budgets.ts';
import type { importsBudgets, searchKeysBudgets } from './imports-budgets.ts';

const bareAdds = 0.22;
const bareRelays = 43_000;

const bytesToThePage = {
  unit: 'kB',
  is: 'at-most',
  target: 20,
  openWebUi: '169',
  libreChat: '99',
} as const satisfies Budget;

export const embeddedBudgets = {
  'first token added, 1 stream, p50': {
    unit: 'ms',
    is: 'at-most',
    target: 6,
    floorThere: bareAdds,
    openWebUi: '76',
    libreChat: '≤ 33',
  },
  'first token added, 1 stream, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 25,
    floorThere: bareAdds,
    openWebUi: '110',
    libreChat: '≤ 51',
  },
  'first token added, 20 at once, p50': { unit: 'ms', is: 'at-most', target: 10, openWebUi: '1,330', libreChat: '–' },
  'first token added, 20 at once, p99': { unit: 'ms', is: 'at-most', target: 50, openWebUi: '2,500', libreChat: '–' },
  'tokens per core-second, 20 streams': {
    unit: 'tokens',
    is: 'at-least',
    target: 25_000,
    floorThere: bareRelays,
    openWebUi: '4,300',
    libreChat: '2,400',
  },
  'tokens per core-second, 100 streams': {
    unit: 'tokens',
    is: 'at-least',
    target: 25_000,
    floorThere: bareRelays,
    openWebUi: '4,500',
    libreChat: '6,200',
  },
  'share delivered, 100 streams': { unit: '', is: 'at-least', target: 1, openWebUi: '0.57', libreChat: '0.89' },
  'age on arrival, 20 streams, p50': {
    unit: 'ms',
    is: 'at-most',
    target: 30,
    openWebUi: '3 (50 streams)',
    libreChat: '10 (50 streams)',
  },
  'age on arrival, 20 streams, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 100,
    openWebUi: '30 to 260 (50 streams)',
    libreChat: '51 (50 streams)',
  },
  'age on arrival, 100 streams, p50': { unit: 'ms', is: 'at-most', target: 40, openWebUi: '7,800', libreChat: '300' },
  'age on arrival, 100 streams, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 150,
    openWebUi: '13,000',
    libreChat: '1,000',
  },
  'bytes to the page per 500-token answer': bytesToThePage,
  'ready after start (warm)': {
    unit: 's',
    is: 'at-most',
    target: 1,
    floorThere: 0.05,
    openWebUi: '12',
    libreChat: '3.7 + store',
  },
  'RSS idle': { unit: 'MB', is: 'at-most', target: 250, openWebUi: '1,177', libreChat: '540 + store' },
  'RSS at 100 streams': { unit: 'MB', is: 'at-most', target: 400, openWebUi: '1,369', libreChat: '1,090 + store' },
  'monitoring, 1,000 events a second, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 2_000,
    openWebUi: '–',
    libreChat: '–',
  },
  'monitoring, events a second at most': { unit: 'events', is: 'told' },
  'dashboard of 30 days, 1,000,000 answers, the first one': { unit: 'ms', is: 'told' },
  'dashboard of 30 days, 1,000,000 answers, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 50,
    openWebUi: '–',
    libreChat: '–',
  },
} as const satisfies Record<string, Budget | Told>;

const ms = { unit: 'ms', is: 'told' } as const satisfies Told;
const coreSeconds = { unit: 's', is: 'told' } as const satisfies Told;
const megabytes = { unit: 'MB', is: 'told' } as const satisfies Told;
const perSecond = { unit: 'events', is: 'told' } as const satisfies Told;
const ofOurOwn = { openWebUi: '–', libreChat: '–' } as const;

/**
 * The peers' figures are LibreChat's with Redis where they were taken. Where no floor of the other machine is known for
 * the same load (twenty at once through one pipe, the bare clients), the target itself holds.
 */
export const distributedBudgets = {
  'first token added, 1 stream, p50': ms,
  'first token added, 1 stream, p99': ms,
  'first token added, 20 at once, p50': { unit: 'ms', is: 'at-most', target: 30, openWebUi: '1,330', libreChat: '–' },
  'first token added, 20 at once, p99': { unit: 'ms', is: 'at-most', target: 120, openWebUi: '2,500', libreChat: '–' },
  'tokens per core-second, 100 streams': {
    unit: 'tokens',
    is: 'at-least',
    target: 15_000,
    floorThere: bareRelays,
    openWebUi: '4,500',
    libreChat: '3,900',
  },
  'share delivered, 100 streams': { unit: '', is: 'at-least', target: 1, openWebUi: '0.57', libreChat: '0.51' },
  'age on arrival, 100 streams, p50': { unit: 'ms', is: 'at-most', target: 40, openWebUi: '7,800', libreChat: '7,000' },
  'age on arrival, 100 streams, p99': {
    unit: 'ms',
    is: 'at-most',
    target: 150,
    openWebUi: '13,000',
    libreChat: '13,000',
  },
  'bytes to the page per 500-token answer': bytesToThePage,
  'RSS idle': megabytes,
  'RSS at 100 streams': megabytes,
  'CPU of Kafka beside, 100 streams': coreSeconds,
  'CPU of Redis beside, 100 streams': coreSeconds,
  'CPU of store beside, 100 streams': coreSeconds,
  'send to second browser, 5 a second, p50': ms,
  'send to second browser, 50 a second, p50': { unit: 'ms', is: 'at-most', target: 15, ...ofOurOwn },
  'send to second browser, 50 a second, p99': { unit: 'ms', is: 'at-most', target: 60, ...ofOurOwn },
  'share heard by the second browser': { unit: '', is: 'at-least', target: 1, ...ofOurOwn },
  'commit to broker ack, 50 a second, p50': { unit: 'ms', is: 'at-most', target: 20, ...ofOurOwn },
  'commit to broker ack, 50 a second, p99': ms,
  'produce to effect, 1,000 a second, p50': ms,
  'produce to effect, 1,000 a second, p99': ms,
  'events per core-second, produce to effect': { unit: 'events', is: 'at-least', target: 4_000, ...ofOurOwn },
  'backlog of 100,000, all handled after': { unit: 's', is: 'told' },
  'backlog of 100,000, events per second': perSecond,
  'backlog of 100,000, events per core-second': { unit: 'events', is: 'at-least', target: 4_000, ...ofOurOwn },
} as const satisfies Record<string, Budget | Told>;

/**
 * After long use. All that lies on the disk counts: keys, events that are kept for a day or a week, and an answer's text
 * twice. The floor of the wait is the same beside short answers.
 */
export const longUseBudgets = {
  'bytes on the disk per byte of text': { unit: '', is: 'at-most', target: 12, ...ofOurOwn },
  'longest wait beside answers of 195,000 characters': {
    unit: 'ms',
    is: 'at-most',
    target: 250,
    floorThere: 25,
    ...ofOurOwn,
  },
} as const satisfies Record<string, Budget>;

export const documentsBudgets = {
  'PDF of 300 pages until it is searchable': { unit: 's', is: 'at-most', target: 20, ...ofOurOwn },
  'its passages': { unit: '', is: 'told' },
  'CPU of the product beside its reader': { unit: 's', is: 'told' },
  'longest wait for a list meanwhile': { unit: 'ms', is: 'told' },
} as const satisfies Record<string, Budget | Told>;

export const holdsBudgets = {
  'longest hold of the store by one command': { unit: 'ms', is: 'at-most', target: 50, ...ofOurOwn },
  'passages of the document': { unit: '', is: 'told' },
  'wait for a list beside its deletion, p99': { unit: 'ms', is: 'at-most', target: 50, floorThere: 20, ...ofOurOwn },
  'refused meanwhile': { unit: '', is: 'at-most', target: 0, ...ofOurOwn },
} as const satisfies Record<string, Budget | Told>;

/** Of 500 clients that never read, after as many that do the same and read. */
export const unreadBudgets = {
  'RSS with 500 clients that read': megabytes,
  'RSS before': megabytes,
  'RSS that 500 clients add which never read': { unit: 'MB', is: 'at-most', target: 50, ...ofOurOwn },
  'RSS that is left when they are gone': megabytes,
  // Pools of connections vary by tens; clients that are not let go are hundreds.
  'open files that are left': { unit: '', is: 'at-most', target: 50, ...ofOurOwn },
} as const satisfies Record<string, Budget | Told>;

const asFast = { unit: 'ms', is: 'at-most', target: 5, floorThere: 4, ...ofOurOwn } as const satisfies Budget;
/** The floor is a chat of as many messages without branches, in the same run; a quarter more is noise. */
export const branchesBudgets = {
  'chat of 3,000 messages with 40 branches opens, p50': asFast,
  'chat of 3,000 messages with 40 branches opens, p95': asFast,
  'its first page of older messages, p50': asFast,
  'its oldest branch opens, p50': { unit: 'ms', is: 'told' },
  'longest task of its page while scrolling and streaming': { unit: 'ms', is: 'at-most', target: 100, ...ofOurOwn },
  'messages in its page at most': { unit: '', is: 'at-most', target: 150, ...ofOurOwn },
} as const satisfies Record<string, Budget | Told>;

const soon = { unit: 'ms', is: 'at-most', target: 500, floorThere: 125, ...ofOurOwn } as const satisfies Budget;
const withinSeconds = {
  unit: 'ms',
  is: 'at-most',
  target: 10_000,
  floorThere: 2_500,
  ...ofOurOwn,
} as const satisfies Budget;
/** Of another organisation than the one that floods, at most four times of what it waits at rest in the same run. */
export const floodBudgets = {
  'list beside a flood, p95': soon,
  'search beside a flood, p95': soon,
  'upload to searchable beside a flood, p95': withinSeconds,
  'first token beside a flood, p95': soon,
  'email beside a flood, p95': withinSeconds,
  'refused or late beside a flood': { unit: '', is: 'at-most', target: 0, ...ofOurOwn },
} as const satisfies Record<string, Budget>;

export type Metric =
  | keyof typeof embeddedBudgets
  | keyof typeof distributedBudgets
  | keyof typeof longUseBudgets
  | keyof typeof documentsBudgets
  | keyof typeof filesBudgets
  | keyof typeof importsBudgets
  | keyof typeof searchKeysBudgets
  | keyof typeof holdsBudgets
  | keyof typeof unreadBudgets
  | keyof typeof branchesBudgets
  | keyof typeof floodBudgets;
export type Budgets = Readonly<Partial<Record<Metric, Budget | Told>>>;

export type Measured = {
  readonly metric: Metric;
  readonly value: number;
  /** The same without Parley in the same run: a bare pipe to the model server, a bare client of the broker, or node alone. */ readonly floor:
    | number
    | null;
};

/**
 * What must hold in this run: the target, or the target scaled by how much slower the floor is here than where the
 * target was set.
 */
function boundOf({ is, target, floorThere }: Budget, floor: number | null): number {
  if (floorThere === undefined || floor === null) return target;
  const scaled = (target / floorThere) * floor;
  return is === 'at-most' ? Math.max(target, scaled) : Math.min(target, scaled);
}

const shown = (number: number): string =>
  Math.abs(number) >= 1_000 ? Math.round(number).toLocaleString('en') : String(Math.round(number * 100) / 100);

/** One table row: value, floor, ratio, budget, what it is here, peers. Without a budget nothing is kept or missed. */
export function rowOf(
  { metric, value, floor }: Measured,
  budgets: Budgets,
): { isKept: boolean | null; cells: string[] } {
  const budget = budgets[metric];
  if (!budget) throw new Error(`${metric} is not among the budgets of this edition.`);
  const ratio = floor === null || floor === 0 ? '' : shown(value / floor);
  const figures = [metric, `${shown(value)} ${budget.unit}`.trim(), floor === null ? '' : shown(floor), ratio];
  if (budget.is === 'told') return { isKept: null, cells: figures };
  const bound = boundOf(budget, floor);
  const isKept = budget.is === 'at-most' ? value <= bound : value >= bound;
  const sign = budget.is === 'at-most' ? '≤' : '≥';
  const here = bound === budget.target ? '' : `${sign} ${shown(bound)}`;
  return {
    isKept,
    cells: [
      ...figures,
      `${sign} ${shown(budget.target)}`,
      here,
      isKept ? 'kept' : 'MISSED',
      budget.openWebUi,
      budget.libreChat,
    ],
  };
}
