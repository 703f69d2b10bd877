import { Injectable } from '@nestjs/common';
import { generationStopRequested, type AnswerSlots, type getProgress, type stopAnyGeneration } from '@parley/contracts';
import { Doorbell } from '@parley/platform/doorbell';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ChatSettings } from '../../chat.config.ts';
import { ownTextOf } from './rows/continuation.ts';
import { stopsWanted } from './asking/generation-queue.ts';
import { estimateTokens } from './rows/generation.ts';
import { GenerationsRepository } from './rows/generations.repository.ts';

/** Shows monitoring the answers that haven't ended, and lets an admin stop them. */
@Injectable()
export class RunningGenerationsService {
  constructor(
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly doorbell: Doorbell,
    private readonly settings: ChatSettings,
  ) {}

  slots(): { slots: AnswerSlots | null } {
    const { workers, workerSlots } = this.settings;
    return { slots: workers > 0 ? workerSlots : null };
  }

  /**
   * Doesn't check the owner of the conversation: the permission applies to everyone's answers, and shows none of their
   * text.
   */
  async stopAny({
    scope,
    principal,
    params,
  }: InputOf<typeof stopAnyGeneration>): Promise<ResponseOf<typeof stopAnyGeneration>> {
    const { generationId } = params;
    const status = await this.work.run(principal, async (tx) => {
      const generation = await this.generations.findAny(scope, generationId, tx);
      if (!generation) throw new Problem('chat.generation-not-found');
      const { userId, modelKey: model } = generation;
      if (await this.generations.requestStop(scope, generationId, tx))
        tx.record(generationStopRequested, { orgId: scope.orgId, generationId, by: principal.userId, userId, model });
      return generation.status;
    });
    this.doorbell.ring(stopsWanted);
    return { status };
  }

  async progress({ scope, params, body }: InputOf<typeof getProgress>): Promise<ResponseOf<typeof getProgress>> {
    const generations = await this.generations.findMany(scope.in(params.orgId), body.generationIds);
    return {
      items: generations.flatMap((generation) => {
        const { _id: generationId, status, firstTokenAt, startedAt } = generation;
        if (status !== 'queued' && status !== 'running') return [];
        return {
          generationId,
          status,
          firstTokenAt: firstTokenAt?.toISOString() ?? null,
          startedAt: startedAt?.toISOString() ?? null,
          outputTokens: firstTokenAt ? estimateTokens(ownTextOf(generation)) : 0,
        };
      }),
    };
  }
}
