// Measures what a change costs: this tree's built product and another commit's are up at once and measured in short blocks
// in turn. The order is swapped each time. A row is the median of the ratios of all pairs, with its spread.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from './embedded.ts';
import { startFloors, type Floors } from './floors.ts';
import { percentile } from './product.ts';
import { startCounted, type Block, type Figures, type Product } from './against-product.ts';
import { rows } from './against-rows.ts';

const root = join(import.meta.dirname, '..');
/** Says how many pairs of blocks a row takes. */
const pairsOf = { counted: 1, measured: 8 } as const;

type Pair = { readonly here: Figures; readonly there: Figures };

export const benchAgainst =
  (commit: string, only: string) =>
  async (interruption: Promise<never>): Promise<void> => {
    const base = builtTree(commit);
    await inFolder((mine) =>
      inFolder(async (theirs) => {
        const floors = await startFloors();
        const products = [
          await startCounted({ folder: mine, root, floors }),
          await startCounted({ folder: theirs, root: base, floors }),
        ] as const;
        try {
          await Promise.race([measure(products, { floors, only }), interruption]);
        } finally {
          await Promise.all(products.map((product) => product.close()));
          await floors.close();
        }
      }),
    );
  };

/** Checks the commit out beside this tree, installs and builds it, once. */
function builtTree(commit: string): string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const hash = git('rev-parse', `${commit}^{commit}`);
  const folder = join(root, 'node_modules/.cache/parley/against', hash);
  if (existsSync(join(folder, 'built'))) return folder;
  git('worktree', 'prune');
  mkdirSync(join(folder, '..'), { recursive: true });
  if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, hash);
  const run = (...args: readonly string[]): void =>
    void execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('ci', '--prefer-offline', '--no-audit', '--no-fund');
  run('run', 'build');
  mkdirSync(join(folder, 'built'));
  return folder;
}

async function measure(
  [mine, theirs]: readonly [Product, Product],
  { floors, only }: { readonly floors: Floors; readonly only: string },
): Promise<void> {
  const stolen = stolenSeconds();
  const begunAt = performance.now();
  process.stdout.write('row | how | here | there | ratio: median (least to most)\n');
  for (const { name, how, begin } of rows.filter((row) => row.name.includes(only))) {
    const [here, there] = [await begin(mine, floors), await begin(theirs, floors)];
    const told = async (block: Block, of: string): Promise<Figures> => {
      const figures = await block.measure();
      process.stderr.write(`${name}, ${of}: ${JSON.stringify(figures)}\n`);
      return figures;
    };
    await told(here, 'here');
    await told(there, 'there');
    const values: Pair[] = [];
    for (let pair = 0; pair < pairsOf[how]; pair += 1) {
      const order: readonly Block[] = pair % 2 === 0 ? [here, there] : [there, here];
      const measured = new Map<Block, Figures>();
      for (const block of order) measured.set(block, await told(block, block === here ? 'here' : 'there'));
      values.push({ here: measured.get(here)!, there: measured.get(there)! });
    }
    await here.end();
    await there.end();
    for (const figure of Object.keys(values[0]!.here))
      process.stdout.write(`${name}: ${figure} | ${how} | ${lineOf(values, figure)}\n`);
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  process.stdout.write(`${(stolenSeconds() - stolen).toFixed(1)} of ${seconds.toFixed(0)} s were stolen by the host\n`);
}

function lineOf(pairs: readonly Pair[], figure: string): string {
  const values = pairs.map(({ here, there }) => ({ here: here[figure]!, there: there[figure]! }));
  const ratios = values.map(({ here, there }) => here / there);
  const median = (of: readonly number[]): string => percentile(of, 0.5).toPrecision(4);
  const [mine, theirs] = [values.map(({ here }) => here), values.map(({ there }) => there)];
  const spread = `${percentile(ratios, 0.5).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  return `${median(mine)} | ${median(theirs)} | ${spread}`;
}

/** Reads the time that the host took from all cores, since the machine started (Linux `/proc/stat`). */
const stolenSeconds = (): number =>
  Number(/^cpu\s+(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ')[7]) / 100;
