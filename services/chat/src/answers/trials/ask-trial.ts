import { Injectable } from '@nestjs/common';
import type { TestRunId, TrialId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Actor } from '@parley/platform/work';
import type { ChosenChatbot } from '../../assistants/chatbots/index.ts';
import { Answerers, AskApart, type Asker } from '../generations/index.ts';
import type { TrialRow } from './trial.collection.ts';
import { TrialsRepository } from './trials.repository.ts';

/** The question of a trial, the chatbot, and the person who asks; `version` is null for a draft. */
export type WantedTrial = {
  readonly scope: OrganisationScope;
  readonly actor: Actor;
  readonly asker: Asker;
  readonly id: TrialId;
  readonly chatbot: ChosenChatbot;
  readonly version: number | null;
  readonly question: string;
  readonly runId: TestRunId | null;
};

/** Asks a chatbot a trial question. Stores the chatbot content that answers it together with the trial. */
@Injectable()
export class AskTrial {
  constructor(
    private readonly trials: TrialsRepository,
    private readonly answerers: Answerers,
    private readonly asking: AskApart,
  ) {}

  /** Idempotent: repeating the call with the same id returns the existing trial. */
  async ask(wanted: WantedTrial): Promise<TrialRow> {
    const { scope, actor, asker, id, chatbot, version, question, runId } = wanted;
    const known = await this.trials.find(scope, id);
    if (known) return known;
    const answerer = await this.answerers.onModel(scope, Promise.resolve(chatbot), undefined);
    const of = { chatbotId: chatbot.id, version, content: chatbot.content };
    const tried = { _id: id, orgId: scope.orgId, ...of, question, runId };
    await this.asking.ask({
      scope,
      actor,
      asker,
      answerer,
      question,
      of: { kind: 'trial', trialId: id },
      keep: async ({ ownerId: _nobody, ...ids }, askedAt, tx) => {
        const asked = { askerId: asker.userId, askerName: asker.name, askedAt };
        const { isNew } = await this.trials.insert(scope, { ...tried, ...asked, ...ids }, tx);
        return isNew;
      },
    });
    return (await this.trials.find(scope, id))!;
  }
}
