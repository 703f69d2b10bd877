import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConversationsService, DraftsService, FileReferences } from '../../conversations/index.ts';
import { FileUses } from './file-uses.ts';

/** Hears of drafts and erased messages what they hold and let go: they know nothing of files. */
@Injectable()
export class FileHolders implements OnModuleInit {
  constructor(
    private readonly drafts: DraftsService,
    private readonly conversations: ConversationsService,
    private readonly references: FileReferences,
    private readonly uses: FileUses,
  ) {}

  onModuleInit(): void {
    this.drafts.keepFilesBy({
      hold: (viewer, ids, tx) => this.uses.holdOwn(viewer, ids, tx),
      letGo: (scope, ids, tx) => this.uses.letGo(scope, ids, tx),
    });
    this.conversations.whenErased(async (scope, { messages, conversationId }, tx) => {
      const ofMessages = messages.flatMap(({ files = [] }) => files.map(({ id }) => id));
      const ofDrafts = conversationId ? await this.references.ofDrafts(scope, conversationId, tx) : [];
      await this.uses.letGo(scope, [...ofMessages, ...ofDrafts], tx);
    });
  }
}
