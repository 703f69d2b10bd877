import type { ConversationId, GenerationFrame, GenerationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { LiveSocket } from '@parley/testing/client';
import { ParleyClient, RefusedCall } from '@parley/testing/client';

let tabs = 0;
type Listener = (frame: GenerationFrame) => void;

/** A tab with conversations that ask the mock model; frames are handed to whoever waits for the generation. */
export class BenchTab {
  readonly client: ParleyClient;
  private socket: LiveSocket | null = null;
  private readonly listeners = new Map<GenerationId, Listener>();
  private readonly cut = Promise.withResolvers<never>();
  bytes = 0;

  constructor(url: string) {
    this.client = new ParleyClient(url);
    this.cut.promise.catch(() => {});
  }

  async open(modelUrl: string): Promise<this> {
    this.client.address = `10.${(tabs += 1) % 250}.0.1`;
    await this.client.register({
      name: 'Bench',
      email: `${newId('user').toLowerCase()}@example.com`,
      password: 'three quiet herons',
    });
    await this.client.createOrganisation('Bench');
    await this.client.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Mock',
        baseUrl: modelUrl,
        models: ['m'],
        defaultModel: 'm',
        isDefault: true,
      },
    });
    await this.connect();
    return this;
  }

  private async connect(): Promise<void> {
    const socket = this.client.socket();
    this.socket = socket;
    socket.once('disconnect', (reason) => this.cut.reject(new Error(`The socket of a tab was cut: ${reason}.`)));
    socket.on('generation.frame', (frame) => this.listeners.get(frame[0])?.(frame));
    socket.io.engine.on('packet', (packet) => {
      if (typeof packet.data === 'string') this.bytes += packet.data.length;
    });
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
    });
  }

  /** A conversation with its first answer behind it, open in this tab: at most twenty are, until they are left. */
  async newConversation(): Promise<ConversationId> {
    const conversationId = newId('conversation');
    await this.client.send(conversationId, 'tokens=1 rate=1000');
    const opened = await this.socket?.emitWithAck('conversation.open', { conversationId });
    if (!opened?.ok) throw new Error(`A conversation was not opened: ${opened?.problem.detail ?? 'no socket'}`);
    for (;;) {
      const { items } = await this.client.messages(conversationId);
      if (items[1]?.generation?.finishedAt) return conversationId;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** As the page does for a conversation that is no longer on the screen. */
  leave(conversationId: ConversationId): void {
    this.socket?.emit('conversation.close', { conversationId });
  }

  /** Creates a conversation with its question, opens it, and leaves it once the answer has ended; see `ask`. */
  async askNew(question: string): Promise<{ firstTokenMs: number }> {
    const conversationId = newId('conversation');
    const answer = await this.ask(conversationId, question, async () => {
      const opened = await this.socket?.emitWithAck('conversation.open', { conversationId });
      if (!opened?.ok) throw new Error(`A conversation was not opened: ${opened?.problem.detail ?? 'no socket'}`);
      if (!opened.generationId) throw new Error('An answer had ended before its conversation was open.');
    });
    this.leave(conversationId);
    return answer;
  }

  /**
   * Asks in an open conversation, as the page does. Resolves at the end with each token's age, in ms; rejects when the
   * socket is cut meanwhile, for then the end is told to nobody.
   */
  async ask(
    conversationId: ConversationId,
    question: string,
    open: () => Promise<void> = async () => {},
  ): Promise<{ firstTokenMs: number; ages: number[]; tokens: number }> {
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const startedAt = performance.now();
    let firstTokenMs = Number.NaN;
    let rest = '';
    const ages: number[] = [];
    const ended = new Promise<void>((resolve) => {
      this.listeners.set(ids.generationId, ([, , , , delta, end]) => {
        if (delta !== '' && Number.isNaN(firstTokenMs)) firstTokenMs = performance.now() - startedAt;
        const parts = (rest + delta).split(' ');
        rest = parts.pop() ?? '';
        for (const part of parts) if (part.startsWith('@')) ages.push(ageOf(part.slice(1)));
        if (end) resolve();
      });
    });
    await this.sendUntilTaken(conversationId, question, ids);
    await open();
    await Promise.race([ended, this.cut.promise]);
    this.listeners.delete(ids.generationId);
    return { firstTokenMs, ages, tokens: ages.length };
  }

  /** As the page does when the product has too much to do for a moment: the same question under the same ids. */
  private async sendUntilTaken(...sent: Parameters<ParleyClient['send']>): Promise<void> {
    for (let left = 10; ; left -= 1) {
      try {
        return void (await this.client.send(...sent));
      } catch (error) {
        if (!(error instanceof RefusedCall && error.status === 503) || left === 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  /** Stops all answers that are being written in the tab's conversations. */
  async stopAnswers(): Promise<void> {
    for (const { id: conversationId, runningAnswer } of await this.client.conversations())
      if (runningAnswer) {
        const params = { conversationId, generationId: runningAnswer.generationId };
        await this.client.call('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
          params,
        });
      }
  }

  close(): void {
    this.socket?.close();
  }
}

/** How long ago, in ms, a token left that carries the time as the mock provider writes it. */
const ageOf = (stamp = ''): number =>
  (((performance.timeOrigin + performance.now()) % 1_000_000) - Number(stamp) + 1_000_000) % 1_000_000;

/** The same question straight to the model server: the floor. */
export async function askDirectly(
  modelUrl: string,
  question: string,
): Promise<{ firstTokenMs: number; ages: number[] }> {
  const startedAt = performance.now();
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
  });
  let firstTokenMs = Number.NaN;
  const ages: number[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    if (Number.isNaN(firstTokenMs)) firstTokenMs = performance.now() - startedAt;
    for (const [, stamp] of decoder.decode(chunk).matchAll(/@([\d.]+) /g)) ages.push(ageOf(stamp));
  }
  return { firstTokenMs, ages };
}
