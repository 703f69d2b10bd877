import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { unknownVariables } from '../../../chatbot-instructions.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { audience } from '../../../audience.ts';
import { chatbotId, clientIdOf, connectionId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { quotaLimits } from '../../../limits/quotas.ts';
import { modelKey } from './models.ts';

export const longestInstructions = 20_000;

/** The pictures that a chatbot can have; the browser draws them. */
export const chatbotGlyph = z.enum([
  'bot',
  'book',
  'bolt',
  'briefcase',
  'code',
  'compass',
  'globe',
  'heart',
  'scale',
  'shield',
  'users',
  'wrench',
]);
export type ChatbotGlyph = z.infer<typeof chatbotGlyph>;

/** Everything about a chatbot that a version keeps. */
export const chatbotContent = z.strictObject({
  name: plainName(60),
  glyph: chatbotGlyph,
  /** Told to the model before each conversation, with its variables replaced; no secret belongs here. */
  instructions: z
    .string()
    .max(longestInstructions)
    .refine((text) => unknownVariables(text).length === 0, {
      error: ({ input }) =>
        `names what is no variable: ${unknownVariables(String(input))
          .slice(0, 5)
          .map((name) => `{{${name.slice(0, 40)}}}`)
          .join(', ')}`,
    }),
  /** Null: the organisation's default, and whoever asks may choose another one. */
  model: modelKey.nullable(),
  /** Asked where the model fails before its first word. */
  fallback: modelKey.nullable(),
  /** Null leaves it to the model server. */
  temperature: z.number().min(0).max(2).nullable(),
  knowledge: z.strictObject({
    /** So many passages at most go with a question; 0 is none. */
    passages: z.number().int().min(0).max(20),
    /** Where nothing is found, it says so and asks no model. */
    onlyFromDocuments: z.boolean(),
    /** Where it may look, of what whoever asks may read; null is everywhere. */
    connectionIds: z.array(connectionId).max(quotaLimits.connections.highest).nullable().default(null),
  }),
  /** Questions to begin with, offered on the empty page. */
  starters: z.array(plainName(200)).max(6),
  audience,
});
export type ChatbotContent = z.infer<typeof chatbotContent>;

/** Which chatbot in which of its versions; 0 is the default one as every organisation begins with it. */
export const chatbotVersionRef = z.strictObject({ id: chatbotId, version: z.number().int().min(0) });
export type ChatbotVersionRef = z.infer<typeof chatbotVersionRef>;

/** As whoever may use it sees it. */
export const chatbot = z.strictObject({
  id: chatbotId,
  name: z.string(),
  glyph: chatbotGlyph,
  version: z.number().int(),
  isDefault: z.boolean(),
  /** Null: whoever asks may choose. */
  model: modelKey.nullable(),
  starters: z.array(z.string()),
});
export type Chatbot = z.infer<typeof chatbot>;

/** Who did it; null, as the time is, of the default one as it begins. */
const by = z.strictObject({ userId, name: z.string() }).nullable();

/** One that was published. */
export const chatbotVersion = z.strictObject({
  version: z.number().int(),
  note: z.string(),
  by,
  publishedAt: timestamp.nullable(),
  content: chatbotContent,
});
export type ChatbotVersion = z.infer<typeof chatbotVersion>;

/** As whoever makes it sees it in the list. */
export const chatbotSummary = z.strictObject({
  id: chatbotId,
  /** Of the draft, where it is another than what is published. */
  name: z.string(),
  glyph: chatbotGlyph,
  isDefault: z.boolean(),
  /** The draft differs from what is published. */
  isChanged: z.boolean(),
  editedAt: timestamp.nullable(),
  editedBy: by,
  /** Null: nobody can use it yet. */
  publishedVersion: z.number().int().nullable(),
  audience: audience.options[0].shape.kind.or(audience.options[1].shape.kind),
});
export type ChatbotSummary = z.infer<typeof chatbotSummary>;

/** What is published, and the draft that comes next. */
export const chatbotDraft = z.strictObject({
  id: chatbotId,
  isDefault: z.boolean(),
  /** Grows with each change of the draft and each publication: changes name the one that was seen. */
  revision: z.number().int(),
  content: chatbotContent,
  isChanged: z.boolean(),
  editedAt: timestamp.nullable(),
  editedBy: by,
  published: chatbotVersion.nullable(),
});
export type ChatbotDraft = z.infer<typeof chatbotDraft>;

const managed = { service: 'chat', scope: 'organisation', permission: 'chatbot:manage' } as const;
const one = z.strictObject({ chatbotId });
const revision = z.number().int();

/** Those that I may use, the default one first, then by name. */
export const listChatbots = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'model:use',
  cost: 'read',
  route: 'GET /api/chat/chatbots',
  response: z.strictObject({ items: z.array(chatbot) }),
});

