// These rows of `--against` say what a question costs in an open chat and in a new one.
import type { Block, Figures, Product, Row } from './against-product.ts';
import { anApprovedTab } from './against-tabs.ts';
import type { Floors } from './floors.ts';
import { percentile, wait } from './product.ts';
import { askDirectly, type BenchTab } from './streams.ts';

type Where = 'open' | 'new';
type Asked = { readonly firstTokenMs: number };
/** Lets several people ask at once; each call asks one question. */
type People = { readonly ask: readonly (() => Promise<Asked>)[]; readonly end: () => void };

const answer = 'tokens=20 rate=80';
/** In a new chat the model writes a title, too. */
const questionOf = { open: answer, new: `titled ${answer}` } as const;
const perTab = 10;
/** Questions of a block. With this many, the periodic work of the product is a small part. */
const perBlock = { counted: 10, alone: 20, atOnce: 100 } as const;
/** Consumers save how far they have read two seconds after the last event at the latest; titles come a little later. */
const bookedMs = { open: 2_500, new: 4_000 } as const;

async function people(
  product: Product,
  floors: Floors,
  { where, count }: { where: Where; count: number },
): Promise<People> {
  const tabs: BenchTab[] = [];
  while (tabs.length < count / perTab) tabs.push(await anApprovedTab(product, floors));
  const ask: (() => Promise<Asked>)[] = [];
  for (let at = 0; at < count; at += 1) {
    const tab = tabs[Math.floor(at / perTab)]!;
    if (where === 'new') ask.push(() => tab.askNew(questionOf.new));
    else {
      const id = await tab.newConversation();
      ask.push(() => tab.ask(id, questionOf.open));
    }
  }
  return { ask, end: () => tabs.forEach((tab) => tab.close()) };
}

/** Store commands of a question, its answer and all bookings of both. */
const commands = (where: Where): Row => ({
  name: `commands of a question in ${where} chat`,
  how: 'counted',
  async begin(product, floors): Promise<Block> {
    const { ask, end } = await people(product, floors, { where, count: 1 });
    const measure = async (): Promise<Figures> => {
      const used = await product.beyondRest(async () => {
        for (let at = 0; at < perBlock.counted; at += 1) {
          await ask[0]!();
          await wait(bookedMs[where]);
        }
      });
      const { commands, transactions } = used;
      return { 'store commands': commands / perBlock.counted, transactions: transactions / perBlock.counted };
    };
    return { measure, end };
  },
});

/**
 * Measures the delay that the product adds to the model server's first token, and the CPU time per question: with its
 * answer, its bookings and the periodic work of the product meanwhile.
 */
const times = (where: Where, atOnce: number): Row => ({
  name: `${atOnce === 1 ? 'one question' : `${atOnce} questions at once`} in ${where} chat`,
  how: 'measured',
  async begin(product, floors): Promise<Block> {
    const { ask, end } = await people(product, floors, { where, count: atOnce });
    const rounds = atOnce === 1 ? perBlock.alone : perBlock.atOnce / atOnce;
    const measure = async (): Promise<Figures> => {
      const [direct, through]: [number[], number[]] = [[], []];
      const { cpuMs } = await product.usedBy(async () => {
        for (let round = 0; round < rounds; round += 1) {
          const asked = Array.from({ length: atOnce }, () => askDirectly(floors.modelUrl, answer));
          direct.push(...(await Promise.all(asked)).map(({ firstTokenMs }) => firstTokenMs));
          through.push(...(await Promise.all(ask.map((each) => each()))).map(({ firstTokenMs }) => firstTokenMs));
          await wait(100);
        }
        await wait(bookedMs[where]);
      });
      const added = percentile(through, 0.5) - percentile(direct, 0.5);
      return { 'first token added, p50 in ms': added, 'CPU each, ms': cpuMs / through.length };
    };
    return { measure, end };
  },
});

export const questionRows: readonly Row[] = [
  commands('open'),
  commands('new'),
  times('open', 1),
  times('new', 1),
  times('open', 20),
  times('new', 20),
];
