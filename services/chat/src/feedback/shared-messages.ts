import { Injectable } from '@nestjs/common';
import { mostSharedCharacters, type ConversationId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { MessagesRepository, type MessageRow } from '../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';
import type { SharedMessages } from './feedback.collection.ts';

/** Several answers of one question are versions, of which one goes along: so many rows hold what is sent. */
const rowsRead = 100;

/** Copies what somebody agreed to send: the talk up to the answer, as it is read. */
@Injectable()
export class MessagesToShare {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
  ) {}

  /** The last ones, the answer among them; fewer where they would be too long. */
  async upTo(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { answer, most }: { answer: MessageRow; most: number },
  ): Promise<SharedMessages> {
    if (most === 0) return [];
    const before = answer.position + 1;
    const rows = await this.messages.page(scope, conversationId, { before, limit: rowsRead });
    const shown = fitting(talkTo(answer, rows).slice(-most));
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

/** Questions with their newest answer, the rated one in the place of its other versions. */
function talkTo(answer: MessageRow, rows: readonly MessageRow[]): MessageRow[] {
  const isSaid = (row: MessageRow): boolean => row.text !== '' && !row.isDiscarded;
  const newest = new Map(
    rows.filter((row) => row.role === 'assistant' && isSaid(row)).map((row) => [row.parentId, row._id]),
  );
  newest.set(answer.parentId, answer._id);
  return rows.filter((row) => isSaid(row) && (row.role === 'person' || newest.get(row.parentId) === row._id));
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
