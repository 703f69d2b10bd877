import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Problem } from '@parley/protocol';
import { ChatbotsService } from '../../assistants/chatbots/index.ts';
import { ProjectsService, type Named, type Viewer } from '../../conversations/index.ts';
import { ReadableConnections } from '../connections/index.ts';

/** Says whether a person can use what their project is to name: projects know neither chatbots nor connections. */
@Injectable()
export class NamedByProjects implements OnModuleInit {
  constructor(
    private readonly projects: ProjectsService,
    private readonly chatbots: ChatbotsService,
    private readonly readable: ReadableConnections,
  ) {}

  onModuleInit(): void {
    this.projects.whenNaming((viewer, named) => this.ask(viewer, named));
  }

  private async ask(viewer: Viewer, { chatbotId, connectionIds }: Named): Promise<void> {
    if (chatbotId) await this.chatbots.choose(viewer, chatbotId);
    if (connectionIds.length === 0) return;
    const readable = await this.readable.of(viewer.scope, viewer.principal);
    if (connectionIds.some((id) => !readable.includes(id))) throw new Problem('chat.connection-not-found');
  }
}
