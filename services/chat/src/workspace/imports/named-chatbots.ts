import { Injectable } from '@nestjs/common';
import { isFor, type ChatbotId } from '@parley/contracts';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Generation } from '../../answers/generations/index.ts';
import { ChatbotsRepository } from '../../assistants/chatbots/index.ts';
import type { Importer } from './import-rights.ts';

export type AnsweringChatbot = NonNullable<Generation['chatbot']>;
export type ChatbotNames = {
  /** Null where the organisation offers its person none of this name. */
  find(name: string): ChatbotId | null;
  /** One that is not offered here has an id that leads nowhere. */
  answering(name: string): AnsweringChatbot;
};

/** Finds the chatbots that a person can use by their names: an export says no more of them. */
@Injectable()
export class NamedChatbots {
  constructor(private readonly chatbots: ChatbotsRepository) {}

  async of(scope: OrganisationScope, importer: Importer): Promise<ChatbotNames> {
    const rows = await this.chatbots.list(scope);
    const byName = new Map<string, AnsweringChatbot>();
    for (const { _id: id, published } of rows) {
      if (!published || published.version === 0 || !isFor(published.content.audience, importer)) continue;
      const { version, content } = published;
      if (!byName.has(content.name))
        byName.set(content.name, { id, version, name: content.name, glyph: content.glyph });
    }
    const elsewhere = (name: string): AnsweringChatbot => {
      const id = apartFromClients(derivedId('chatbot', ['import', scope.orgId, name]));
      return { id, version: 1, name, glyph: 'bot' };
    };
    return { find: (name) => byName.get(name)?.id ?? null, answering: (name) => byName.get(name) ?? elsewhere(name) };
  }
}
