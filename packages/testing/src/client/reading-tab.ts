import type { ConversationChangedMessage, ConversationId } from '@parley/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import { HeldAnswer } from './held-answer.ts';
import type { LiveSocket, ParleyClient } from './parley-client.ts';

const refusedAgainMs = 200;

/**
 * A tab that reads one conversation: it comes back by itself and asks for what it lacks, as the page does; for what
 * ended meanwhile it asks chat.
 */
export class ReadingTab {
  readonly socket: LiveSocket;
  readonly changes: ConversationChangedMessage[] = [];
  readonly answer = new HeldAnswer();
  private readonly person: ParleyClient;
  private readonly conversationId: ConversationId;

  constructor(person: ParleyClient, conversationId: ConversationId) {
    this.person = person;
    this.conversationId = conversationId;
    this.socket = person.socket();
    this.socket.on('connect', () => void this.open());
    // Refused by the server, not by the network: socket.io does not try again by itself.
    this.socket.on(
      'connect_error',
      () => void (this.socket.active || setTimeout(() => this.socket.connect(), refusedAgainMs)),
    );
    this.socket.on('conversation.changed', (change) => this.changes.push(change));
    this.socket.on('generation.frame', (frame) => void (this.answer.take(frame) || this.open()));
  }

  /** Rejects when it is refused. */
  connected(): Promise<void> {
    return new Promise((resolve, reject) => void this.socket.once('connect', resolve).once('connect_error', reject));
  }

  close(): void {
    this.socket.disconnect();
  }

  private async open(): Promise<void> {
    const { socket, conversationId, answer } = this;
    while (socket.connected) {
      const reply = await socket
        .timeout(10_000)
        .emitWithAck('conversation.open', { conversationId, ...(answer.place && { stream: answer.place }) })
        .catch(() => null);
      if (reply?.ok && reply.generationId === null) return this.settle();
      if (reply?.ok || reply?.problem.status === 404) return;
      await wait(refusedAgainMs);
    }
  }

  private async settle(): Promise<void> {
    const page = await this.person.messages(this.conversationId).catch(() => null);
    const last = page?.items.at(-1);
    if (last) this.answer.settle(last);
  }
}
