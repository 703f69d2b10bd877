import { Injectable } from '@nestjs/common';
import type { ModelKey, sendMessage } from '@parley/contracts';
import { Problem, type BodyOf } from '@parley/protocol';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ChatbotsService, type ChosenChatbot } from '../../../assistants/chatbots/index.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { ModelsService, type ChosenModel } from '../../../assistants/models/index.ts';

/** A published chatbot with the model that it answers on. */
export type Answerer = ChosenModel & { readonly chatbot: ChosenChatbot };

/** Finds the chatbot and model that answer a question. */
@Injectable()
export class Answerers {
  constructor(
    private readonly chatbots: ChatbotsService,
    private readonly models: ModelsService,
  ) {}

  /**
   * Returns the chosen chatbot on its own model; a chatbot without one answers on the requested model or the
   * organisation's default. If the chatbot's model is no longer offered, its fallback answers.
   */
  async choose(
    viewer: Viewer,
    { chatbotId, model }: Pick<BodyOf<typeof sendMessage>, 'chatbotId' | 'model'>,
  ): Promise<Answerer> {
    return this.onModel(viewer.scope, this.chatbots.choose(viewer, chatbotId), model);
  }

  /** Waits for the chosen chatbot, and returns it with the model that it answers on, by the same rules as `choose`. */
  async onModel(
    scope: OrganisationScope,
    choosing: Promise<ChosenChatbot>,
    model: ModelKey | undefined,
  ): Promise<Answerer> {
    const [chatbot, choose] = await Promise.all([choosing, this.models.choice(scope)]);
    const { content } = chatbot;
    const wanted = content.model ?? model;
    try {
      return { ...choose(wanted), chatbot };
    } catch (error) {
      const isGone = error instanceof Problem && error.code === 'chat.model-not-found';
      if (!isGone || content.model === null || content.fallback === null) throw error;
      return { ...choose(content.fallback), chatbot };
    }
  }
}
