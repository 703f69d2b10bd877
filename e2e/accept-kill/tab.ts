import type { ConversationId } from '@parley/contracts';
import type { LiveSocket, ParleyClient } from '@parley/testing/client';
import type { Evidence } from './evidence.ts';
import { FollowedConversation } from './followed-conversation.ts';
import { pause } from './world.ts';

const refusedAgainMs = 500;

/** A tab, or a device, of a person: one socket, all of the person's conversations open. */
export class Tab {
  readonly conversations: ReadonlyMap<ConversationId, FollowedConversation>;
  private readonly client: ParleyClient;
  private readonly evidence: Evidence;
  private socket: LiveSocket | null = null;

  constructor(client: ParleyClient, ids: readonly ConversationId[], evidence: Evidence) {
    this.client = client;
    this.evidence = evidence;
    const parts = { client, evidence, socket: () => this.socket };
    this.conversations = new Map(ids.map((id) => [id, new FollowedConversation(id, parts)]));
  }

  conversation(id: ConversationId): FollowedConversation {
    const found = this.conversations.get(id);
    if (!found) throw new Error(`${id} is not open in this tab.`);
    return found;
  }

  connect(): void {
    const socket = this.client.socket();
    this.socket = socket;
    const isCurrent = (): boolean => this.socket === socket;
    socket.on('connect', () => this.conversations.forEach((conversation) => void this.open(socket, conversation)));
    socket.on('connect_error', () => {
      if (!socket.active) setTimeout(() => isCurrent() && socket.connect(), refusedAgainMs);
    });
    socket.on('disconnect', (reason) => {
      if (reason === 'io server disconnect') setTimeout(() => isCurrent() && socket.connect(), refusedAgainMs);
    });
    socket.on('generation.frame', (frame) => {
      if (!isCurrent()) return;
      this.evidence.see(frame);
      this.evidence.live.seen(this, frame);
      for (const conversation of this.conversations.values()) conversation.take(frame);
    });
    socket.on('conversation.changed', (message) => {
      if (!isCurrent()) return;
      this.evidence.live.told(this, message.conversationId, message.sequence);
      this.conversations.get(message.conversationId)?.changed(message);
    });
    socket.on('session.ended', () => this.evidence.refuse('session.ended'));
  }

  /** The network is gone for a moment. */
  cut(): void {
    this.evidence.cuts.sockets += 1;
    if (this.isInAnswer()) this.evidence.cuts.socketsInAnswer += 1;
    this.socket?.io.engine.close();
  }

  reload(): void {
    this.evidence.cuts.reloads += 1;
    if (this.isInAnswer()) this.evidence.cuts.reloadsInAnswer += 1;
    this.close();
    for (const conversation of this.conversations.values()) conversation.forget();
    this.connect();
  }

  close(): void {
    const { socket } = this;
    this.socket = null;
    socket?.disconnect();
  }

  /** What was refused for a moment, right after a start, is asked for again. */
  private async open(socket: LiveSocket, conversation: FollowedConversation): Promise<void> {
    while (this.socket === socket && socket.connected) {
      try {
        return await conversation.connected();
      } catch {
        await pause(refusedAgainMs);
      }
    }
  }

  private isInAnswer(): boolean {
    return [...this.conversations.values()].some(
      ({ state }) => state.stream !== null && state.stream.text !== '' && state.stream.end === null,
    );
  }
}
