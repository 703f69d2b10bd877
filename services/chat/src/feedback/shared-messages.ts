import { Injectable } from '@nestjs/common';
import { mostSharedCharacters, type ConversationId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { MessagePaths, standingOf, type MessageRow, type StoredConversation } from '../conversations/index.ts';
import { GenerationsRepository } from '../answers/generations/index.ts';
import type { SharedMessages } from './feedback.collection.ts';

/** Some have no text, such as an answer that failed: so many rows hold what is sent. */
const rowsRead = 100;

/** Copies what somebody agreed to send: the path to the answer, as it is read. */
@Injectable()
export class MessagesToShare {
  constructor(
    private readonly paths: MessagePaths,
    private readonly generations: GenerationsRepository,
  ) {}

  /** Tells whether a message is neither deleted nor below a deleted one. */
  async isShown(scope: OrganisationScope, conversation: StoredConversation, { _id }: MessageRow): Promise<boolean> {
    return (await this.paths.shown(scope, conversation, [_id])).length > 0;
  }

  /** The last ones, the answer among them; fewer where they would be too long. */
  async upTo(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { answer, most }: { answer: MessageRow; most: number },
  ): Promise<SharedMessages> {
    if (most === 0) return [];
    const leaf = standingOf(answer);
    const rows = leaf ? await this.paths.page(scope, conversationId, { leaf, limit: rowsRead }) : [answer];
    const shown = fitting(rows.filter(({ text, isDiscarded }) => text !== '' && !isDiscarded).slice(-most));
    const ids = shown.flatMap(({ generationId }) => generationId ?? []);
    const generations = new Map((await this.generations.findMany(scope, ids)).map((one) => [one._id, one]));
    return shown.map(({ _id: id, role, text, createdAt: at, generationId }) => ({
      id,
      role,
      text,
      at,
      citations: ((generationId && generations.get(generationId)?.citations) || []).map(
        ({ number, chunkId, curated }) => ({ number, chunkId, curatedAnswerId: curated?.id ?? null }),
      ),
    }));
  }
}

/** The last ones that are not too long together; one that is too long by itself is cut. */
function fitting(rows: readonly MessageRow[]): MessageRow[] {
  const kept: MessageRow[] = [];
  let left = mostSharedCharacters;
  for (const row of rows.toReversed()) {
    if (row.text.length > left && kept.length > 0) break;
    const text = row.text.length > left ? `${row.text.slice(0, left - 1).toWellFormed()}…` : row.text;
    kept.unshift({ ...row, text });
    left -= text.length;
  }
  return kept;
}
