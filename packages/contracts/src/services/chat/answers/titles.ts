import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, conversationId, generationId, groupId } from '../../../ids.ts';
import { modelKey } from '../assistants/models.ts';

/** Says whether models write the titles of chats. */
export const titleSetting = z.strictObject({
  isOn: z.boolean(),
  /**
   * True if someone chose the setting. By default titles are on if a provider is in the installation's own network or
   * one of its models has a price.
   */
  isChosen: z.boolean(),
  /** The version of the setting; 0 until someone chooses. */
  version: z.number().int(),
});
export type TitleSetting = z.infer<typeof titleSetting>;

const configure = { service: 'chat', scope: 'organisation', permission: 'model:configure' } as const;

/** Returns the organisation's setting for titles. */
export const getTitleSetting = defineRoute({
  ...configure,
  route: 'GET /api/chat/title-setting',
  cost: 'read',
  response: titleSetting,
});

/** Turns titles written by models on or off. `platform.conflict` with `current` if the version is old. */
export const setTitleSetting = defineRoute({
  ...configure,
  route: 'PUT /api/chat/title-setting',
  cost: 'write',
  body: z.strictObject({ isOn: z.boolean(), version: z.number().int().min(0) }),
  response: titleSetting,
});

/** Someone turned titles written by models on or off. */
export const titlesConfigured = defineEvent('titles.configured.v1', 'chat', {
  data: z.object({ orgId, isOn: z.boolean() }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['providers'] },
  audit: ({ orgId: id, isOn }) => ({
    act: isOn ? 'titles.turned-on' : 'titles.turned-off',
    target: { of: 'organisation', id, name: null },
  }),
});

/**
 * A model wrote the title of a chat. The event has its usage; `interrupted`: the usage is unknown and estimated. If the
 * title was stored after its answer, this event notifies the chat's members; if it was stored with its answer,
 * `conversation.changed` does. The event can't be republished, because only the ledger keeps the usage.
 */
export const titleEnded = defineEvent('title.ended.v1', 'chat', {
  data: z.object({
    orgId,
    /** An id that is created for the title, because the ledger has one kind of id for answers and titles. */
    generationId,
    conversationId,
    /** The person who asked the question. Their budgets pay. */
    userId,
    groupIds: z.array(groupId),
    chatbotId: chatbotId.nullable(),
    model: modelKey,
    upstream: z.object({ host: z.string(), model: z.string() }),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    cachedTokens: z.number().int(),
    estimated: z.boolean(),
    outcome: z.enum(['done', 'failed', 'interrupted']),
    endedAt: timestamp,
    /** The people whose sockets get the title; empty if it was stored with its answer or wasn't stored. */
    memberIds: z.array(userId).default([]),
    /** The chat's sequence, for these people; otherwise 0. */
    sequence: z.number().int().default(0),
  }),
  key: 'generationId',
  identity: [],
  live: 'conversation',
  audit: 'Nobody acts.',
});

export const titleRoutes = { getTitleSetting, setTitleSetting };