/** What each is called, also those that I may not use: for whoever reads what the organisation uses. */
export const listChatbotNames = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'usage:read_org',
  cost: 'read',
  route: 'GET /api/chat/chatbot-names',
  response: z.strictObject({ items: z.array(z.strictObject({ id: chatbotId, name: z.string() })) }),
});

/** All of the organisation, what was edited last first. */
export const listChatbotDrafts = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts',
  cost: 'read',
  response: z.strictObject({ items: z.array(chatbotSummary) }),
});

export const getChatbotDraft = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId',
  cost: 'read',
  params: one,
  response: chatbotDraft,
});

/** A draft that nobody can use before it is published. When the quota `chatbots` is full: `org.limit-reached`. */
export const createChatbot = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: clientIdOf('chatbot'), content: chatbotContent }),
  response: chatbotDraft,
});

/** `platform.conflict` with the current one where somebody else has changed it since. */
export const changeChatbotDraft = defineRoute({
  ...managed,
  route: 'PUT /api/chat/chatbot-drafts/:chatbotId',
  cost: 'write',
  params: one,
  body: z.strictObject({ revision, content: chatbotContent }),
  response: chatbotDraft,
});

/** Answers go on with the version that they began with; the next message of any chat is answered by the new one. */
export const publishChatbot = defineRoute({
  ...managed,
  permission: 'chatbot:publish',
  cost: 'write',
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/publish',
  params: one,
  body: z.strictObject({ revision, note: z.string().trim().max(300) }),
  response: chatbotDraft,
});

/** Nobody can use it any more; what it has answered stays. The default one cannot be deleted: `platform.conflict`. */
export const deleteChatbot = defineRoute({
  ...managed,
  permission: 'chatbot:publish',
  cost: 'write',
  route: 'DELETE /api/chat/chatbot-drafts/:chatbotId',
  status: 204,
  params: one,
});

/** Newest first. */
export const listChatbotVersions = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/versions',
  cost: 'read',
  params: one,
  query: pageQuery,
  response: pageOf(chatbotVersion),
});

/** Lists and editors read it again; `draft`: nobody's chats are touched. `version` and `note` are of what was published. */
export const chatbotChanged = defineEvent('chatbot.changed.v1', 'chat', {
  data: z.object({
    orgId,
    chatbotId,
    by: userId,
    change: z.enum(['draft', 'published', 'deleted']),
    name: z.string(),
    version: z.number().int().nullable(),
    note: z.string(),
  }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['chatbots', 'chatbot-names', 'chatbot-drafts', 'tests', 'test-runs'] },
  audit: ({ chatbotId: id, by, change, name, version }) =>
    change === 'draft'
      ? null
      : {
          act: `chatbot.${change}`,
          by,
          target: { of: 'chatbot', id, name },
          changes:
            change === 'published' && version ? changesBetween(null, { version: auditValues.count(version) }) : [],
        },
  outside: ['chatbotId', 'change', 'version'],
});

export const chatbotRoutes = {
  listChatbots,
  listChatbotNames,
  listChatbotDrafts,
  getChatbotDraft,
  createChatbot,
  changeChatbotDraft,
  publishChatbot,
  deleteChatbot,
  listChatbotVersions,
};
