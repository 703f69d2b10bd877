import type { Budget, ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import type { ParleyClient } from '@parley/testing/client';
import { deletedLine, hornQuestion, queuedLine, runningLine, type Spoken } from './line.ts';
import { lineMark, type Deed, type Outside } from './outside.ts';
import type { People } from './people.ts';
import { answerAgain, ask, untilEnded, untilText } from './talk.ts';

/** More questions than fit on a page or in a prompt. */
const longQuestions = 52;
/** Chats of all shapes that a line can have. Cleo has a budget, so that some of her questions can be refused. */
export async function talkInLines({ Ada, Cleo }: People, outside: Outside): Promise<readonly Spoken[]> {
  const budget = await limitOf(Ada, Cleo);
  const spoken: Spoken[] = [];
  for (const [what, speak] of Object.entries(shapes)) {
    const speaker = new Speaker(Cleo, what, { outside, budget });
    await speak(speaker);
    spoken.push({ what, name: 'Cleo', conversationId: speaker.conversationId, isDeleted: what === deletedLine });
    if (what !== deletedLine) continue;
    await Cleo.call('DELETE /api/chat/conversations/:conversationId', {
      params: { conversationId: speaker.conversationId },
    });
  }
  const { conversationId } = await ask(Ada, hornQuestion, { model: 'builtin' });
  await ask(Ada, 'And when are ropes checked?', { conversationId, model: 'builtin' });
  return [...spoken, { what: queuedLine, name: 'Ada', conversationId, isDeleted: false }];
}

/** By what makes it special. Q1 and A1 stand for the first question and its answer. */
const shapes: Readonly<Record<string, (line: Speaker) => Promise<void>>> = {
  'no versions': (line) => line.ask(1, 2),
  'an early question that was asked again': async (line) => {
    await line.ask(1, 2);
    await line.again(1);
  },
  'a question behind a version of an early answer': async (line) => {
    await line.ask(1, 2);
    await line.again(1);
    await line.ask(3);
  },
  'a discarded question in the middle': async (line) => {
    await line.ask(1);
    await line.discard(2);
    await line.ask(3, 4);
  },
  'a discarded question at the start': async (line) => {
    await line.discard(1);
    await line.ask(2, 3);
  },
  'a discarded question at the end': async (line) => {
    await line.ask(1);
    await line.discard(2);
  },
  'a discarded question between versions': async (line) => {
    await line.ask(1);
    await line.again(1);
    await line.discard(2);
    await line.again(1);
    await line.ask(3);
  },
  'a refused question in the middle': async (line) => {
    await line.ask(1);
    await line.refused(() => line.ask(2));
    await line.ask(3);
  },
  'a refused question at the end': async (line) => {
    await line.ask(1);
    await line.refused(() => line.ask(2));
  },
  'a question that failed, and was refused when it was asked again': async (line) => {
    await line.ask(1);
    await line.failing(() => line.ask(2));
    await line.refused(() => line.again(2));
    await line.ask(3);
  },
  'an answer that failed without text': async (line) => {
    await line.ask(1);
    await line.failing(() => line.ask(2));
    await line.ask(3);
  },
  'a version that failed without text': async (line) => {
    await line.ask(1);
    await line.failing(() => line.again(1));
    await line.ask(2);
  },
  'a version at the end that failed without text': async (line) => {
    await line.ask(1, 2);
    await line.failing(() => line.again(2));
  },
  'an answer that was stopped before its first word': async (line) => {
    await line.ask(1);
    await line.stop(2);
    await line.ask(3);
  },
  'a continuation of a continuation': async (line) => {
    await line.ask(1);
    await line.breakOff(2);
    await line.continue(2, 'break-off');
    await line.continue(2);
    await line.ask(3);
  },
  'a continuation at the end': async (line) => {
    await line.breakOff(1);
    await line.continue(1);
  },
  'more than a hundred messages': (line) => line.ask(...Array.from({ length: longQuestions }, (_, at) => at + 1)),
  'versions among its newest 40 messages': async (line) => {
    await line.ask(...Array.from({ length: 24 }, (_, at) => at + 1));
    for (const early of [20, 22, 1]) await line.again(early);
    await line.ask(25);
  },
  [deletedLine]: async (line) => {
    await line.ask(1, 2);
    await line.again(1);
    await line.ask(3);
  },
  [runningLine]: async (line) => {
    await line.ask(1, 2);
    await line.again(1);
  },
};

type Limit = { readonly set: (hardLimit: number) => Promise<void> };
const plenty = 2_000_000;

/** A budget of theirs that can be closed and opened; resolves once it is enforced. */
async function limitOf(owner: ParleyClient, person: ParleyClient): Promise<Limit> {
  let current: Budget = await owner.call('POST /api/billing/budgets', {
    body: {
      id: newId('budget'),
      scope: { kind: 'person', id: person.me!.id },
      period: 'month',
      unit: 'tokens',
      softLimit: null,
      hardLimit: 1,
    },
  });
  const set = async (hardLimit: number) => {
    const [params, body] = [{ budgetId: current.id }, { version: current.version, softLimit: null, hardLimit }];
    current = await owner.call('PUT /api/billing/budgets/:budgetId', { params, body });
  };
  await eventually(async () => {
    const { generation } = await ask(person, 'Is my budget known?');
    if (generation?.failure !== 'budget-spent') throw new Error(`It is ${generation?.status}.`);
  }, 'the budget should be enforced');
  await set(plenty);
  return { set };
}

/** Says things in one chat, each question by its number. */
class Speaker {
  readonly conversationId: ConversationId = newId('conversation');
  private readonly person: ParleyClient;
  private readonly what: string;
  private readonly world: { readonly outside: Outside; readonly budget: Limit };
  private readonly asked = new Map<number, MessageId>();

  constructor(person: ParleyClient, what: string, world: Speaker['world']) {
    this.person = person;
    this.what = what;
    this.world = world;
  }

  async ask(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await this.send(number);
      await untilEnded(this.person, this.conversationId);
    }
  }

  async again(number: number, more: object = {}): Promise<void> {
    await answerAgain(this.person, this.placeOf(number), more);
  }

  /** The model server refuses. */
  async failing(act: () => Promise<void>): Promise<void> {
    this.world.outside.deeds.push('refuse');
    await act();
  }

  /** The budget refuses. */
  async refused(act: () => Promise<void>): Promise<void> {
    const { budget } = this.world;
    await budget.set(1);
    await act();
    await budget.set(plenty);
  }

  /** Asks what is refused, and throws it away. */
  async discard(number: number): Promise<void> {
    await this.refused(() => this.ask(number));
    await this.person.call('PUT /api/chat/conversations/:conversationId/messages/:messageId/discarded', {
      params: { conversationId: this.conversationId, messageId: this.asked.get(number)! },
      body: { isDiscarded: true },
    });
  }

  /** Before its first word. */
  async stop(number: number): Promise<void> {
    const { outside } = this.world;
    outside.deeds.push('stay-silent');
    await this.send(number);
    await eventually(() => outside.prompts.has(this.text(number)), 'the model should be asked');
    await this.end();
  }

  /** After some words. */
  async breakOff(number: number): Promise<void> {
    this.world.outside.deeds.push('break-off');
    await this.send(number);
    await untilText(this.person, this.conversationId);
    await this.end();
  }

  async continue(number: number, deed?: Deed): Promise<void> {
    const { id } = (await this.person.messages(this.conversationId)).items.at(-1)!;
    if (!deed) return this.again(number, { continues: id });
    this.world.outside.deeds.push(deed);
    const { answer } = await this.person.call('POST /api/chat/conversations/:conversationId/answers', {
      params: { conversationId: this.conversationId },
      body: {
        parentId: this.asked.get(number)!,
        answerId: newId('message'),
        generationId: newId('generation'),
        continues: id,
      },
    });
    await eventually(async () => {
      const last = (await this.person.messages(this.conversationId)).items.at(-1)!;
      if (last.id !== answer.id || last.text === '') throw new Error(`${last.id} says "${last.text}".`);
    }, 'it should go on');
    await this.end();
  }

  private text = (number: number): string => `${lineMark}, ${this.what}: question ${number}`;
  private placeOf = (number: number) => ({
    conversationId: this.conversationId,
    parentId: this.asked.get(number) ?? null,
  });

  private async send(number: number): Promise<void> {
    const { message } = await this.person.send(this.conversationId, this.text(number));
    this.asked.set(number, message.id);
  }

  private async end(): Promise<void> {
    const { generation } = (await this.person.messages(this.conversationId)).items.at(-1)!;
    await this.person.call('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
      params: { conversationId: this.conversationId, generationId: generation!.id },
    });
    await untilEnded(this.person, this.conversationId);
  }
}
