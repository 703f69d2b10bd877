import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { conversationId, projectId } from '../../../ids.ts';
import { fileIds } from '../knowledge/files.ts';

/** Texts of one draft that are kept beside the newest, where two devices wrote at the same time. */
export const mostOtherDrafts = 5;

const text = z.string().max(limits.messageCharacters);

/** What a person has typed and not sent, in a conversation or for a new chat of the organisation. */
export const draft = z.strictObject({
  text: z.string(),
  /** Counts up with each change; 0 where nothing was ever typed. */
  revision: z.number().int().nonnegative(),
  /** Written on another device at the same time, newest first; kept until it is dismissed or the draft is sent. */
  others: z.array(z.strictObject({ text: z.string(), at: timestamp })).max(mostOtherDrafts),
  /** Those that the question will have. Absent: none. */
  files: fileIds.optional(),
});
export type Draft = z.infer<typeof draft>;

/** A conversation of mine, `new` (the one for a new chat), or a project of mine: the one for a new chat in it. */
const where = z.strictObject({ where: z.union([conversationId, projectId, z.literal('new')]) });
const ownDraft = { service: 'chat', scope: 'organisation', permission: 'chat:create', params: where } as const;

/**
 * Returns an empty draft of revision 0 where nothing was typed, and for a conversation that doesn't exist (yet), was deleted or
 * isn't mine: a page reads the draft of a chat before its first question has arrived.
 */
export const getDraft = defineRoute({
  ...ownDraft,
  route: 'GET /api/chat/drafts/:where',
  cost: 'read',
  response: draft,
});

/**
 * Keeps what was typed, on top of the revision that it was typed on. Where another device was faster, both are kept: this
 * text becomes the draft, the other one goes to `others`; an empty one changes nothing then. An empty text with no
 * `others` is a draft that was sent.
 * Files of both are kept too, up to 20; ids that name no file of mine are left out.
 * Repeating it changes nothing.
 */
export const saveDraft = defineRoute({
  ...ownDraft,
  route: 'PUT /api/chat/drafts/:where',
  cost: 'write',
  body: z.strictObject({
    text,
    revision: z.number().int().nonnegative(),
    /** The texts of other devices that stay, of those that this revision had; absent: all of them. */
    others: z.array(text).max(mostOtherDrafts).optional(),
    /** Who writes, such as one page. What it wrote before, on a revision of which it never heard, is no other text. */
    writer: z.string().min(1).max(64).optional(),
    /** Absent: those that it has stay. */
    files: fileIds.optional(),
  }),
  response: draft,
});

/** Throws away the draft with its other texts, whatever their revision. Idempotent. */
export const dropDraft = defineRoute({
  ...ownDraft,
  route: 'DELETE /api/chat/drafts/:where',
  cost: 'write',
  status: 204,
});

export const draftRoutes = { getDraft, saveDraft, dropDraft };
