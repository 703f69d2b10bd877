import { defineRoute, patience } from '@parley/protocol';
import { z } from 'zod';
import { pictureId } from '../../ids.ts';
import { limits } from '../../limits/sizes.ts';

/**
 * The raw file as body (`application/octet-stream`): PNG, JPEG, WebP, or the first frame of a GIF, whatever the file is
 * called. What is kept is a square of 256 pixels without anything else that the file held. `id` is made by the client,
 * so repeating the upload is harmless. It is shown once `updateMe` names it, and is gone after a day in which nothing
 * does, or with the next upload. 422 `auth.picture-unreadable`, `auth.picture-too-large` (over 25 megapixels).
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
 * For whoever is signed in and was told the id, which nobody guesses: it stands in what shows the person. 404
 * `platform.not-found` once it is gone.
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
