import type { Chatbot, ChatbotContent, ChatbotDraft, ChatbotSummary, ChatbotVersion } from '@parley/contracts';
import type { ChatbotRow, ChatbotVersionRow } from './chatbot.collection.ts';

/** Two drafts are the same where they are written the same: both went through one schema, in one order. */
export const isSameContent = (one: ChatbotContent, other: ChatbotContent): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** As versions are today: those of before there were connections may use all. */
export const asToday = (content: ChatbotContent): ChatbotContent => ({
  ...content,
  knowledge: { ...content.knowledge, connectionIds: content.knowledge.connectionIds ?? null },
});

/** See `asToday`. */
export const rowAsToday = (row: ChatbotRow): ChatbotRow => ({
  ...row,
  draft: asToday(row.draft),
  published: row.published && { ...row.published, content: asToday(row.published.content) },
});

type Published = NonNullable<ChatbotRow['published']>;

/** What the picker shows of a published one. */
export function toChatbot({ _id, isDefault }: ChatbotRow, { version, content }: Published): Chatbot {
  const { name, glyph, model, starters } = content;
  return { id: _id, name, glyph, version, isDefault, model, starters };
}

export function toSummary(row: ChatbotRow): ChatbotSummary {
  const { _id, draft, isDefault, isChanged, editedBy, published } = row;
  return {
    id: _id,
    name: draft.name,
    glyph: draft.glyph,
    isDefault,
    isChanged,
    editedAt: row.editedAt?.toISOString() ?? null,
    editedBy,
    publishedVersion: published?.version ?? null,
    audience: draft.audience.kind,
  };
}

export function toDraft(row: ChatbotRow): ChatbotDraft {
  const { _id, isDefault, revision, draft, isChanged, editedBy, published } = row;
  return {
    id: _id,
    isDefault,
    revision,
    content: draft,
    isChanged,
    editedAt: row.editedAt?.toISOString() ?? null,
    editedBy,
    published: published && toVersion(published),
  };
}

export function toVersion({ version, note, by, publishedAt, content }: ChatbotVersionRow | Published): ChatbotVersion {
  return { version, note, by, publishedAt: publishedAt?.toISOString() ?? null, content: asToday(content) };
}
