import type { ConversationChangedMessage, ConversationId, GenerationFrame } from '@parley/contracts';
import type { LiveSocket, ParleyClient } from '@parley/testing/client';
import type { Running } from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';
import { gaugeOf } from './two-of-each.ts';

const refusedAgainMs = 200;
const triesForADoor = 20;

/** A tab that reads one conversation: it comes back by itself and asks for what it lacks, as the page does. */
export class ReadingTab {
  readonly socket: LiveSocket;
  readonly changes: ConversationChangedMessage[] = [];
  text = '';
  end: GenerationFrame[5];
  private readonly conversationId: ConversationId;
  private held: { generationId: GenerationFrame[0]; epoch: number; seq: number } | null = null;

  private constructor(person: ParleyClient, conversationId: ConversationId) {
    this.conversationId = conversationId;
    this.socket = person.socket();
    this.socket.on('connect', () => void this.open());
    // Refused by the server, not by the network: socket.io does not try again by itself.
    this.socket.on('connect_error', () => void (this.socket.active || setTimeout(() => this.socket.connect(), refusedAgainMs)));
    this.socket.on('conversation.changed', (change) => this.changes.push(change));
    this.socket.on('generation.frame', (frame) => this.take(frame));
  }

  /** A tab whose socket hangs on that BFF: the balancer decides, so it takes some tries. */
  static async on(bff: Running, person: ParleyClient, conversationId: ConversationId): Promise<ReadingTab> {
    for (let tries = 1; tries <= triesForADoor; tries += 1) {
      const before = await gaugeOf(bff, 'parley_socket_open');
      const tab = new ReadingTab(person, conversationId);
      await tab.connected();
      if ((await gaugeOf(bff, 'parley_socket_open')) > before) return tab;
      tab.close();
    }
    throw new Error(`No socket came to BFF ${bff.copy + 1}.`);
  }

  /** Up to the end of what it has been told. */
  close(): void {
    this.socket.disconnect();
  }

  private connected(): Promise<void> {
    return new Promise((resolve, reject) => void this.socket.once('connect', resolve).once('connect_error', reject));
  }

  private async open(): Promise<void> {
    while (this.socket.connected) {
      const request = { conversationId: this.conversationId, ...(this.held && { stream: this.held }) };
      const answer = await this.socket.timeout(10_000).emitWithAck('conversation.open', request).catch(() => null);
      if (answer?.ok || answer?.problem.status === 404) return;
      await wait(refusedAgainMs);
    }
  }

  private take([generationId, epoch, seq, offset, delta, end]: GenerationFrame): void {
    const held = this.held?.generationId === generationId ? this.held : { generationId, epoch: 0, seq: 0 };
    const isNewAttempt = epoch > held.epoch;
    if (!isNewAttempt && (epoch < held.epoch || seq <= held.seq)) return;
    // What is missing before it is asked for; a frame that brings the whole text again is not.
    if (offset > (isNewAttempt ? 0 : this.text.length)) return void this.open();
    this.held = { generationId, epoch, seq };
    this.text = this.text.slice(0, offset) + delta;
    this.end = end;
  }
}
