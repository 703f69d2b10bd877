import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { conversationId, projectId } from '../../../ids.ts';
import { fileIds } from '../knowledge/files.ts';

/** The most texts of a draft that are kept besides the draft itself, if several devices write at the same time. */
export const mostOtherDrafts = 5;

const text = z.string().max(limits.messageCharacters);

/** The text that a person typed and didn't send, in a conversation or for a new chat. */
export const draft = z.strictObject({
  text: z.string(),
  /** The revision, which grows with each change; 0 if nothing was ever typed. */
  revision: z.number().int().nonnegative(),
  /**
   * Texts that other devices wrote at the same time, newest first. Kept until dismissed, or until the draft is sent.
   */
  others: z.array(z.strictObject({ text: z.string(), at: timestamp })).max(mostOtherDrafts),
  /** Files of the question. Missing: none. */
  files: fileIds.optional(),
});
export type Draft = z.infer<typeof draft>;

/** Names the draft: one of the person's conversations; `new` for a new chat; or a project, for a new chat in it. */
const where = z.strictObject({ where: z.union([conversationId, projectId, z.literal('new')]) });
const ownDraft = { service: 'chat', scope: 'organisation', permission: 'chat:create', params: where } as const;

/**
 * Returns the draft. An empty one with revision 0 means: nothing was typed, or the conversation doesn't exist (yet),
 * was deleted or isn't the person's. This is no error, because a page reads the draft of a chat before its first
 * question arrives.
 */
export const getDraft = defineRoute({
  ...ownDraft,
  route: 'GET /api/chat/drafts/:where',
  cost: 'read',
  response: draft,
});

/**
 * Saves a draft on top of the revision that it was typed on. If another device was faster, both texts are kept: this
 * text becomes the draft, and the other one moves to `others`; an empty text then changes nothing. An empty text
 * without `others` means that the draft was sent. Files of both texts are kept, up to 20; ids of unknown files are
 * ignored. Idempotent.
 */
export const saveDraft = defineRoute({
  ...ownDraft,
  route: 'PUT /api/chat/drafts/:where',
  cost: 'write',
  body: z.strictObject({
    text,
    revision: z.number().int().nonnegative(),
    /** The texts of `others` at this revision that stay; the rest is dismissed. Missing: all stay. */
    others: z.array(text).max(mostOtherDrafts).optional(),
    /**
     * The writer of the text, for example one page. The writer's own earlier text on an older revision doesn't count as
     * another device's.
     */
    writer: z.string().min(1).max(64).optional(),
    /** Missing: the files stay. */
    files: fileIds.optional(),
  }),
  response: draft,
});

/** Deletes the draft with its other texts, at any revision. Idempotent. */
export const dropDraft = defineRoute({
  ...ownDraft,
  route: 'DELETE /api/chat/drafts/:where',
  cost: 'write',
  status: 204,
});

export const draftRoutes = { getDraft, saveDraft, dropDraft };
