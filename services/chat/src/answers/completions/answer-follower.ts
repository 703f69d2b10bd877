import { Injectable } from '@nestjs/common';
import { liveStreamOf } from '@parley/contracts';
import { Doorbell } from '@parley/platform/doorbell';
import { isStoreAway, type OrganisationScope } from '@parley/platform/mongo';
import { Platform, type Member } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import { GenerationsRepository, stopsWanted, type Generation } from '../generations/index.ts';
import { ToldText } from './told-text.ts';

/**
 * Look at the stored answer this often: the live stream can be unavailable, and an interrupted answer ends without a
 * frame.
 */
const lookAgainMs = 1_000;

export type Followed = {
  readonly scope: OrganisationScope;
  readonly principal: Member;
  readonly generation: Generation;
  /** Aborted when the caller has disconnected. */
  readonly gone: AbortSignal;
};
export type AnswerPiece = { readonly text: string; readonly ended?: undefined } | { readonly ended: Generation };

/** Streams an answer to a program while a worker writes it. */
@Injectable()
export class AnswerFollower {
  constructor(
    private readonly generations: GenerationsRepository,
    private readonly platform: Platform,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * Yields the answer's text in pieces, then how it ended. Waits while the store is unavailable, like the worker that
   * writes the answer. Stops the answer if its caller leaves early or can't ask any more.
   */
  async *follow({ scope, principal, generation, gone }: Followed): AsyncGenerator<AnswerPiece> {
    const told = new ToldText();
    const bell = new Bell();
    const ring = () => bell.ring();
    const stream = liveStreamOf(generation.conversationId, generation._id);
    const unfollow = this.platform.liveStream.follow(stream, null, (frame) => {
      told.take(frame);
      ring();
    });
    const stopListening = this.platform.revocations.onRevoked(ring);
    gone.addEventListener('abort', ring);
    let hasEnded = false;
    try {
      while (!gone.aborted) {
        if (this.platform.revocations.isRevoked(principal)) throw new Problem('platform.rights-changed');
        const text = told.next();
        if (text !== '') yield { text };
        else if (told.hasEnded || (await bell.isQuiet(lookAgainMs))) {
          const ended = await this.find(scope, generation);
          if (!ended?.finishedAt) {
            await bell.isQuiet(lookAgainMs);
            continue;
          }
          hasEnded = true;
          const rest = told.restOf(ended.text);
          if (rest !== '') yield { text: rest };
          return yield { ended };
        }
      }
    } finally {
      unfollow();
      stopListening();
      gone.removeEventListener('abort', ring);
      if (!hasEnded) await this.stop(scope, generation);
    }
  }

  /** Returns null if the answer can't be read now. */
  private async find(scope: OrganisationScope, { _id }: Generation): Promise<Generation | null> {
    try {
      return (await this.generations.findMany(scope, [_id]))[0] ?? null;
    } catch (error) {
      if (isStoreAway(error)) return null;
      throw error;
    }
  }

  /** Asks the answer's worker to stop. */
  async stop(scope: OrganisationScope, { _id }: Generation): Promise<void> {
    await this.generations.requestStop(scope, _id);
    this.doorbell.ring(stopsWanted);
  }
}

/** Wakes a waiting `follow`; remembers a ring until the next wait. */
class Bell {
  private rung = Promise.withResolvers<boolean>();

  ring(): void {
    this.rung.resolve(false);
  }

  /** Resolves with false at the first ring, or with true if none comes within `mostMs` milliseconds. */
  async isQuiet(mostMs: number): Promise<boolean> {
    const { promise, resolve } = this.rung;
    const timer = setTimeout(() => resolve(true), mostMs);
    const isQuiet = await promise;
    clearTimeout(timer);
    this.rung = Promise.withResolvers();
    return isQuiet;
  }
}
