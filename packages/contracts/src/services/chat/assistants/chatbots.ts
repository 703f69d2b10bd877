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

/** Lists the pictures of chatbots. The browser draws them. */
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

/** The content of a chatbot's version. */
export const chatbotContent = z.strictObject({
  name: plainName(60),
  glyph: chatbotGlyph,
  /** Sent to the model before each conversation, with variables replaced. No place for secrets. */
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
  /** Null: the organisation's default model, and people can choose another one. */
  model: modelKey.nullable(),
  /** The model to ask if the first one fails before its first word. */
  fallback: modelKey.nullable(),
  /** Null: the model server decides. */
  temperature: z.number().min(0).max(2).nullable(),
  knowledge: z.strictObject({
    /** The most passages sent with a question; 0 for none. */
    passages: z.number().int().min(0).max(20),
    /** If no passage is found, the chatbot says so and asks no model. */
    onlyFromDocuments: z.boolean(),
    /** The connections that the chatbot searches, among those that the person can read; null: all. */
    connectionIds: z.array(connectionId).max(quotaLimits.connections.highest).nullable().default(null),
  }),
  /** Questions to start with, offered on the empty page. */
  starters: z.array(plainName(200)).max(6),
  audience,
});
export type ChatbotContent = z.infer<typeof chatbotContent>;

/** A chatbot and its version. Version 0 is the default chatbot that every organisation begins with. */
export const chatbotVersionRef = z.strictObject({ id: chatbotId, version: z.number().int().min(0) });
export type ChatbotVersionRef = z.infer<typeof chatbotVersionRef>;

/** A chatbot as its users see it. */
export const chatbot = z.strictObject({
  id: chatbotId,
  name: z.string(),
  glyph: chatbotGlyph,
  version: z.number().int(),
  isDefault: z.boolean(),
  /** Null: people can choose a model. */
  model: modelKey.nullable(),
  starters: z.array(z.string()),
});
export type Chatbot = z.infer<typeof chatbot>;

/** The person who edited or published; null, like the time, for the default chatbot before its first change. */
const by = z.strictObject({ userId, name: z.string() }).nullable();

/** A published version of a chatbot. */
export const chatbotVersion = z.strictObject({
  version: z.number().int(),
  note: z.string(),
  by,
  publishedAt: timestamp.nullable(),
  content: chatbotContent,
});
export type ChatbotVersion = z.infer<typeof chatbotVersion>;

/** A chatbot as its makers see it in the list. */
export const chatbotSummary = z.strictObject({
  id: chatbotId,
  /** The draft's name, which can differ from the published name. */
  name: z.string(),
  glyph: chatbotGlyph,
  isDefault: z.boolean(),
  /** True if the draft differs from the published version. */
  isChanged: z.boolean(),
  editedAt: timestamp.nullable(),
  editedBy: by,
  /** Null: nobody can use it yet. */
  publishedVersion: z.number().int().nullable(),
  audience: audience.options[0].shape.kind.or(audience.options[1].shape.kind),
});
export type ChatbotSummary = z.infer<typeof chatbotSummary>;

/** The published version of a chatbot, and its draft. */
export const chatbotDraft = z.strictObject({
  id: chatbotId,
  isDefault: z.boolean(),
  /**
   * The revision, which grows with each change of the draft and each publication. A change names the revision that the
   * person saw.
   */
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

/** Lists the chatbots that the person can use, the default one first, then by name. */
export const listChatbots = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'model:use',
  cost: 'read',
  route: 'GET /api/chat/chatbots',
  response: z.strictObject({ items: z.array(chatbot) }),
});

/**
 * Lists the names of all chatbots, including those that the person can't use: for pages about the organisation's usage.
 */
export const listChatbotNames = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'usage:read_org',
  cost: 'read',
  route: 'GET /api/chat/chatbot-names',
  response: z.strictObject({ items: z.array(z.strictObject({ id: chatbotId, name: z.string() })) }),
});

/** Lists all chatbots of the organisation, last edited first. */
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

/**
 * Creates a draft, which nobody can use before it is published. `org.limit-reached` if the quota `chatbots` is full.
 */
export const createChatbot = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: clientIdOf('chatbot'), content: chatbotContent }),
  response: chatbotDraft,
});

/** Changes a draft. `platform.conflict` with the present draft if someone else changed it. */
export const changeChatbotDraft = defineRoute({
  ...managed,
  route: 'PUT /api/chat/chatbot-drafts/:chatbotId',
  cost: 'write',
  params: one,
  body: z.strictObject({ revision, content: chatbotContent }),
  response: chatbotDraft,
});

/** Publishes a draft. Running answers keep their version, and the next question in any chat uses the new one. */
export const publishChatbot = defineRoute({
  ...managed,
  permission: 'chatbot:publish',
  cost: 'write',
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/publish',
  params: one,
  body: z.strictObject({ revision, note: z.string().trim().max(300) }),
  response: chatbotDraft,
});

/** Deletes a chatbot. Nobody can use it any more, and its answers stay. `platform.conflict` for the default chatbot. */
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

/**
 * A chatbot changed; lists and editors read it again. `draft`: the change doesn't affect chats. `version` and `note`
 * are those of the published version.
 */
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
