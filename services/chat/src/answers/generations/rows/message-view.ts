import type { Message, MessageElsewhere } from '@parley/contracts';
import { depthOf, type MessageRow } from '../../../conversations/index.ts';
import type { Generation } from './generation.collection.ts';

/**
 * Returns a message for its reader: without text if it is deleted, or below a deleted one (`isBelow`). An answer's text
 * comes from its generation: the last checkpoint while it runs, then the whole text.
 */
export function toMessage(row: MessageRow, written: Generation | null, isBelow = false): Message {
  const isDeleted = isBelow || Boolean(row.deletedAt);
  const isGone = isDeleted || row.isDiscarded === true;
  const generation = written && isGone ? { ...written, ...wordless } : written;
  return {
    id: row._id,
    conversationId: row.conversationId,
    position: row.position,
    ...(row.place !== undefined && { depth: depthOf(row.place) }),
    sequence: row.sequence,
    role: row.role,
    text: isGone ? '' : (generation?.text ?? row.text),
    createdAt: row.createdAt.toISOString(),
    author: row.author && { userId: row.author.userId, name: row.author.name },
    // Without a parent, use null: a process of an earlier version can have written the row just now.
    parentId: row.parentId ?? null,
    generation: generation && toGeneration(generation),
    citations: (generation?.citations ?? []).map(({ heading, ...citation }) => ({
      ...citation,
      heading: heading ?? null,
    })),
    ...(row.files?.length && !isGone && { files: row.files }),
    ...(row.imported && { imported: true }),
    ...(row.isDiscarded && { isDiscarded: true }),
    ...(isDeleted && { isDeleted }),
  };
}

/** Returns a message that is on another branch than the reader's, with fewer fields. */
export const toElsewhere = ({ generation, ...message }: Message): MessageElsewhere => {
  const { id, parentId, author, position, sequence, role, isDeleted } = message;
  const status = generation?.status ?? null;
  return { id, parentId, author, position, sequence, role, status, ...(isDeleted && { isDeleted }) };
};

const wordless: Pick<Generation, 'text' | 'citations' | 'thoughts' | 'failureDetail' | 'sent'> = {
  text: '',
  citations: [],
  thoughts: null,
  failureDetail: null,
  sent: null,
};

function toGeneration(generation: Generation): NonNullable<Message['generation']> {
  const { usage, thoughts, fellBackFrom, images, leftOut, sent } = generation;
  return {
    id: generation._id,
    status: generation.status,
    failure: generation.failure ?? null,
    failureDetail: generation.failureDetail ?? null,
    ...(generation.limitedBy && { limitedBy: generation.limitedBy }),
    epoch: generation.textEpoch,
    resumedAt: generation.resumedAt?.toISOString() ?? null,
    model: { key: generation.modelKey, label: generation.modelLabel },
    chatbot: generation.chatbot ?? null,
    ...(generation.projectId && { projectId: generation.projectId }),
    startedAt: generation.startedAt?.toISOString() ?? null,
    finishedAt: generation.finishedAt?.toISOString() ?? null,
    ...(thoughts && { thoughts }),
    ...(fellBackFrom && { fellBackFrom }),
    ...(images && { images }),
    ...(leftOut && { leftOut }),
    ...(sent?.projectInstructions && { projectInstructions: true }),
    ...(sent?.projectKnowledge && { projectKnowledge: sent.projectKnowledge }),
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, estimated: usage.estimated },
  };
}
