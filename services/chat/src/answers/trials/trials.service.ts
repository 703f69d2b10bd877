import { Injectable } from '@nestjs/common';
import type { askTrial, getTrial, listTrials, stopTrial, Trial, TrialId } from '@parley/contracts';
import { Doorbell } from '@parley/platform/doorbell';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ChatbotsService } from '../../assistants/chatbots/index.ts';
import { askerOf, GenerationsRepository, stopsWanted } from '../generations/index.ts';
import { AskTrial } from './ask-trial.ts';
import type { TrialRow } from './trial.collection.ts';
import { TrialsRepository } from './trials.repository.ts';
import { toTrial } from './trial.ts';

type Own = { readonly scope: OrganisationScope; readonly principal: Member };

/**
 * Serves trials of chatbots. Each belongs to the person who asked, because its answer can hold what only they can read.
 */
@Injectable()
export class TrialsService {
  constructor(
    private readonly asking: AskTrial,
    private readonly chatbots: ChatbotsService,
    private readonly trials: TrialsRepository,
    private readonly generations: GenerationsRepository,
    private readonly doorbell: Doorbell,
  ) {}

  async ask({ scope, principal, params, body }: InputOf<typeof askTrial>): Promise<Trial> {
    const asked = { scope, actor: principal, asker: askerOf({ principal }), runId: null };
    const chatbot = await this.chatbots.content(scope, params.chatbotId, body.version);
    const row = await this.asking.ask({ ...asked, ...body, chatbot });
    if (row.askerId !== principal.userId) throw new Problem('platform.conflict');
    return this.shown(scope, row);
  }

  async list({ scope, principal, params, query }: InputOf<typeof listTrials>): Promise<ResponseOf<typeof listTrials>> {
    const { chatbotId } = params;
    await this.chatbots.row(scope, chatbotId);
    const rows = await this.trials.list(scope, { chatbotId, askerId: principal.userId, limit: query.limit });
    const found = await this.generations.findMany(
      scope,
      rows.map(({ generationId }) => generationId),
    );
    const generations = new Map(found.map((generation) => [generation._id, generation]));
    return {
      items: rows.flatMap((row) => {
        const generation = generations.get(row.generationId);
        return generation ? [toTrial(row, generation)] : [];
      }),
    };
  }

  async read({ params, ...own }: InputOf<typeof getTrial>): Promise<Trial> {
    return this.shown(own.scope, await this.own(own, params.trialId));
  }

  async stop({ params, ...own }: InputOf<typeof stopTrial>): Promise<ResponseOf<typeof stopTrial>> {
    const { generationId } = await this.own(own, params.trialId);
    await this.generations.requestStop(own.scope, generationId);
    this.doorbell.ring(stopsWanted);
    const [generation] = await this.generations.findMany(own.scope, [generationId]);
    if (!generation) throw new Problem('platform.not-found');
    return { status: generation.status };
  }

  private async own({ scope, principal }: Own, id: TrialId): Promise<TrialRow> {
    const row = await this.trials.find(scope, id);
    if (row?.askerId !== principal.userId) throw new Problem('platform.not-found', { detail: 'No such trial.' });
    return row;
  }

  private async shown(scope: OrganisationScope, row: TrialRow): Promise<Trial> {
    const [generation] = await this.generations.findMany(scope, [row.generationId]);
    if (!generation) throw new Problem('platform.not-found');
    return toTrial(row, generation);
  }
}
