import { Injectable } from '@nestjs/common';
import type { exportConversation } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import type { Download } from '@parley/protocol';
import { Readable } from 'node:stream';
import { ConversationAccess } from '../../conversations/index.ts';
import { ChatReader } from './chat-reader.ts';
import { jsonOf, markdownOf } from './chat-texts.ts';
import { markdownWords } from './markdown-words.ts';
import { safeName } from './safe-name.ts';

/** Gives a person one of their chats as a file, read while it is sent. */
@Injectable()
export class OneChatService {
  constructor(
    private readonly access: ConversationAccess,
    private readonly reader: ChatReader,
    private readonly clock: Clock,
  ) {}

  async download(input: InputOf<typeof exportConversation>): Promise<Download> {
    const { params, query, principal } = input;
    const conversation = await this.access.read(input, params.conversationId);
    const chat = await this.reader.begin(input, conversation, query.leaf);
    const { locale } = principal;
    const named = safeName(conversation.title, markdownWords(locale).unnamed);
    if (query.as === 'json')
      return { name: `${named}.json`, content: bytesOf(jsonOf(chat.head, this.reader.tree(chat))) };
    const said = { head: chat.head, exportedAt: this.clock.now(), locale };
    return { name: `${named}.md`, content: bytesOf(markdownOf(said, this.reader.path(chat))) };
  }
}

export const bytesOf = (texts: AsyncIterable<string>): Readable => Readable.from(texts, { objectMode: false });
