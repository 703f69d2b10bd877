// A built product of any commit that says what it sends to its store.
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startProduct, type EmbeddedProduct } from './embedded.ts';
import type { Floors } from './floors.ts';
import { wait } from './product.ts';

/** Names what was measured of one product. */
export type Figures = Readonly<Record<string, number>>;
/** Measures the same thing again and again in one product, some seconds each time. */
export type Block = { readonly measure: () => Promise<Figures>; readonly end: () => void | Promise<void> };
export type Row = {
  readonly name: string;
  /** Counts are the same each time. What is measured takes several pairs, which show its spread. */
  readonly how: 'counted' | 'measured';
  readonly begin: (product: Product, floors: Floors) => Promise<Block>;
};
export type Used = { readonly commands: number; readonly transactions: number; readonly cpuMs: number };
export type Product = EmbeddedProduct & {
  /** Returns what the product used until `act` has ended. */
  usedBy(act: () => Promise<unknown>): Promise<Used>;
  /** Returns what `act` used beyond what the product uses while nothing happens. */
  beyondRest(act: () => Promise<unknown>): Promise<Used>;
  /** Returns what the product uses in this many seconds while nothing happens. */
  atRest(seconds: number): Promise<Used>;
};
type Place = { readonly folder: string; readonly root: string; readonly floors: Floors };

/** After its start a product looks once for what an earlier one has left. */
const settledMs = 35_000;
const restSeconds = 20;

export async function startCounted({ folder, root, floors }: Place): Promise<Product> {
  const socket = join(folder, 'counts.sock');
  const environment = {
    PARLEY_OUTBOUND_ALLOW: floors.modelAddress,
    PARLEY_TRUSTED_PROXY: '127.0.0.1',
    // One person asks here in minutes what people ask in a day.
    PARLEY_RATE_LIMITS: '*.person=100000,*.organisation=100000',
    BENCH_ROOT: root,
    BENCH_SOCKET: socket,
  };
  const flags = ['--import', join(import.meta.dirname, 'count-commands.mjs')];
  const product = await startProduct({ folder: join(folder, 'data'), environment, root, flags });
  const usedSoFar = async (): Promise<Used> => {
    const counts = JSON.parse(await text(connect(socket))) as Omit<Used, 'cpuMs'>;
    return { ...counts, cpuMs: product.cpuSeconds().parley * 1_000 };
  };
  const usedBy = async (act: () => Promise<unknown>): Promise<Used> => {
    const before = await usedSoFar();
    await act();
    return less(await usedSoFar(), before);
  };
  const atRest = (seconds: number) => usedBy(() => wait(seconds * 1_000));
  let resting: Promise<Used> | null = null;
  const beyondRest = async (act: () => Promise<unknown>): Promise<Used> => {
    resting ??= wait(settledMs).then(() => atRest(restSeconds));
    const rest = await resting;
    const begunAt = performance.now();
    const used = await usedBy(act);
    return less(used, times(rest, (performance.now() - begunAt) / 1_000 / restSeconds));
  };
  return { ...product, usedBy, beyondRest, atRest };
}

const each = (act: (figure: keyof Used) => number): Used => ({
  commands: act('commands'),
  transactions: act('transactions'),
  cpuMs: act('cpuMs'),
});
const less = (all: Used, part: Used): Used => each((figure) => all[figure] - part[figure]);
const times = (used: Used, factor: number): Used => each((figure) => used[figure] * factor);
