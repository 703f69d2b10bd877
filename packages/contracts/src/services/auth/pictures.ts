import { defineRoute, patience } from '@parley/protocol';
import { z } from 'zod';
import { pictureId } from '../../ids.ts';
import { limits } from '../../limits/sizes.ts';

/**
 * Uploads a profile picture as the raw body (`application/octet-stream`): PNG, JPEG, WebP, or the first frame of a GIF,
 * by content and not by name. Keeps a square of 256 pixels without metadata. The client makes `id`, so repeating the
 * upload is harmless. The picture is shown once `updateMe` names it. An unused one is deleted after a day, or with the
 * next upload. 422 `auth.picture-unreadable`, `auth.picture-too-large` (over 25 megapixels).
 */
export const uploadPicture = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/pictures',
  scope: 'person',
  cost: 'upload',
  patienceMs: patience.long,
  status: 201,
  rawBodyLimit: limits.pictureBytes,
  query: z.strictObject({ id: pictureId }),
  response: z.strictObject({ id: pictureId }),
});

/**
 * Returns a picture to anyone who is signed in and knows its id, which can't be guessed. 404 `platform.not-found` once
 * it is deleted.
 */
export const getPicture = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/pictures/:pictureId',
  scope: 'person',
  cost: 'read',
  params: z.strictObject({ pictureId }),
  bytes: 'image/webp',
});

export const pictureRoutes = { uploadPicture, getPicture };
