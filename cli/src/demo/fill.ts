import type { ModelKey } from '@parley/contracts';
import type { RunningParley } from '@parley/embedded';
import { Browser, type Account } from './browser.ts';
import { Chats } from './chats.ts';
import type { DemoChat, DemoOrganisation } from './content/content.ts';
import { Dice } from './dice.ts';
import type { MovingClock } from './moving-clock.ts';
import { Organisation, setPrices } from './organisation.ts';
import { SeededModel } from './seeded-model.ts';

/** The days that the organisations have used Parley. */
export const demoDays = 30;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** When everyday questions are asked, and when the chats of the content, in UTC. */
const slots = [8 * hourMs, 11 * hourMs, 14 * hourMs];
const afternoon = 15 * hourMs;
/** The chats of today end before the machine's time. */
const todayTakesMs = 8 * minuteMs;

export type Filled = { readonly organisations: number; readonly people: number; readonly answers: number };
type Filling = {
  readonly parley: RunningParley;
  readonly clock: MovingClock;
  readonly contents: readonly DemoOrganisation[];
  readonly admin: Account;
  readonly models: readonly SeededModel[];
};
type Player = {
  readonly organisation: Organisation;
  readonly chats: Chats;
  readonly dice: Dice;
  readonly mini: ModelKey;
};
type Planned = { readonly chat: DemoChat; readonly model: ModelKey | undefined; readonly slot: number };

/** Lets the month pass: the same in each run, its days counted back from today. */
export async function fill(filling: Filling): Promise<Filled> {
  const { clock, contents } = filling;
  const today = new Date().setUTCHours(0, 0, 0, 0);
  clock.beginAt(today - demoDays * dayMs + 6 * hourMs);
  const players = await beginAll(filling);
  for (let daysAgo = demoDays; daysAgo > 0; daysAgo -= 1) {
    await playDay(players, { clock, daysAgo, day: today - daysAgo * dayMs });
    if (daysAgo === demoDays) for (const { organisation } of players) await organisation.setBudgets();
  }
  clock.setTo(clock.machineNow() - todayTakesMs);
  for (const { organisation, chats } of players) {
    for (const chat of organisation.content.chats) if (chat.daysAgo === 0) await chats.play(chat);
    await organisation.turnTitlesOn();
    await chats.tryChatbots();
  }
  const people = contents.reduce((sum, { people: all }) => sum + all.length, 1);
  return { organisations: players.length, people, answers: players.reduce((sum, { chats }) => sum + chats.answers, 0) };
}

async function beginAll({ parley: { url, setupUrl }, contents, admin, models, clock }: Filling): Promise<Player[]> {
  const first = new Browser(url, admin);
  const setupToken = new URL(setupUrl ?? url).searchParams.get('setup') ?? '';
  await first.register({ locale: 'en', setupToken });
  await setPrices(first);
  const players: Player[] = [];
  for (const [at, content] of contents.entries()) {
    clock.pass(20 * minuteMs);
    const owner = new Browser(url, admin);
    await owner.wake();
    const model = models[at]!;
    const organisation = new Organisation({ url, owner: admin, content, modelAddress: model.address }, owner);
    await organisation.begin();
    const chats = new Chats({ organisation, model, clock });
    players.push({ organisation, chats, dice: new Dice(at), mini: await organisation.miniModel() });
  }
  return players;
}

/** Organisations ask their everyday questions beside each other, then the chats of the content pass one after the other. */
async function playDay(
  players: readonly Player[],
  { clock, daysAgo, day }: { readonly clock: MovingClock; readonly daysAgo: number; readonly day: number },
): Promise<void> {
  const planned = players.map((player) => ({ ...player, questions: everydayOf(player, { daysAgo, day }) }));
  for (const [at, slot] of slots.entries()) {
    clock.setTo(day + slot + ((daysAgo * 7) % 40) * minuteMs);
    await Promise.all(
      planned.map(async ({ chats, questions }) => {
        for (const { chat, model } of questions.filter((one) => one.slot === at)) await chats.play(chat, model);
      }),
    );
  }
  clock.setTo(day + afternoon);
  for (const { organisation, chats } of players)
    for (const chat of organisation.content.chats) {
      if (chat.daysAgo !== daysAgo) continue;
      clock.pass(17 * minuteMs);
      await chats.play(chat);
    }
}

/** By dice: who asks what, which model and when. */
function everydayOf(
  { organisation: { content }, dice, mini }: Player,
  { daysAgo, day }: { readonly daysAgo: number; readonly day: number },
): Planned[] {
  const { weekend, questionsADay, everyday } = content;
  const askers = content.people.filter(({ role }) => role !== 'guest');
  // The longer people know it, the more they ask.
  const usual = Math.round(questionsADay * (1.25 - daysAgo / (demoDays * 2))) + dice.between(-1, 2);
  const count = weekend.includes(new Date(day).getUTCDay()) ? dice.between(0, 1) : usual;
  let by = dice.one(askers).handle;
  return Array.from({ length: Math.max(0, count) }, () => {
    // Half of the questions follow one of the same person.
    if (dice.next() < 0.5) by = dice.one(askers).handle;
    const [ask, answer] = dice.one(everyday);
    const rated = dice.next() < 0.08 ? ({ rating: dice.next() < 0.75 ? 'up' : 'down' } as const) : undefined;
    const turns = [{ ask, answer, ...(rated && { rated }) }];
    const chat = { by, daysAgo, turns };
    return { chat, model: dice.next() < 0.33 ? mini : undefined, slot: dice.between(0, slots.length - 1) };
  });
}
