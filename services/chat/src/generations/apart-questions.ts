import { Injectable } from '@nestjs/common';
import type { ChatbotContent } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ChatbotsRepository, TrialsRepository } from '../chatbots/index.ts';
import type { CompletionRow } from './completion.collection.ts';
import { CompletionsRepository } from './completions.repository.ts';
import type { Generation } from './generation.collection.ts';

/** What was asked for apart from all chats: a trial on its own content, a program by its own messages. */
@Injectable()
export class ApartQuestions {
  constructor(
    private readonly chatbots: ChatbotsRepository,
    private readonly trials: TrialsRepository,
    private readonly completions: CompletionsRepository,
  ) {}

  /** What answers: of a trial the content of then, else the version that was published then. */
  content(
    scope: OrganisationScope,
    { chatbot, trialId }: Pick<Generation, 'chatbot' | 'trialId'>,
  ): Promise<ChatbotContent> {
    return trialId ? this.trials.content(scope, trialId) : this.chatbots.content(scope, chatbot ?? null);
  }

  /** Undefined where no program has asked. */
  async wishes(
    scope: OrganisationScope,
    { completionId }: Pick<Generation, 'completionId'>,
  ): Promise<CompletionRow | undefined> {
    return completionId && this.completions.find(scope, completionId);
  }
}
