import { afterAll, beforeAll } from '@jest/globals';
import { titleEnded, type Accepted } from '@parley/contracts';
import type { Flows } from '@parley/platform/fair-turns';
import type { Platform } from '@parley/platform/service';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { silentLogger } from '@parley/testing';
import type { HardLimits, Reservations } from '../../assistants/budgets/index.ts';
import type { ModelClient, ModelsService } from '../../assistants/models/index.ts';
import { chatBench, everywhere } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { TitleBudget, type Titled } from './title-budget.ts';
import type { TitleSettingsService } from './title-settings.service.ts';
import { TitleWriter } from './title-writer.ts';

export const modelKey = `prv_${'1'.repeat(26)}/m` as Titled['modelKey'];
export const upstream = { host: 'models.example', model: 'm' };
type More = { readonly isOn?: boolean; readonly reserve?: Reservations['reserve'] };
type Ended = EventEnvelope<DataOf<typeof titleEnded>>;

export const saying =
  (text: string): ModelClient['answer'] =>
  async (_request, onPart) => {
    onPart({ kind: 'text', text });
    onPart({ kind: 'usage', inputTokens: 40, outputTokens: 6 });
  };

export const exchangeOf = ({ message }: Accepted) => ({
  question: { role: 'person', text: message.text } as const,
  answer: 'Three quiet herons.',
});

/** Creates chats, and writers of titles with models that a test sets. */
export async function titlesBench() {
  const bench = await chatBench();
  beforeAll(bench.ready);
  const writers: TitleWriter[] = [];
  afterAll(() => Promise.all(writers.map((writer) => writer.beforeApplicationShutdown())));
  /** Counts how often a writer has checked whether a chat needs a title. */
  const looks = { count: 0 };

  /** Creates a writer whose model answers as given. */
  function aWriter(answer: ModelClient['answer'], { isOn = true, reserve }: More = {}): TitleWriter {
    const { conversations, work } = bench;
    const limits = { list: async () => (reserve ? [{ kind: 'organisation' }] : []) } as unknown as HardLimits;
    const writer = new TitleWriter(
      { of: async () => ((looks.count += 1), { isOn }) } as unknown as TitleSettingsService,
      conversations,
      { client: async () => ({ answer }) } as unknown as ModelsService,
      new TitleBudget(limits, { reserve, renew: async () => {} } as unknown as Reservations),
      bench.firstWords,
      { keyOf: (of: string, person: string) => ({ flow: of, organisation: of, person }) } as unknown as Flows,
      work,
      { logger: silentLogger() } as unknown as Platform,
    );
    writers.push(writer);
    return writer;
  }
  /** Creates a chat whose first answer has ended. */
  async function answered(viewer: Viewer, text = 'How many herons are there?'): Promise<Accepted> {
    const asked = await bench.ask(viewer, { text });
    await bench.end(viewer, asked);
    await bench.work.run(viewer.principal, (tx) =>
      bench.conversations.askForTitle(everywhere, asked.conversation.id, tx),
    );
    return asked;
  }
  async function titledOf(viewer: Viewer, asked: Accepted): Promise<Titled> {
    return { ...(await bench.find(viewer, asked)), modelKey, upstream };
  }
  /** Asks for the chat's title as a writer does after the answer has ended. */
  async function offer(viewer: Viewer, asked: Accepted, writer: TitleWriter): Promise<void> {
    const titled = await titledOf(viewer, asked);
    writer.begin(titled, () => exchangeOf(asked));
    writer.end(titled);
  }
  const titleOf = async ({ scope }: Viewer, { conversation }: Accepted) =>
    (await bench.conversations.find(scope, conversation.id))?.title;
  const entriesOf = async ({ conversation }: Accepted): Promise<Ended['data'][]> =>
    ((await bench.recorded()) as Ended[])
      .filter(({ type, data }) => type === titleEnded.type && data.conversationId === conversation.id)
      .map(({ data }) => data);
  return { bench, looks, aWriter, answered, titledOf, offer, titleOf, entriesOf };
}
