import { Injectable } from '@nestjs/common';
import type { ChatbotContent, ConnectionId, ProjectKnowledge } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ReadableConnections } from '../../../knowledge/connections/index.ts';
import { DocumentsService } from '../../../knowledge/documents/index.ts';
import type { Within } from '../../../knowledge/retrieval/index.ts';
import type { Asker } from '../rows/ask.ts';
import type { GivenByProject } from './recent-messages.ts';

type OfChatbot = {
  /** The connections that the person can read. */
  readonly readable: readonly ConnectionId[];
  readonly within: Within;
  readonly documentCount: number;
};
type Sources = Pick<OfChatbot, 'within' | 'documentCount'> & {
  /** Null if the answer searches nothing of a project. */
  readonly projectKnowledge: ProjectKnowledge | null;
};

/** Decides what an answer can search now. A worker that takes the answer over decides again. */
@Injectable()
export class AnswerSources {
  constructor(
    private readonly readable: ReadableConnections,
    private readonly documents: DocumentsService,
  ) {}

  /** Returns the chatbot's connections that the person can read. */
  async ofChatbot(
    scope: OrganisationScope,
    { userId, role, groupIds }: Asker,
    wanting: Promise<{ readonly content: ChatbotContent }>,
  ): Promise<OfChatbot> {
    const reader = { userId, organisation: { role, groupIds: groupIds ?? [] } };
    const [{ content }, readable] = await Promise.all([wanting, this.readable.of(scope, reader)]);
    const { connectionIds } = content.knowledge;
    const within = connectionIds ? readable.filter((id) => connectionIds.includes(id)) : readable;
    return { readable, within, documentCount: await this.documents.searchableCount(scope, within) };
  }

  /** Adds the project's connections that the person can read, and leaves out others. */
  async withProject(
    scope: OrganisationScope,
    { readable, within, documentCount }: OfChatbot,
    project: GivenByProject,
  ): Promise<Sources> {
    const connectionIds = project.connectionIds.filter((id) => readable.includes(id));
    const files = [...project.files];
    const projectKnowledge = connectionIds.length > 0 || files.length > 0 ? { connectionIds, files } : null;
    const added = connectionIds.filter((id) => !within.includes(id));
    if (added.length === 0) return { within, documentCount, projectKnowledge };
    const all = [...within, ...added];
    return { within: all, documentCount: await this.documents.searchableCount(scope, all), projectKnowledge };
  }
}
