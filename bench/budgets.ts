/** Targets of the design, section 11, and what peers measure on a machine like this one (Open WebUI 0.12.4, LibreChat of August 2026). */
export type Budget = {
  readonly unit: string;
  /** Passing side: at most or at least `target`. */
  readonly is: 'at-most' | 'at-least';
  readonly target: number;
  /**
   * The floor on the machine for which the target was set. A run elsewhere is judged by the ratio: what it measures against its own
   * floor may be as far from it as the target is from this one (docs/adr/0008).
   */
  readonly floorThere?: number;
  readonly openWebUi: string;
  readonly libreChat: string;
};

export const budgets = {
  'first token added, 1 stream, p50': { unit: 'ms', is: 'at-most', target: 6, floorThere: 0.22, openWebUi: '76', libreChat: '≤ 33' },
  'first token added, 1 stream, p99': { unit: 'ms', is: 'at-most', target: 25, floorThere: 0.22, openWebUi: '110', libreChat: '≤ 51' },
  'first token added, 20 at once, p50': { unit: 'ms', is: 'at-most', target: 10, floorThere: 0.22, openWebUi: '1,330', libreChat: '–' },
  'first token added, 20 at once, p99': { unit: 'ms', is: 'at-most', target: 50, floorThere: 0.22, openWebUi: '2,500', libreChat: '–' },
  'tokens per core-second, 20 streams': { unit: 'tokens', is: 'at-least', target: 25_000, floorThere: 43_000, openWebUi: '4,300', libreChat: '2,400' },
  'tokens per core-second, 100 streams': { unit: 'tokens', is: 'at-least', target: 25_000, floorThere: 43_000, openWebUi: '4,500', libreChat: '6,200' },
  'share delivered, 100 streams': { unit: '', is: 'at-least', target: 1, openWebUi: '0.57', libreChat: '0.89' },
  'age on arrival, 20 streams, p50': { unit: 'ms', is: 'at-most', target: 30, openWebUi: '3 (50 streams)', libreChat: '10 (50 streams)' },
  'age on arrival, 20 streams, p99': { unit: 'ms', is: 'at-most', target: 100, openWebUi: '30 to 260 (50 streams)', libreChat: '51 (50 streams)' },
  'age on arrival, 100 streams, p50': { unit: 'ms', is: 'at-most', target: 40, openWebUi: '7,800', libreChat: '300' },
  'age on arrival, 100 streams, p99': { unit: 'ms', is: 'at-most', target: 150, openWebUi: '13,000', libreChat: '1,000' },
  'bytes to the page per 500-token answer': { unit: 'kB', is: 'at-most', target: 20, openWebUi: '169', libreChat: '99' },
  'ready after start (warm)': { unit: 's', is: 'at-most', target: 1, floorThere: 0.05, openWebUi: '12', libreChat: '3.7 + store' },
  'RSS idle': { unit: 'MB', is: 'at-most', target: 250, openWebUi: '1,177', libreChat: '540 + store' },
  'RSS at 100 streams': { unit: 'MB', is: 'at-most', target: 400, openWebUi: '1,369', libreChat: '1,090 + store' },
} as const satisfies Record<string, Budget>;
export type Metric = keyof typeof budgets;

export type Measured = { readonly metric: Metric; readonly value: number; /** The same without Parley in the same run: a bare pipe to the model server, or node alone. */ readonly floor: number | null };

/** What must hold in this run: the target, or the target scaled by how much slower the floor is here than where the target was set. */
function boundOf({ is, target, floorThere }: Budget, floor: number | null): number {
  if (floorThere === undefined || floor === null) return target;
  const scaled = (target / floorThere) * floor;
  return is === 'at-most' ? Math.max(target, scaled) : Math.min(target, scaled);
}

/** One table row: value, floor, ratio, budget, what it is here, peers. */
export function rowOf({ metric, value, floor }: Measured): { isKept: boolean; cells: string[] } {
  const budget: Budget = budgets[metric];
  const bound = boundOf(budget, floor);
  const isKept = budget.is === 'at-most' ? value <= bound : value >= bound;
  const shown = (number: number) => (Math.abs(number) >= 1_000 ? Math.round(number).toLocaleString('en') : String(Math.round(number * 100) / 100));
  const ratio = floor === null || floor === 0 ? '' : shown(value / floor);
  const sign = budget.is === 'at-most' ? '≤' : '≥';
  const here = bound === budget.target ? '' : `${sign} ${shown(bound)}`;
  const floorCell = floor === null ? '' : shown(floor);
  return { isKept, cells: [metric, `${shown(value)} ${budget.unit}`.trim(), floorCell, ratio, `${sign} ${shown(budget.target)}`, here, isKept ? 'kept' : 'MISSED', budget.openWebUi, budget.libreChat] };
}
