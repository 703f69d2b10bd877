import {
  liveStreamOf,
  readLiveStream,
  type ConversationId,
  type GenerationFrame,
  type GenerationId,
  type ServerToClient,
} from '@parley/contracts';
import type { LiveFrame, LivePosition, LiveStream } from '@parley/platform/live-stream';
import type { Server, Socket } from 'socket.io';
import type { LiveGate } from './live-gate.ts';

export type RunningAnswer = { readonly conversationId: ConversationId; readonly generationId: GenerationId };
type Io = Server<Record<string, never>, ServerToClient>;

export const conversationRoom = (id: ConversationId): string => `c:${id}`;
export const isConversationRoom = (room: string): boolean => room.startsWith('c:');

/**
 * Follows the live stream of an answer while a socket of this process is in its conversation's room, once for all of
 * them.
 */
export class StreamFollowers {
  private readonly following = new Map<string, { readonly answer: RunningAnswer; stop: () => void }>();
  private readonly io: Io;
  private readonly liveStream: LiveStream;
  private readonly gate: LiveGate;
  private readonly stopHearing: () => void;

  constructor(io: Io, liveStream: LiveStream, gate: LiveGate) {
    this.io = io;
    this.liveStream = liveStream;
    this.gate = gate;
    io.of('/').adapter.on('delete-room', (room: string) => this.leave(room));
    this.stopHearing = liveStream.onBegin((stream) => {
      const begun = readLiveStream(stream);
      if (begun) this.follow(begun, null);
    });
  }

  /** The answer, while it is followed here. */
  followed(conversationId: ConversationId, generationId: GenerationId): RunningAnswer | undefined {
    return this.following.get(liveStreamOf(conversationId, generationId))?.answer;
  }

  /**
   * From now on the room gets each new frame; what is kept after the position goes to the room first. Never an answer
   * that only a client has named: it might never be, and never end. Never a client's position: it would hold for the
   * whole room.
   */
  follow(answer: RunningAnswer, after: LivePosition | null): void {
    const stream = liveStreamOf(answer.conversationId, answer.generationId);
    const room = conversationRoom(answer.conversationId);
    if (this.following.has(stream) || !this.io.of('/').adapter.rooms.has(room)) return;
    const entry = { answer, stop: () => {} };
    this.following.set(stream, entry);
    entry.stop = this.liveStream.follow(stream, after, (frame) => {
      this.gate.pass(() => this.io.to(room).emit('generation.frame', toMessage(answer, frame)), lengthOf(frame));
      if (frame.end) this.unfollow(stream);
    });
  }

  /** Gives one socket what it does not have yet, then lets the room's follower go on from there. */
  async replay(
    socket: Socket<Record<string, never>, ServerToClient>,
    answer: RunningAnswer,
    after: LivePosition | null,
  ): Promise<void> {
    const stream = liveStreamOf(answer.conversationId, answer.generationId);
    const kept = await this.liveStream.read(stream, after);
    for (const frame of kept)
      this.gate.pass(() => void socket.emit('generation.frame', toMessage(answer, frame)), lengthOf(frame));
    const last = kept.at(-1);
    if (!last?.end) this.follow(answer, last ? { epoch: last.epoch, seq: last.seq } : null);
  }

  close(): void {
    this.stopHearing();
    for (const stream of this.following.keys()) this.unfollow(stream);
  }

  private leave(room: string): void {
    for (const [stream, { answer }] of this.following)
      if (conversationRoom(answer.conversationId) === room) this.unfollow(stream);
  }

  private unfollow(stream: string): void {
    this.following.get(stream)?.stop();
    this.following.delete(stream);
  }
}

const lengthOf = ({ delta, thoughts }: LiveFrame): number => delta.length + (thoughts?.delta.length ?? 0);

/** Without what it does not have: it is sent up to 25 times a second. */
function toMessage({ generationId }: RunningAnswer, frame: LiveFrame): GenerationFrame {
  const { epoch, seq, offset, delta, thoughts, end } = frame;
  if (thoughts) return [generationId, epoch, seq, offset, delta, end ?? null, [thoughts.offset, thoughts.delta]];
  return end ? [generationId, epoch, seq, offset, delta, end] : [generationId, epoch, seq, offset, delta];
}
